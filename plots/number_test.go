package plots

import (
	"testing"

	"kneepoint/experiments/results"
)

func TestNumbersForPeople(t *testing.T) {
	tests := []struct {
		name string
		f    format
		v    float64
		want string
	}{
		{"approximate", approximate, 11.79, "11.8"},
		{"approximate", approximate, 5.02, "5"},
		{"approximate", approximate, 0.347, "0.35"},
		{"approximate", approximate, 1234, "1,230"},
		{"exact", exact, 1234567, "1,234,567"},
		{"exact", exact, 0.125, "0.125"},
		{"exact", exact, -1500, "-1,500"},
		{"latency", latency, 0.05, "50 µs"},
		{"latency", latency, 500, "500 ms"},
		{"latency", latency, 999.9, "1 s"},
		{"latency", latency, 20000, "20 s"},
		{"latency", latency, 0, "0"},
		{"percent", percent, 0.9, "90 %"},
		{"times", times, 2.83, "2.8×"},
		{"times", times, 12.4, "12×"},
	}
	for _, tt := range tests {
		if got := tt.f(tt.v); got != tt.want {
			t.Errorf("%s(%g) = %q, want %q", tt.name, tt.v, got, tt.want)
		}
	}
}

// What is counted is named in the plural, but for one of it.
func TestQuantities(t *testing.T) {
	clients := sweep{variable: results.Axis{Label: "concurrent clients"}}
	rate := sweep{variable: results.Axis{Label: "request rate", Unit: "req/s"}}
	for got, want := range map[string]string{
		clients.quantity("1"): "1 concurrent client",
		clients.quantity("8"): "8 concurrent clients",
		rate.quantity("1"):    "1 req/s",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
