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
