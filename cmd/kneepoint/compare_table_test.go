package main

import (
	"strings"
	"testing"

	"kneepoint/experiments/compare"
	"kneepoint/sim/metrics"
)

// TestKeyText: long values are cut, others are not.
func TestKeyText(t *testing.T) {
	for value, want := range map[string]string{strings.Repeat("é", 40): strings.Repeat("é", 40),
		strings.Repeat("é", 41): strings.Repeat("é", 39) + "…"} {
		if got := keyText(value); got != want {
			t.Errorf("%s is written %s, want %s", value, got, want)
		}
	}
}

// TestRareText: rows that few replications differ in are counted, and nothing is said of those that most do.
func TestRareText(t *testing.T) {
	row := func(differing int) compare.Row {
		return compare.Row{Differing: &differing, Difference: metrics.Estimate{N: 10}}
	}
	c := &compare.Comparison{Rows: []compare.Row{row(2), row(4), row(5), row(10), {}}, Differs: []compare.Key{{Path: "seed"}}}
	if got, want := rareText(c), "Rows that differ in fewer than half of their replications: 2."; !strings.HasPrefix(got, want) {
		t.Errorf("says %q, want %q", got, want)
	}
	c.Rows = c.Rows[2:]
	if got := rareText(c); got != "" {
		t.Errorf("says %q of rows of which most replications differ", got)
	}
	c.Rows = append(c.Rows, row(0))
	if got := rareText(c); !strings.Contains(got, "up to 26% of them") { // 1 - 0.05^(1/10)
		t.Errorf("says %q of ten equal replications", got)
	}
}
