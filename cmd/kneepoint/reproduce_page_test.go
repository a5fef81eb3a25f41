package main

import (
	"path/filepath"
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
	if got := totals([]reproduction{fitted}); !strings.HasPrefix(got, "1 paper or post, 4 published numbers, 3 (75 %) within their bands, where other numbers of the paper chose a constant; ") {
		t.Errorf("all of them: %s", got)
	}
	if plain, fitted := chosenText(&plain), chosenText(&fitted); plain != "" || fitted != "1" {
		t.Errorf("constants chosen: %q and %q", plain, fitted)
	}
}

// TestOneNameOnce: what is named twice would be counted twice, and of two files of one name one figure would be left.
func TestOneNameOnce(t *testing.T) {
	for _, second := range []string{"inoue-batches", filepath.Join(sourceFolder, "..", "..", "experiments", "inoue-batches.toml")} {
		status, _, stderr := command(t, "reproduce", "inoue-batches", second, "--out", t.TempDir())
		if status != exitBadInput || !strings.Contains(stderr, `second one of the name "inoue-batches"`) {
			t.Errorf("%s: exit status %d: %s", second, status, stderr)
		}
	}
}

// TestTotalsOfOne: what there is one of is no plural, and what there is nothing of is not told.
func TestTotalsOfOne(t *testing.T) {
	r := reproduction{Paper: &results.Paper{Name: "A"}, Figures: []results.Reproduction{{Numbers: 5, InBand: 5, Verdict: results.WasReproduced}}}
	if got, want := totals([]reproduction{r}), "1 paper or post, 5 published numbers, 5 (100 %) within their bands; figures and tables: 1 reproduced, 0 in shape only, 0 missed."; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	r.Figures[0].Orders = results.Kept{Of: 4, Kept: 3}
	if got := totals([]reproduction{r}); !strings.Contains(got, "bands; 3 of 4 orders kept; figures") {
		t.Error(got)
	}
}
