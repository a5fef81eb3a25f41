package planner

import "testing"

// TestSizingChooses: between those that missed and met, the number that is as many times as large as the one as the other is as it.
func TestSizingChooses(t *testing.T) {
	for _, c := range []struct{ missed, met, want int }{{4, 64, 16}, {1, 100, 10}, {0, 64, 64}} {
		if got := (&sizing{missed: c.missed, met: c.met}).choose(); got != c.want {
			t.Errorf("between %d and %d: %d, want %d", c.missed, c.met, got, c.want)
		}
	}
}

// TestMostIsLookedAtNext: where no number met the target yet, if it is close to the one that would be next; else if it
// is smaller than that.
func TestMostIsLookedAtNext(t *testing.T) {
	for _, c := range []struct {
		met, next int
		most      float64
		want      bool
	}{{0, 10, 14, true}, {0, 10, 16, false}, {8, 5, 7, true}, {8, 5, 8, false}} {
		if got := (&sizing{met: c.met, next: c.next}).beyond(c.most); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

// TestLongerRunsBeginWithSmallSteps: a number that longer runs do not confirm is hardly too small, however many looks came before.
func TestLongerRunsBeginWithSmallSteps(t *testing.T) {
	s := &sizing{planner: newPlanner(Question{}, Options{}), Candidate: &Candidate{Most: 1e6}, enough: 1e6, met: 100, steps: 6, looks: 6}
	s.lengthen()
	s.steps, s.missed, s.met = s.steps+1, 100, 0
	if next := s.choose(); next != 119 {
		t.Errorf("%d after 100, want 119", next)
	}
}
