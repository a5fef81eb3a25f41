package sim

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// TestLonger: gaps along a line are counted as one by one, on it as well.
func TestLonger(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gap := units.Seconds(rapid.Float64Range(0.1, 10).Draw(t, "gap"))
		slope := units.Seconds(rapid.SampledFrom([]float64{0, 0.5, 0.01, -0.01, 1e-9}).Draw(t, "slope"))
		n := rapid.IntRange(1, 40).Draw(t, "gaps")
		bound := units.Seconds(rapid.Float64Range(0, 12).Draw(t, "bound"))
		if rapid.Bool().Draw(t, "on the line") {
			bound = max(0, gap+slope*units.Seconds(rapid.IntRange(0, n).Draw(t, "gap that is the bound")))
		}
		want := 0
		for i := range n {
			if bound > 0 && gap+slope*units.Seconds(i) > bound*(1+tie) {
				want++
			}
		}
		if got := longer(gap, slope, n, bound); got != want {
			t.Errorf("%d of %d gaps from %v on by %v are longer than %v, counted one by one %d", got, n, gap, slope, bound, want)
		}
	})
}

// gapsOf is how many gaps each request of (arrival, prompt, output) has, and how many of them are longer than a bound, in both engines. A step
// takes a second, and a tenth more for each token of a prompt; prompts stop all decodes.
func gapsOf(t *testing.T, bound units.Seconds, requests ...[3]float64) (all, late []int32) {
	t.Helper()
	var both [2][]metrics.Request
	for i, reference := range []bool{true, false} {
		traffic := &scripted{}
		for _, r := range requests {
			traffic.add(units.Seconds(r[0]), int(r[1]), int(r[2]))
		}
		config := written(traffic, 1000, &policies.PrefillFirst{MaxNumSeqs: 8, MaxNumBatchedTokens: 100})
		config.Pools[0].Cost, config.Reference = &hardware.Synthetic{StepFixed: 1, PerPrefillToken: 0.1}, reference
		config.GapBounds = []units.Seconds{bound}
		rec, err := Run(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		both[i] = rec.Requests
	}
	for i := range both[0] {
		a, b := &both[0][i], &both[1][i]
		if a.Gaps != b.Gaps || a.LateGaps != b.LateGaps {
			t.Errorf("request %d has %d gaps, %d of them late, step by step %d and %d", i, b.Gaps, b.LateGaps, a.Gaps, a.LateGaps)
		}
		all, late = append(all, b.Gaps), append(late, b.LateGaps)
	}
	return all, late
}

// TestLateGaps: the first request, of 10 tokens, waits in one of its gaps for the prompt of the second, and in another one for those of the third
// and the fourth, whose prompts take a step each. So gaps are 1 s long but for one of 1 + 3 s and one of 1 + 3 + 9 s; the second
// request waits for the other two as well, and the third for the fourth.
func TestLateGaps(t *testing.T) {
	requests := [][3]float64{{0, 10, 10}, {3.5, 20, 8}, {8.5, 20, 5}, {9.5, 80, 1}}
	for _, c := range []struct {
		bound units.Seconds
		late  []int32
	}{
		{0, []int32{0, 0, 0, 0}},
		{0.9, []int32{9, 7, 4, 0}},
		{1, []int32{2, 1, 1, 0}}, // what takes as long as the bound is within it
		{3.9, []int32{2, 1, 1, 0}},
		{4.1, []int32{1, 1, 1, 0}},
		{12.9, []int32{1, 1, 0, 0}},
		{13.1, []int32{0, 0, 0, 0}},
	} {
		all, late := gapsOf(t, c.bound, requests...)
		for i := range requests {
			if all[i] != int32(requests[i][2])-1 || late[i] != c.late[i] {
				t.Errorf("request %d has %d gaps, %d of them longer than %v; want %d", i, all[i], late[i], c.bound, c.late[i])
			}
		}
	}
}

// TestGapsAreThoseOfTheRun: those of all requests are as many as the run has, and all of them are longer than no time at all.
func TestGapsAreThoseOfTheRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scene := drawScene(t)
		c := scene.fresh()
		c.GapBounds = []units.Seconds{1e-12, 1e-12, 1e-12}
		rec, err := Run(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		all := int64(0)
		for i := range rec.Requests {
			r := &rec.Requests[i]
			if all += int64(r.Gaps); r.LateGaps != r.Gaps {
				t.Errorf("%d of the %d gaps of request %d are longer than no time", r.LateGaps, r.Gaps, i)
			}
		}
		if n := rec.ITL.Count(); all != n {
			t.Errorf("the requests have %d gaps between tokens, the run has %d", all, n)
		}
	})
}
