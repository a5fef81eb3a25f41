package results

import (
	"encoding/json"
	"math"
	"testing"
)

// TestValuesReadBack: a whole number stays one, and a number that happens to be
// whole does not become one.
func TestValuesReadBack(t *testing.T) {
	for _, c := range []struct {
		value any
		text  string // of the JSON
		shown string
	}{
		{int64(8), "8", "8"}, {8, "8", "8"}, {8.0, "8.0", "8"}, {0.5, "0.5", "0.5"}, {1e8, "100000000.0", "1e+08"}, {int64(100000000), "100000000", "100000000"},
		{1e22, "1e+22", "1e+22"}, {-2.0, "-2.0", "-2"}, {int64(math.MaxInt64), "9223372036854775807", "9223372036854775807"},
		{"inf", `"inf"`, "inf"}, {"8", `"8"`, "8"}, {true, "true", "true"}, {nil, "null", "<nil>"},
	} {
		t.Run(c.text, func(t *testing.T) {
			v := ValueOf(c.value)
			text, err := json.Marshal(v)
			if err != nil || string(text) != c.text || v.String() != c.shown {
				t.Errorf("%v is written %s and shown %s, want %s and %s: %v", c.value, text, v, c.text, c.shown, err)
			}
			var back Value
			if err := json.Unmarshal(text, &back); err != nil || back != v {
				t.Errorf("%s is read as %#v, want %#v: %v", text, back, v, err)
			}
		})
	}
	if !ValueOf(8).Same(ValueOf(8.0)) || ValueOf(8).Same(ValueOf("8")) {
		t.Error("8 is the same as 8.0 and not as text")
	}
}
