package results

import "testing"

// axisOf is the axis of a variable, without a label.
func axisOf(path string, values ...any) Axis {
	axis := Axis{Path: path}
	for _, v := range values {
		axis.Values = append(axis.Values, ValueOf(v))
	}
	return axis
}

func TestGeometric(t *testing.T) {
	tests := []struct {
		values []any
		want   bool
	}{
		{[]any{int64(1), int64(2), int64(4), 8.0, 16.0, 32.0}, true},
		{[]any{1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0}, true},
		{[]any{100.0, 10.0, 1.0}, true},       // order does not matter
		{[]any{1.0, 2.0, 4.0, 8.0}, false},    // too narrow
		{[]any{1.0, 11.0, 21.0, 31.0}, false}, // even differences
		{[]any{0.0, 1.0, 10.0, 100.0}, false},
		{[]any{1.0, 100.0}, true},
		{[]any{7.0}, false},
		{[]any{"a100", "h100"}, false},
	}
	for _, tt := range tests {
		axis := axisOf("x", tt.values...)
		if got := axis.Geometric(); got != tt.want {
			t.Errorf("Geometric(%v) = %t", tt.values, got)
		}
	}
}
