package metrics

import "testing"

// TestOrdinals: percentiles are written as they are read aloud.
func TestOrdinals(t *testing.T) {
	for p, want := range map[float64]string{1: "1st", 2: "2nd", 3: "3rd", 5: "5th", 10: "10th", 11: "11th", 12: "12th", 13: "13th",
		21: "21st", 52: "52nd", 93: "93rd", 99: "99th", 99.9: "99.9th", 0.1: "0.1th"} {
		if got := ordinal(p); got != want {
			t.Errorf("%v is written %q, want %q", p, got, want)
		}
	}
}
