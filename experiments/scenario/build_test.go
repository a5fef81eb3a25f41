package scenario_test

import (
	"math"
	"strings"
	"testing"

	"kneepoint/experiments"
	"kneepoint/experiments/scenario"
	"kneepoint/hardware"
	"kneepoint/sim"
	"kneepoint/sim/metrics"
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

// TestPoolsHavePricesOfTheirOwn: each pool pays for its own accelerators, and all of
// them together for those of all.
func TestPoolsHavePricesOfTheirOwn(t *testing.T) {
	var pools []scenario.Pool
	for _, accelerator := range []string{"h100-sxm", "a100-sxm-80"} {
		f, err := experiments.Load("quickstart")
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Override([]string{"hardware.accelerator=" + accelerator}); err != nil {
			t.Fatal(err)
		}
		e, err := f.Resolve(&scenario.Traces{})
		if err != nil {
			t.Fatal(err)
		}
		pool := e.Scenario(0).Pools[0]
		pool.Name = accelerator
		pools = append(pools, pool)
	}
	built, err := scenario.NewBuilder(&scenario.Traces{}).Build(of(pools...))
	if err != nil {
		t.Fatal(err)
	}
	record, err := sim.Run(t.Context(), built.Config)
	if err != nil {
		t.Fatal(err)
	}
	found, sum := built.Summarize(record), 0.0
	for i, pool := range pools {
		price := pool.Deployment.Roofline.Accelerator.USDPerHour
		want := price * found.Metrics[metrics.Duration] / 3600
		if got := found.Pools[i].Metrics[metrics.Cost]; !(price > 0) || math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s costs %v, want %v", pool.Name, got, want)
		}
		sum += want
	}
	if got := found.Metrics[metrics.Cost]; math.Abs(got-sum) > 1e-9*sum {
		t.Errorf("all cost %v, want %v", got, sum)
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

// TestAssumptionsAreTheDeploymentsOwn: of deployments that differ in nothing but
// what is known of their numbers, each says its own.
func TestAssumptionsAreTheDeploymentsOwn(t *testing.T) {
	b := scenario.NewBuilder(&scenario.Traces{})
	for _, estimated := range [][]string{nil, {"request_fixed"}, nil} {
		pool := replicas("", 1, 0)
		pool.Deployment.Synthetic = nil
		pool.Deployment.Measured = &hardware.Measured{Decode: []hardware.MeasuredDecode{{Base: 0.1}}}
		pool.Deployment.Bare.Engine = hardware.Engine{Name: "own", RequestFixed: 1e-3, Estimated: estimated}
		built, err := b.Build(of(pool))
		if err != nil {
			t.Fatal(err)
		}
		if times := built.Assumptions().Times; len(times) != len(estimated) {
			t.Errorf("estimated are %v, and its times rest on %v", estimated, times)
		}
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
