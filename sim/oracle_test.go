package sim_test

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/sim"
	"kneepoint/units"
	"kneepoint/workloads"
)

// TestOracle holds both engines against an oracle that was written from the published
// schedulers and never from this code: over random configurations, half of them
// short of memory, every step has the same work, every request is admitted, preempted
// and ended in the same steps, and times agree to 1e-9.
func TestOracle(t *testing.T) {
	for name, draw := range oracleEngines {
		t.Run(name, func(t *testing.T) {
			effort.Check(t, 8, func(t *rapid.T) { drawOracleCase(t, draw).check(t) })
		})
	}
}

// check runs a case with the oracle and with both engines.
func (c *oracleCase) check(t *rapid.T) {
	o, requests := c.oracle()
	o.run()
	c.bound = gapBound(requests, c.gap)
	for _, reference := range []bool{true, false} {
		seen := &oracleObserver{phases: map[int][]sim.PhaseEvent{}}
		config := c.config(seen, reference)
		record, err := sim.Run(context.Background(), config)
		if err != nil {
			t.Fatal(err)
		}
		var wrong []string
		for i, r := range requests {
			got := &record.Requests[i]
			want := append([]float64{r.admitted, r.first, r.last}, r.preempted[:min(1, len(r.preempted))]...)
			// A request that is preempted again while it recovers has one recovery.
			recovery := seen.starts(i, sim.PhaseRecovery)
			times := append(seen.starts(i, sim.PhasePrefill)[:1], float64(got.First), float64(got.Last))
			times = append(times, recovery[:min(1, len(recovery))]...)
			if !sameTimes(times, want) || int(got.Preemptions) != len(r.preempted) || int(got.Generated) != r.output {
				wrong = append(wrong, fmt.Sprintf("request %d: admitted, first and last token, preempted %d times from %.6g on, want %d, %.6g",
					i, got.Preemptions, times, len(r.preempted), want))
			}
			if all, late := r.gaps(c.bound, c.rules.whole); int(got.Gaps) != all || int(got.LateGaps) != late {
				wrong = append(wrong, fmt.Sprintf("request %d: %d gaps, %d of them longer than %v, want %d, %d", i, got.Gaps, got.LateGaps, c.bound, all, late))
			}
		}
		if difference := seen.compare(o.steps); difference != "" {
			wrong = append([]string{difference}, wrong...)
		}
		if len(wrong) > 0 {
			t.Fatalf("reference %v\n%s\n%s", reference, c, strings.Join(wrong[:min(len(wrong), 8)], "\n"))
		}
	}
}

// gapBound is a gap between tokens of some request, so many of all being shorter; 0 where there is none.
func gapBound(requests []*oracleRequest, share float64) units.Seconds {
	var all []float64
	for _, r := range requests {
		for i := 1; i < len(r.came); i++ {
			all = append(all, r.came[i]-r.came[i-1])
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return units.Seconds(all[int(share*float64(len(all)-1))])
}

// gaps are how many there are between tokens of a request, and how many of them are longer than a bound by
// more than a millionth. Whole answers have none.
func (r *oracleRequest) gaps(bound units.Seconds, whole bool) (all, late int) {
	if bound == 0 || whole {
		return 0, 0
	}
	for i := 1; i < len(r.came); i++ {
		if all++; r.came[i]-r.came[i-1] > float64(bound)*(1+1e-6) {
			late++
		}
	}
	return all, late
}

// oracleObserver keeps what an engine did.
type oracleObserver struct {
	steps  []sim.StepsEvent
	works  []hardware.Work
	phases map[int][]sim.PhaseEvent
}

func (s *oracleObserver) Steps(e sim.StepsEvent) {
	w := *e.Work
	w.Prefill = append([]hardware.Chunk(nil), w.Prefill...) // nil when empty
	s.steps, s.works = append(s.steps, e), append(s.works, w)
}

func (*oracleObserver) Move(sim.MoveEvent) {}

func (s *oracleObserver) Phase(e sim.PhaseEvent) {
	s.phases[e.Request] = append(s.phases[e.Request], e)
}

// starts are when the phases of a kind began that a request went through.
func (s *oracleObserver) starts(request int, phase sim.Phase) (times []float64) {
	for _, e := range s.phases[request] {
		if e.Phase == phase {
			times = append(times, float64(e.Start))
		}
	}
	return times
}

// compare tells the first step that differs from the oracle's, empty where none does.
// The engine of stretches tells several steps at once.
func (s *oracleObserver) compare(want []oracleStep) string {
	i := 0
	for k, e := range s.steps {
		if i+e.Steps > len(want) {
			return fmt.Sprintf("more than %d steps", len(want))
		}
		first, last := &want[i], &want[i+e.Steps-1]
		got := oracleStep{float64(e.Start), float64(e.End), s.works[k], e.Running, e.Blocks}
		if !sameTimes([]float64{got.start, got.end}, []float64{first.start, last.end}) || !sameWork(got.work, first.work) ||
			got.running != last.running || got.blocks != last.blocks {
			return fmt.Sprintf("step %d (%d together):\n  got  %v\n  want %v\n  .... %v", i, e.Steps, got, *first, *last)
		}
		i += e.Steps
	}
	if i < len(want) {
		return fmt.Sprintf("%d steps, want %d", i, len(want))
	}
	return ""
}

func (s oracleStep) String() string {
	return fmt.Sprintf("%.6g to %.6g: %d running, %d blocks, %+v", s.start, s.end, s.running, s.blocks, s.work)
}

// sameWork tells whether two steps do the same, after rests that are the same but for rounding.
func sameWork(got, want hardware.Work) bool {
	rested := got.Rested == want.Rested || sameTimes([]float64{float64(got.Rested)}, []float64{float64(want.Rested)})
	got.Rested = want.Rested
	return rested && reflect.DeepEqual(got, want)
}

func sameTimes(got, want []float64) bool {
	return slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) })
}

// oracleCost is a cost model of the test's own, affine in all that a step does.
type oracleCost struct {
	hardware.Plain
	fixed, row, context, chunk, token, again, padding, logit, draft, pass, read float64
	tired                                                                       float64 // of a step with prompts that follows another one at once
}

// Step implements hardware.CostModel.
func (c oracleCost) Step(w *hardware.Work) hardware.Cost {
	t := c.fixed + c.row*float64(w.DecodeRows) + c.context*float64(w.DecodeContext) + c.read*float64(w.PaddingContext) + c.padding*float64(w.PaddingRows) +
		c.logit*float64(w.LogitRows) + c.draft*float64(w.DraftRows) + c.pass*float64(w.DraftPasses)
	for _, p := range w.Prefill {
		t += c.chunk + c.token*float64(p.Tokens) + c.context*float64(p.Context) + c.again*float64(p.Recomputed)
	}
	if len(w.Prefill) > 0 {
		t += c.tired / (1 + float64(w.Rested))
	}
	return hardware.Cost{Time: units.Seconds(t)}
}

// oracleTraffic sends requests that a test wrote down.
type oracleTraffic struct{ requests []workloads.Request }

func (s *oracleTraffic) Peek() (units.Seconds, bool) {
	if len(s.requests) == 0 {
		return units.Seconds(math.Inf(1)), false
	}
	return s.requests[0].Arrival, true
}

func (s *oracleTraffic) Pop() (r workloads.Request, ok bool) {
	if len(s.requests) == 0 {
		return r, false
	}
	r, s.requests = s.requests[0], s.requests[1:]
	return r, true
}

func (*oracleTraffic) Done(int, units.Seconds) {}
func (*oracleTraffic) OpenLoop() bool          { return true }
