package units

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestParseDecimalRounds: short numbers, which are read by themselves, are those of strconv to the last bit.
func TestParseDecimalRounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[0-9]{0,10}\.?[0-9]{0,10}`).Draw(t, "text")
		want, err := strconv.ParseFloat(text, 64)
		if x, ok := ParseDecimal(text); ok != (err == nil) || ok && x != want {
			t.Errorf("%q is %v, %t; want %v, %v", text, x, ok, want, err)
		}
		count, err := strconv.ParseInt(strings.ReplaceAll(text, ".", ""), 10, 64)
		if n, ok := ParseCount(strings.ReplaceAll(text, ".", "")); ok != (err == nil) || ok && n != count {
			t.Errorf("%q is %d, %t; want %d, %v", text, n, ok, count, err)
		}
	})
}

func TestParseDecimal(t *testing.T) {
	for text, want := range map[string]float64{
		"0": 0, "007": 7, "12.50": 12.5, ".5": 0.5, "5.": 5, "1e3": 1000, "1E+3": 1000, "2.5e-3": 0.0025, "1e-400": 0,
	} {
		if x, ok := ParseDecimal(text); !ok || x != want {
			t.Errorf("%q is %g, %t", text, x, ok)
		}
	}
	for _, text := range strings.Split("|.|-1|+1|-0|1_0|0x10|0x1p9|0b1|Inf|inf|NaN|1e|1e+|e5|1e5e5|1e+-5|1e--5|1.2.3| 1|1 |1,5|1e400|1e1.5|٣|½|1e_5", "|") {
		if x, ok := ParseDecimal(text); ok {
			t.Errorf("%q is %g", text, x)
		}
	}
}

func TestParseCount(t *testing.T) {
	for _, text := range []string{"0", "42", "007", "9223372036854775807"} {
		if n, ok := ParseCount(text); !ok || strconv.FormatInt(n, 10) != strings.TrimLeft(text, "0") && text != "0" {
			t.Errorf("%q is %d, %t", text, n, ok)
		}
	}
	for _, text := range []string{"", "-1", "+1", "1_0", "0x1", "1.0", "1e3", " 1", "9223372036854775808"} {
		if n, ok := ParseCount(text); ok {
			t.Errorf("%q is %d", text, n)
		}
	}
}
