package main

import (
	"math"
	"testing"

	"kneepoint/units"
)

func TestNumbersForPeople(t *testing.T) {
	for _, tt := range []struct{ name, got, want string }{
		{"millions", parameterCount(559e6), "559M"},
		{"almost a billion", parameterCount(999.9e6), "1B"},
		{"billions", parameterCount(8.03e9), "8.03B"},
		{"trillions", parameterCount(1.026e12), "1.03T"},
		{"gain", signed(12.34), "+12.3"},
		{"loss", signed(-3.21), "−3.21"},
		{"rounding left over", signed(7.5e-11), "0"},
		{"too small to matter", signed(-3e-5), "≈0"},
		{"small but real", signed(0.0012), "+0.0012"},
		{"no interval", plusMinus(math.NaN()), ""},
		{"interval", plusMinus(6.63), " ±6.63"},
		{"narrow interval", plusMinus(1.6e-5), " ±<0.001"},
		{"no spread", plusMinus(2e-12), " ±0"},
		{"share", units.Percent(0.12), "12%"},
		{"almost all", units.Percent(0.9996), "99.9%"},
		{"long time", times(12345).write(12345), "12.3"},
		{"short time beside it", times(12345).write(7.004), "0.007"},
		{"short time", times(7.004).write(7.004), "7.00"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}
