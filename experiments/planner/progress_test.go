package planner

import (
	"fmt"
	"math"
	"testing"

	"kneepoint/internal/effort"
)

// The looks that are said to be left are about those that come, from a quarter of them on: also where most candidates are left out by one.
func TestLooksLeft(t *testing.T) {
	effort.Whole(t)
	var candidates []Candidate
	for i := range 12 {
		factor := 1 + 0.06*float64(i)
		c := servers(400, 0.02*factor, fmt.Sprint(i))[0]
		c.Option.Unit.Accelerator = fmt.Sprint(i % 3)
		c.Price = 1 / factor // about as dear for the same work
		candidates = append(candidates, c)
	}
	var told []Progress
	_, err := Find(t.Context(), candidates, Question{Target: 0.9}, Options{Progress: func(p Progress) {
		if p.Stage == Sizing && p.Runs == 0 {
			told = append(told, p)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	all := told[len(told)-1].Timed + 1
	for _, p := range told[all/4:] {
		if left := float64(all - p.Timed); math.Abs(float64(p.Left)-left) > 0.25*left+1 {
			t.Errorf("after %d looks %d are said to be left, and %v were", p.Timed, p.Left, left)
		}
	}
}

// Of a look it is told how many runs it has had, one after the other, at how many of which candidate; of what comes after the looks nothing
// such.
func TestRunsOfLooks(t *testing.T) {
	var before Progress
	looks := 0
	_, err := Find(t.Context(), servers(40, 0.1, "a", "b"), Question{Target: 0.9}, Options{Progress: func(p Progress) {
		switch {
		case p.Stage != Sizing && p.Runs > 0:
			t.Errorf("%+v", p)
		case p.Runs == 1:
			looks++
		case p.Runs > 1 && (p.Runs != before.Runs+1 || p.Looked != before.Looked || p.Units != before.Units):
			t.Errorf("%+v after %+v", p, before)
		}
		if p.Runs > 0 && (p.Looked != "a" && p.Looked != "b" || p.Units < 1) {
			t.Errorf("%+v", p)
		}
		before = p
	}})
	if err != nil || looks == 0 {
		t.Errorf("%d looks, %v", looks, err)
	}
}
