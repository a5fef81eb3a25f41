package scenario_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/runner"
	"kneepoint/experiments/scenario"
	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/hardware/roofline"
	"kneepoint/policies/scaling"
	"kneepoint/sim"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// deployed is a replica of a model of the catalog on one H100.
func deployed(t *testing.T, engine string) scenario.Deployment {
	t.Helper()
	accelerator, err := hardware.LookupAccelerator("h100-sxm")
	if err != nil {
		t.Fatal(err)
	}
	profile, err := hardware.LookupEngine(engine)
	if err != nil {
		t.Fatal(err)
	}
	architecture, err := model.Lookup("llama-3.1-8b")
	if err != nil {
		t.Fatal(err)
	}
	return scenario.Deployment{Roofline: &roofline.Deployment{Accelerator: accelerator, Engine: profile, Architecture: architecture}}
}

// startup is what the engine gets of a pool's startup.
func startup(pool scenario.Pool) (sim.Startup, *scenario.Simulation, error) {
	built, err := scenario.NewBuilder(&scenario.Traces{}).Build(of(pool))
	if err != nil {
		return sim.Startup{}, nil, err
	}
	return built.Config.Pools[0].Startup, built, nil
}

func seconds(s units.Seconds) *units.Seconds { return &s }

// TestStartupTimes: Llama-3.1-8B with vLLM takes 11 + 16.06/3.5 + 9.2 + 17 s to be ready.
func TestStartupTimes(t *testing.T) {
	const ready, weights = 37.2, 16060522496.
	vllm, bare := deployed(t, "vllm-v1"), replicas("", 1, 1).Deployment
	for name, c := range map[string]struct {
		deployment        scenario.Deployment
		u                 scenario.Startup
		cold, first, warm units.Seconds
	}{
		"by the profile":      {vllm, scenario.Startup{}, ready + weights/3.5e9, 2.3, 0.2 + weights/(64e9*0.72)},
		"from another place":  {vllm, scenario.Startup{LoadFrom: hardware.Storage{Bandwidth: 2e9}}, ready + weights/2e9, 2.3, 0.2 + weights/(64e9*0.72)},
		"node and image":      {vllm, scenario.Startup{Provisioning: 180, ImagePull: 300}, 480 + ready + weights/3.5e9, 2.3, 0.2 + weights/(64e9*0.72)},
		"constants":           {vllm, scenario.Startup{ColdStart: seconds(1.08), FirstRequest: seconds(0), WakeUp: seconds(0.88)}, 1.08, 0, 0.88},
		"a constant and more": {vllm, scenario.Startup{ColdStart: seconds(1.08), ImagePull: 10}, 11.08, 2.3, 0.2 + weights/(64e9*0.72)},
		"of no known model":   {bare, scenario.Startup{ColdStart: seconds(30), Provisioning: 60}, 90, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			pool := replicas("", 1, 1)
			pool.Deployment, pool.Startup = c.deployment, &c.u
			got, _, err := startup(pool)
			if err != nil {
				t.Fatal(err)
			}
			if off := max(math.Abs(float64(got.Cold-c.cold)), math.Abs(float64(got.FirstRequest-c.first)), math.Abs(float64(got.Warm-c.warm))); off > 1e-3 {
				t.Errorf("%+v, want cold %v, first %v, warm %v", got, c.cold, c.first, c.warm)
			}
		})
	}
}

