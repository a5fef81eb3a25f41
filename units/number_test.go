package units

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func TestNumbersForPeople(t *testing.T) {
	for _, c := range []struct {
		rule  func(float64) string
		name  string
		cases map[float64]string
	}{
		{Significant, "significant", map[float64]string{0: "0", 0.01234: "0.012", 0.0995: "0.10", 0.5: "0.50", 1.5: "1.50", 9.994: "9.99",
			9.996: "10.0", 12.34: "12.3", 99.96: "100", 4123.4: "4123", -1.5: "-1.50", 1e-7: "1e-07"}},
		{Short, "short", map[float64]string{0: "0", 0.35: "0.35", 8.5: "8.5", 14.24: "14.2", 5.126: "5.13", 0.3456: "0.346", 100: "100", 4123: "4,120", 999.9: "1,000",
			1.23e6: "1.2M", 4.56e9: "4.6G", 1e15: "1e+15", 1.2345e-5: "1.23e-05", -4123: "-4,120"}},
		{func(v float64) string { return Decimals(v, 2) }, "two decimals", map[float64]string{0: "0", 1234.5: "1,234.5", 1e6: "1,000,000", 0.126: "0.13", -12345.67: "-12,345.67"}},
		{Percent, "percent", map[float64]string{0: "0%", 0.004: "0.4%", 0.0094: "0.9%", 0.01: "1%", 0.123: "12%", 0.9951: "99.5%",
			0.99999: "99.9%", 1: "100%", 1.5: "150%", math.NaN(): "–", math.Inf(1): "–"}},
		{Shortest, "shortest", map[float64]string{0: "0", 1: "1", -2.5: "-2.5", 0.1: "0.1", 123456789: "123456789",
			1e-6: "0.000001", 1e-7: "1e-07", 1e15: "1e+15", 1.0 / 3: "0.3333333333333333"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for v, want := range c.cases {
				if got := c.rule(v); got != want {
					t.Errorf("%v: %q, want %q", v, got, want)
				}
			}
		})
	}
}

func TestRound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, n := rapid.Float64().Draw(t, "v"), rapid.IntRange(1, 17).Draw(t, "digits")
		got := Round(v, n)
		if math.IsInf(got, 0) || math.Abs(got-v) > math.Abs(v)*(0.5001*math.Pow10(1-n)+0x1p-52) || Round(got, n) != got {
			t.Fatalf("%v in %d digits: %v", v, n, got)
		}
	})
}

func TestShortestReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64().Draw(t, "v")
		if back, err := strconv.ParseFloat(Shortest(v), 64); err != nil || back != v {
			t.Fatalf("%v is %q, read back as %v (%v)", v, Shortest(v), back, err)
		}
	})
}
