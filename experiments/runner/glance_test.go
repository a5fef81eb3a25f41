package runner

import (
	"slices"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/experiments/scenario"
	"kneepoint/sim/metrics"
	"kneepoint/workloads"
)

// TestGlance: a glance at a run sees the requests that the whole run has, and whether it is saturated; nothing else is
// told of it, and nothing kept.
func TestGlance(t *testing.T) {
	open, crowded, closed, served := small(0), small(0), small(0), small(0)
	open.Traffic.NumRequests, crowded.Traffic.NumRequests, closed.Traffic.NumRequests = 2000, 2000, 2000
	crowded.Traffic.Arrival = &workloads.ArrivalSpec{Process: "poisson", Rate: 1000}
	closed.Traffic.Arrival = &workloads.ArrivalSpec{Process: "closed", Concurrency: 20}
	served.Objectives.All.TTFT = 0.03
	all := []scenario.Scenario{open, crowded, closed, served}
	whole, outcomes := recordsOf(t, all, Options{})
	store := &counting{}
	bare, glances := recordsOf(t, all, Options{Glance: true, Store: store})
	for i := range all {
		want, _, _ := whole[i].Attained(all[i].Objectives.All, false)
		got, _, _ := bare[i].Attained(all[i].Objectives.All, false)
		if len(want) == 0 || !slices.Equal(want, got) {
			t.Errorf("scenario %d: another share of requests met the objective", i)
		}
		for key, value := range glances[i].Metrics {
			if full := outcomes[i].Metrics[key]; key != metrics.Saturated || value != full {
				t.Errorf("scenario %d: %s = %v, want saturation alone, as in the whole run, %v", i, key, value, full)
			}
		}
		if glances[i].Why != nil || glances[i].Steady != nil {
			t.Errorf("scenario %d: more is told than was asked for", i)
		}
	}
	if outcomes[1].Metrics[metrics.Saturated] != 1 || glances[1].Metrics[metrics.Saturated] != 1 {
		t.Error("a thousand requests a second are not told to be too many")
	}
	if store.puts > 0 {
		t.Errorf("%d glances were kept", store.puts)
	}
}

func recordsOf(t *testing.T, all []scenario.Scenario, o Options) (records []*metrics.Record, outcomes []results.Outcome) {
	t.Helper()
	o.Records = func(_ int, outcome results.Outcome, rec *metrics.Record) error {
		records, outcomes = append(records, rec), append(outcomes, outcome)
		return nil
	}
	if err := Run(t.Context(), sequence(all...), o); err != nil {
		t.Fatal(err)
	}
	return records, outcomes
}
