package main

import (
	"testing"

	"kneepoint/experiments/results"
)

// TestEverywhere: who is better all over the range is told on both sides of a break-even that there is not.
func TestEverywhere(t *testing.T) {
	for _, c := range []struct {
		less     string
		from, to float64
		want     bool
	}{{"a", 1, 9, true}, {"a", 2, 9, false}, {"a", 1, 8, false}, {"", 1, 9, false}} {
		b := results.BreakEven{Min: 1, Max: 9, Less: c.less, From: c.from, To: c.to}
		if got := everywhere(&b); got != c.want {
			t.Errorf("%+v: %t", b, got)
		}
	}
}
