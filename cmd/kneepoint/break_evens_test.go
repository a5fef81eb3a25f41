package main

import (
	"strings"
	"testing"

	"kneepoint/experiments"
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

// TestNoBreakEvenYet: a search that is interrupted before it has found the first break-even has no table, and none of knees, which
// nobody asked for.
func TestNoBreakEvenYet(t *testing.T) {
	sets := []string{`search={load="workload.arrival.rate",over="static",metric="mean_ttft_ms",min=1,max=9}`}
	e, err := load(t.Context(), "quickstart", sets, (*experiments.File).CheckKnees)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	res := &results.Results{Plan: results.Plan{Title: "which is better?"}, Incomplete: true}
	if err := printKnees(&out, e, res, newKneeClock(), &searchFlags{}); err != nil {
		t.Fatal(err)
	}
	if want := "which is better?\nnote: only 0 of 0 runs were finished\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
