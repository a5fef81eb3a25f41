package plots

import (
	"testing"

	"kneepoint/experiments/results"
)

// TestMostCurves: what nobody could read, and would take hours, is not drawn.
func TestMostCurves(t *testing.T) {
	if figures := Figures(&results.Results{Series: make([]results.Series, MostCurves+1)}); figures != nil {
		t.Errorf("%d figures of %d curves", len(figures), MostCurves+1)
	}
}
