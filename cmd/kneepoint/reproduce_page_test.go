package main

import (
	"strings"
	"testing"

	"kneepoint/experiments/results"
)

// TestTotalsCountChosenApart: numbers of papers of which another one chose a constant say less.
func TestTotalsCountChosenApart(t *testing.T) {
	of := func(name string, numbers, inBand int, chosen ...string) reproduction {
		return reproduction{Paper: &results.Paper{Name: name, Chosen: chosen},
			Figures: []results.Reproduction{{Numbers: numbers, InBand: inBand}}}
	}
	plain, fitted := of("A", 10, 6), of("B", 4, 3, "a share of the bandwidth")
	got := totals([]reproduction{plain, fitted})
	want := "2 papers and posts, 14 published numbers, 9 (64 %) within their bands: where other numbers of the paper chose a constant 3 (75 %) of 4, elsewhere 6 (60 %) of 10; "
	if !strings.HasPrefix(got, want) {
		t.Errorf("got %s", got)
	}
	if got := totals([]reproduction{plain}); strings.Contains(got, "elsewhere") {
		t.Errorf("none chose a constant: %s", got)
	}
	if plain, fitted := chosenText(&plain), chosenText(&fitted); plain != "" || fitted != "1" {
		t.Errorf("constants chosen: %q and %q", plain, fitted)
	}
}
