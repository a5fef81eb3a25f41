package planner

import (
	"context"
	"testing"

	"kneepoint/experiments/search"
)

// A fleet that is overloaded, or far from busy, is judged by a few runs.
func TestClearCasesTakeFewRuns(t *testing.T) {
	const most = 5
	for rate, meets := range map[float64]bool{2: true, 20: false} {
		c := servers(rate, 0.1, "a")
		c[0].Unit.Traffic.Arrival.Process = "poisson"
		ask := search.Ask{Target: 0.9, Length: search.FirstRequests, Allowed: mostRequests}
		j, err := search.Judge(context.Background(), c[0].of(1), ask, search.Options{})
		if err != nil || j.Meets(0.9) != meets || j.Runs > most {
			t.Errorf("%v requests a second: %+v, %v", rate, j, err)
		}
	}
}