func TestStartupSaysWhatIsWrong(t *testing.T) {
	bare := replicas("", 1, 1).Deployment
	for want, c := range map[string]struct {
		deployment scenario.Deployment
		change     func(*scenario.Pool)
	}{
		`fleet.startup.cold_start: missing: nothing is known of how the engine starts`: {bare, func(p *scenario.Pool) { p.Startup = &scenario.Startup{} }},
		`fleet.startup.wake_up: missing: nothing is known of how the engine wakes up`: {deployed(t, "hf-eager"),
			func(p *scenario.Pool) { p.Startup = &scenario.Startup{WarmPool: 1} }},
		`fleet.autoscale.metric = "slo_attainment": there is no [slo] that requests could meet`: {bare, func(p *scenario.Pool) {
			p.Scaling = &scenario.Scaling{Scaler: "hpa", Max: 2, Parameters: scaling.Parameters{Metric: scaling.SLOAttainment, Target: 0.9, Interval: 1}}
		}},
	} {
		t.Run(want, func(t *testing.T) {
			pool := replicas("", 1, 1)
			pool.Deployment = c.deployment
			c.change(&pool)
			_, _, err := startup(pool)
			var bad *badinput.Error
			if !errors.As(err, &bad) || !strings.HasPrefix(bad.Error(), want) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestStartupsVaryAlike: exponential times have the mean that is asked for, and depend on
// seed, replication and order alone.
func TestStartupsVaryAlike(t *testing.T) {
	pool := replicas("", 1, 1)
	pool.Startup = &scenario.Startup{ColdStart: seconds(10), Exponential: true}
	factors := func() []float64 {
		s, _, err := startup(pool)
		if err != nil {
			t.Fatal(err)
		}
		all := make([]float64, 4000)
		for n := range all {
			all[n] = s.Factor(n)
		}
		return all
	}
	first := factors()
	sum := 0.0
	for _, x := range first {
		sum += x
	}
	if mean := sum / float64(len(first)); math.Abs(mean-1) > 0.06 {
		t.Errorf("a mean of %v", mean)
	}
	pool.Startup.ColdStart = seconds(20)
	if !slices.Equal(first, factors()) {
		t.Error("another time has other factors")
	}
}

// TestAssumptionsOfStartups: times of a profile that were not measured are told of, those
// that were given are not.
func TestAssumptionsOfStartups(t *testing.T) {
	const storage = "bandwidth of nvme: class default"
	for _, c := range []struct {
		u    *scenario.Startup
		want bool
	}{{nil, false}, {&scenario.Startup{}, true}, {&scenario.Startup{ColdStart: seconds(5)}, false}, {&scenario.Startup{LoadFrom: hardware.Storage{Bandwidth: 1e9}}, false}} {
		pool := replicas("", 1, 1)
		pool.Deployment, pool.Startup = deployed(t, "vllm-v1"), c.u
		_, built, err := startup(pool)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Contains(built.Assumptions().Times, storage); got != c.want {
			t.Errorf("%+v: told of is %v: %q", c.u, got, built.Assumptions().Times)
		}
	}
}

// TestScaledPoolIsPaidForAsLongAsItIsThere: two pools of one replica, of which one is
// asleep most of the time.
func TestScaledPoolIsPaidForAsLongAsItIsThere(t *testing.T) {
	s := of(replicas("", 1, 0.01))
	s.Traffic.Arrival.Process, s.Traffic.Arrival.Rate = "constant", 0.01
	s.Pools[0].Startup = &scenario.Startup{ColdStart: seconds(5)}
	always := s
	s.Pools = slices.Clone(s.Pools)
	s.Pools[0].Scaling = &scenario.Scaling{Scaler: "fixed", Parameters: scaling.Parameters{IdleTimeout: 15}, Max: 1}
	var got []float64
	for result := range outcomes(t, always, s) {
		got = append(got, result.Outcome.Metrics[metrics.Replicas])
	}
	// Of every 100 s 5 go to the start, hardly any to the answer, 15 to idleness; of the last 0.
	if want := 49 * 20.1 / 4900; got[0] != 1 || math.Abs(got[1]-want) > 0.005 {
		t.Errorf("%v replicas, want 1 and %.3f", got, want)
	}
}

// outcomes runs scenarios.
func outcomes(t *testing.T, all ...scenario.Scenario) func(func(runner.Result) bool) {
	t.Helper()
	return func(yield func(runner.Result) bool) {
		err := runner.Run(t.Context(), slices.Values(all), runner.Options{Builder: scenario.NewBuilder(&scenario.Traces{}), Workers: 1, Done: func(r runner.Result) {
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			yield(r)
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
}
