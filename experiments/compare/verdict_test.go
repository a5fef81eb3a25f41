package compare

import (
	"math"
	"testing"
)

// TestAdjust: of the fifteen probabilities that Benjamini and Hochberg show (1995, section 3.2) four are discoveries at 5 %, of
// which the fourth is the largest with p ≤ 0.05·i/15; none is where there is none.
func TestAdjust(t *testing.T) {
	chances := []float64{.4262, .0001, .0004, math.NaN(), .0019, .0095, .0201, .0278, .0298, .0344, .0459, .3240, .5719, .6528, .7590, 1}
	adjusted := adjust(chances)
	found := 0
	for i, p := range adjusted {
		if p <= 0.05 {
			found++
		}
		if p < chances[i] || math.IsNaN(p) != math.IsNaN(chances[i]) {
			t.Errorf("%v is adjusted to %v", chances[i], p)
		}
	}
	if found != 4 || math.Abs(adjusted[5]-0.0095*15/4) > 1e-12 {
		t.Errorf("%d are discoveries: %v", found, adjusted)
	}
	if got := adjust([]float64{0.04, 0.04}); got[0] != 0.04 || got[1] != 0.04 {
		t.Errorf("equal ones become %v", got)
	}
}
