package metrics

import (
	"math"
	"testing"
)

// TestStudents: quantiles are those of the law, as every table has them, the second time as well.
func TestStudents(t *testing.T) {
	for range 2 {
		for df, want := range map[int]float64{2: 4.302653, 9: 2.262157, 1000: 1.962339} {
			if got := student(df); math.Abs(got-want) > 5e-7 {
				t.Errorf("%d degrees of freedom: %v, want %v", df, got, want)
			}
		}
	}
}
