package metrics

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/units"
)

// TestLooserBoundsAreMet: what meets an objective meets every looser one. A bound of 0 is
// none, so that it is the loosest.
func TestLooserBoundsAreMet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seconds := func(name string) units.Seconds { return units.Seconds(rapid.IntRange(0, 6).Draw(t, name)) }
		r := &Request{First: seconds("first"), Generated: int32(rapid.IntRange(1, 4).Draw(t, "tokens")), State: Completed}
		r.Last = r.First + seconds("rest")
		strict := Objective{TTFT: seconds("ttft"), TPOT: seconds("tpot"), E2EL: seconds("e2el")}
		loosen := func(name string, bound units.Seconds) units.Seconds {
			if more := seconds(name); bound > 0 && more < 5 {
				return bound + more
			}
			return 0
		}
		loose := Objective{TTFT: loosen("more ttft", strict.TTFT), TPOT: loosen("more tpot", strict.TPOT), E2EL: loosen("more e2el", strict.E2EL)}
		if strict.Met(r) && !loose.Met(r) {
			t.Errorf("%+v meets %+v and not %+v", r, strict, loose)
		}
	})
}

// TestPacedRequests: of gaps between tokens one in a hundred may be longer than the bound, and of fewer than a hundred none.
func TestPacedRequests(t *testing.T) {
	for _, c := range []struct {
		gaps, late int32
		met        bool
	}{{0, 0, true}, {1, 0, true}, {1, 1, false}, {99, 1, false}, {100, 1, true}, {199, 2, false}, {200, 2, true}} {
		r := &Request{Gaps: c.gaps, LateGaps: c.late, State: Completed}
		if o := (Objective{ITL: 1}); o.Met(r) != c.met || o.judge(r).all != o.judge(r).itl || o.judge(r).itl != one(c.met) {
			t.Errorf("%d of %d gaps are longer: %t, want %t", c.late, c.gaps, o.Met(r), c.met)
		}
		if !(Objective{TTFT: 1}).Met(r) {
			t.Errorf("%d of %d gaps are longer than no bound", c.late, c.gaps)
		}
	}
}

// TestLoosest: of several classes each bound is that of the class with the loosest one.
func TestLoosest(t *testing.T) {
	classes := []Objective{{TTFT: 2, TPOT: 3}, {TTFT: 1, TPOT: 1, E2EL: 9, ITL: 1}, {E2EL: 4, ITL: 2}}
	if got, want := loosest(classes, Objective{TTFT: 7}), (Objective{TTFT: 2, TPOT: 3, E2EL: 9, ITL: 2}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := loosest(nil, Objective{TTFT: 7}), (Objective{TTFT: 7}); got != want {
		t.Errorf("without classes %+v, want %+v", got, want)
	}
}

// TestAttained: each request that is judged has met its objective or not, has a first token
// if it has ended, and waits if it had not ended when the last one came: who was refused did
// neither meet it nor wait, and who gave up or was lost did until then.
func TestAttained(t *testing.T) {
	rec := &Record{
		Classes: []Objective{{TTFT: 2}, {E2EL: 4}},
		Requests: []Request{
			{Arrival: 0, First: 1, Last: 3, State: Completed, InWindow: true},
			{Arrival: 1, First: 4, Last: 5, State: Completed},
			{Arrival: 2, First: 3, Last: 11, State: Completed, Class: 1, InWindow: true},
			{Arrival: 3, State: Rejected, InWindow: true},
			{Arrival: 4, First: 5, State: Unfinished, InWindow: true},
			{Arrival: 5, State: QueueFull},
			{Arrival: 6, Last: 9, State: TimedOut},
			{Arrival: 6, Last: 11, State: TimedOut},
			{Arrival: 7, First: 8, Last: 9, Generated: 2, State: Lost},
			{Arrival: 7, First: 8, Last: 12, Generated: 2, State: Lost, InWindow: true},
			{Arrival: 10, First: 11, Last: 12, State: Completed, Class: 1},
		},
	}
	for window, want := range map[bool]string{
		false: "[1 0 0 0 0 0 0 0 0 0 1] [1 3 1 NaN NaN NaN NaN NaN NaN NaN 1] 5",
		true:  "[1 0 0 0 0] [1 1 NaN NaN NaN] 3",
	} {
		if met, ttft, waiting := rec.Attained(Objective{}, window); fmt.Sprint(met, ttft, waiting) != want {
			t.Errorf("in the window alone: %t: %v %v %d, want %s", window, met, ttft, waiting, want)
		}
	}
	met, ttft, waiting := (&Record{}).Attained(Objective{}, false)
	if len(met)+len(ttft)+waiting > 0 {
		t.Errorf("nobody came: %v %v %d", met, ttft, waiting)
	}
}
