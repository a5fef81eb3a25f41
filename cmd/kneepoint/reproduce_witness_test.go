package main

import (
	"strings"
	"testing"

	"kneepoint/experiments/results"
)

// TestWitnessesHaveBothColumns: a row for each curve that has witnesses; no table where none has.
func TestWitnessesHaveBothColumns(t *testing.T) {
	own, theirs := 1.26, 0.8331
	r := reproduction{Experiment: "e", Paper: &results.Paper{Name: "P", Witness: map[string]string{"b": "b2", "a": "a2"}},
		Witnesses: []results.Witnessed{{Figure: "F", Curve: "a", Numbers: 3, Simulated: results.Nearness{InBand: 1, Ratio: &own},
			Witness: results.Nearness{InBand: 2, Ratio: &theirs}}, {Figure: "G", Curve: "b", Numbers: 1}}}
	page := reproductionsPage([]reproduction{r})
	for _, want := range []string{"| e | F | a | 3 | 1 | 2 | 1.26 | 0.833 |", "| e | G | b | 1 | 0 | 0 | - | - |", "- Witness of a: a2\n- Witness of b: b2\n"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	r.Witnesses = nil
	if page := reproductionsPage([]reproduction{r}); strings.Contains(page, "## Witnesses") {
		t.Errorf("a table without witnesses:\n%s", page)
	}
}
