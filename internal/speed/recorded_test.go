package main

import (
	"maps"
	"os"
	"testing"
)

// TestRecordedCosts: what is recorded has every row, and a warning is printed of one that costs a fifth more, and of none
// that costs less.
func TestRecordedCosts(t *testing.T) {
	text, err := os.ReadFile("recorded.csv")
	if err != nil {
		t.Fatal(err)
	}
	known, err := parseCosts(text)
	if err != nil {
		t.Fatal(err)
	}
	if string(formatCosts(known)) != string(text) || len(known) != len(rows) {
		t.Error("recorded.csv is not that of the rows: write it anew, as the command's comment says")
	}
	costs := maps.Clone(known)
	costs["overload"] *= 1.21
	costs["swap"] *= 1.19
	costs["hash ids"] *= 0.5
	if all := warnings(costs, known); len(all) != 1 {
		t.Errorf("warnings are %q, want one of overload", all)
	}
	delete(known, "swap")
	if all := warnings(costs, known); len(all) != 2 {
		t.Errorf("warnings are %q, want one of swap, too", all)
	}
}

// TestSizedRows: rows are run about as long as each other, and as long as before when their costs change by little.
func TestSizedRows(t *testing.T) {
	for cost, want := range map[float64]int{1: 16384, 1.1: 16384, 1.25: 8192, 5: 2048, 5.5: 2048, 15: 1024, 0: rows[0].requests / 10} {
		if got := rows[0].sized(cost).requests; got != want {
			t.Errorf("of a row that costs %v plain requests %d are run, want %d", cost, got, want)
		}
	}
}
