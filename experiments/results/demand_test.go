package results

import "testing"

// Fleets are simulated under a whole number of users and clients, and under any rate.
func TestPlannedLoad(t *testing.T) {
	for _, c := range []struct {
		d    Demand
		want float64
	}{
		{Demand{Load: 120, Unit: "users", Factor: 1.2518}, 151},
		{Demand{Load: 100, Unit: "clients", Factor: 1.1}, 110}, // of which the product is a little more
		{Demand{Load: 10, Unit: "req/s", Factor: 1.25}, 12.5},
		{Demand{Load: 10, Unit: "conv/s", Factor: 1.25}, 12.5},
		{Demand{Load: 10, Unit: "req/s", Factor: 1.25, Peak: &Peak{Load: 30}}, 37.5},
	} {
		if got := c.d.Planned(); got != c.want {
			t.Errorf("%+v: %v, want %v", c.d, got, c.want)
		}
	}
}
