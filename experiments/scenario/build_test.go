package scenario_test

import (
	"strings"
	"testing"

	"kneepoint/experiments/scenario"
	"kneepoint/sim"
	"kneepoint/units"
	"kneepoint/workloads"
)

// TestPoolsOfDifferentKinds: each pool has its own deployment, and metrics of its
// own besides those of all.
func TestPoolsOfDifferentKinds(t *testing.T) {
	built, err := scenario.NewBuilder(&scenario.Traces{}).Build(of(replicas("fast", 1, 0.01), replicas("slow", 2, 0.1)))
	if err != nil {
		t.Fatal(err)
	}
	record, err := sim.Run(t.Context(), built.Config)
	if err != nil {
		t.Fatal(err)
	}
	found := built.Summarize(record)
	if found.Metrics["completed"] != 50 {
		t.Errorf("%v requests completed, want 50", found.Metrics["completed"])
	}
	if len(found.Pools) != 2 || found.Pools[0].Name != "fast" || found.Pools[1].Name != "slow" {
		t.Fatalf("the pools are %v", found.Pools)
	}
}

// TestEqualDeploymentsShareACostModel: also when the values were made apart.
func TestEqualDeploymentsShareACostModel(t *testing.T) {
	b := scenario.NewBuilder(&scenario.Traces{})
	cost := func(step float64) any {
		t.Helper()
		built, err := b.Build(of(replicas("", 1, units.Seconds(step))))
		if err != nil {
			t.Fatal(err)
		}
		return built.Config.Pools[0].Cost
	}
	first := cost(0.1)
	if cost(0.1) != first {
		t.Error("equal deployments have cost models of their own")
	}
	if cost(0.2) == first {
		t.Error("different deployments share a cost model")
	}
}

// TestUnknownNames: names that are in no table are wrong input, not a panic.
func TestUnknownNames(t *testing.T) {
	for key, change := range map[string]func(*scenario.Scenario){
		"strategy.scheduler":   func(s *scenario.Scenario) { s.Pools[0].Strategy.Scheduler = "none such" },
		"strategy.reserve":     func(s *scenario.Scenario) { s.Pools[0].Strategy.Reserve = "none such" },
		"strategy.kv.eviction": func(s *scenario.Scenario) { s.Pools[0].Strategy.Eviction = "none such" },
		"strategy.order":       func(s *scenario.Scenario) { s.Order = "none such" },
	} {
		t.Run(key, func(t *testing.T) {
			s := of(replicas("", 1, 0.1))
			change(&s)
			_, err := scenario.NewBuilder(&scenario.Traces{}).Build(s)
			if err == nil || !strings.HasPrefix(err.Error(), key+` = "none such"`) {
				t.Errorf("the error is %v, want one about %s", err, key)
			}
		})
	}
}

// TestCheckLooksAtArrivals: a window without requests, and a request that is too
// long, are found in whichever replication they are.
func TestCheckLooksAtArrivals(t *testing.T) {
	b := scenario.NewBuilder(&scenario.Traces{})
	for name, c := range map[string]struct {
		change func(*scenario.Scenario)
		want   string
	}{
		"times":     {func(s *scenario.Scenario) { s.Measure.Warmup.Time = 18 }, "leave no request to measure"},
		"fractions": {func(s *scenario.Scenario) { s.Measure.Warmup.Fraction, s.Measure.Cooldown.Fraction = 0.6, 0.6 }, "leave no request to measure"},
		"lengths":   {func(s *scenario.Scenario) { s.Traffic.TooLong, s.Traffic.Output = "error", longAnswers() }, "exceeds the context"},
	} {
		t.Run(name, func(t *testing.T) {
			s := of(replicas("", 1, 0.1))
			c.change(&s)
			_, first := b.Check(s, 1)
			if name != "fractions" && first != nil {
				t.Fatalf("the first replication is wrong already: %v", first)
			}
			if _, err := b.Check(s, 1000); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want %q", err, c.want)
			}
		})
	}
}

// longAnswers seldom exceed what a replica holds.
func longAnswers() *workloads.LengthSpec {
	return &workloads.LengthSpec{Type: "exponential", Mean: 100}
}
