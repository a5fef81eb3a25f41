package search

import (
	"context"
	"testing"
)

// TestUntilTold: runs that are long enough are joined by more until these tell, or until they tell as much as the longest that are allowed.
func TestUntilTold(t *testing.T) {
	for _, c := range []struct {
		rate  float64
		told  bool
		least int // runs
	}{{0.5, true, 10}, {0.586976, false, 40}} { // M/D/1, of which 6 % and 10 % wait for more than 2 s
		q := queue{service: constant, bound: 2}
		at := 0
		j := judging{Ask: Ask{Target: 0.9}, steady: true, length: 4000, longest: 16_000}
		observe := func(first, count int) ([]sample, error) {
			if at != first-firstReplication {
				t.Fatalf("runs from %d on after %d", first-firstReplication, at)
			}
			at = first - firstReplication + count
			return q.sample(context.Background(), c.rate, j.length, first, count)
		}
		runs, l, err := inStages(func(*look) bool { return false }, observe, j.lookAt)
		if err == nil {
			l, err = j.untilTold(runs, l, observe)
		}
		if err != nil || j.told(&l) != c.told || at < c.least || at > 40 {
			t.Errorf("at %v after %d runs: told %v, %v", c.rate, at, j.told(&l), err)
		}
	}
}
