package planner

import (
	"context"
	"math"
	"reflect"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/experiments/runner"
	"kneepoint/experiments/scenario"
	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// servers are candidates of one unit each that take requests one by one, for a constant time, in the order of constant gaps: n of
// them are enough from rate × time on.
func servers(rate, service float64, names ...string) []Candidate {
	var all []Candidate
	for i, name := range names {
		step := hardware.Synthetic{StepFixed: units.Seconds(service) * units.Seconds(1+0.5*float64(i))}
		pool := scenario.Pool{Replicas: 1,
			Deployment: scenario.Deployment{Synthetic: &step, Bare: &scenario.Bare{KVTokens: 1 << 20, Stages: 1, Accelerators: 1}},
			Strategy: scenario.Strategy{Scheduler: "vllm-v1", MaxNumSeqs: 1, MaxNumBatchedTokens: 1024, Preemption: "recompute", Reserve: "paged",
				BlockSize: 16, Offload: "none", Frontend: scenario.Frontend{Stream: true}}}
		all = append(all, Candidate{Price: 1, Most: math.Inf(1), Option: results.Option{Name: name, Unit: results.Unit{Accelerator: name, Accelerators: 1}},
			Unit: scenario.Scenario{Pools: []scenario.Pool{pool}, Order: "fcfs", Seed: 3,
				Fleet: scenario.Fleet{Router: "least-requests"},
				Traffic: workloads.Spec{TooLong: "reject", Arrival: &workloads.ArrivalSpec{Process: "constant", Rate: workloads.Rate(rate)},
					Input: &workloads.LengthSpec{Type: "fixed", Mean: 1}, Output: &workloads.LengthSpec{Type: "fixed", Mean: 1}},
				Objectives: scenario.Objectives{All: metrics.Objective{TTFT: units.Seconds(3 * service)}}, Measure: scenario.Measure{Drain: true}}})
	}
	return all
}

// slower are factors of which the first multiplies the time of a step of the first candidate, and the second that of others.
func slower(draws [][]float64, ends ...[2]float64) *Uncertain {
	return &Uncertain{Names: []string{"first", "others"}, Draws: draws, Ends: ends,
		Scaled: func(unit scenario.Scenario, values []float64) scenario.Scenario {
			step := *unit.Pools[0].Deployment.Synthetic
			factor := values[0]
			if step.StepFixed > 0.1 {
				factor = values[1]
			}
			step.StepFixed *= units.Seconds(factor)
			unit.Pools = []scenario.Pool{unit.Pools[0]}
			unit.Pools[0].Deployment.Synthetic = &step
			return unit
		}}
}

// In every draw the number of units is that of the formula, the same with any number of workers and from a store; which
// option is the cheapest follows, and the tornado has the factors that reach the best one.
func TestDraws(t *testing.T) {
	const rate, service = 97, 0.1
	draws := [][]float64{{1, 1}, {0.5, 1}, {1.31, 1}, {2, 1}, {1.7, 0.9}}
	var found []*results.Uncertainty
	store := &runner.Memory{}
	for _, workers := range []int{1, 4} {
		f, err := Find(context.Background(), servers(rate, service, "a", "b"), Question{Target: 0.9},
			Options{Workers: workers, Store: store, Uncertain: slower(draws, [2]float64{0.7, 1.4}, [2]float64{0.5, 2})})
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, f.Uncertainty)
	}
	if !reflect.DeepEqual(found[0], found[1]) {
		t.Errorf("with one worker %+v, with four %+v", found[0], found[1])
	}
	u, cheapest := found[0], 0.0
	least := func(factor float64) int { return int(math.Ceil(rate * service * factor)) }
	for i, d := range draws {
		a, b := least(d[0]), least(1.5*d[1])
		if got := u.Options[0].Units[i]; got != a || u.Options[1].Units[i] != b {
			t.Errorf("draw %v: %d and %d units, want %d and %d", d, got, u.Options[1].Units[i], a, b)
		}
		if a <= b {
			cheapest += 1 / float64(len(draws))
		}
	}
	if o := u.Options[0]; math.Abs(o.Cheapest-cheapest) > 1e-9 || o.Enough != 0.4 || o.AsStated != least(1) {
		t.Errorf("%+v, want the cheapest in %v", o, cheapest)
	}
	if len(u.Tornado) != 1 || u.Tornado[0].Factor != "first" || u.Tornado[0].Low.Units != least(0.7) || u.Tornado[0].High.Units != least(1.4) {
		t.Errorf("tornado %+v", u.Tornado)
	}
}

// A draw may take more units than there may be, and an interrupted plan has no draws.
func TestDrawsWithinLimits(t *testing.T) {
	candidates := servers(97, 0.1, "a")
	candidates[0].Most, candidates[0].Bound = 12, "a limit"
	uncertain := slower([][]float64{{1, 1}, {3, 1}}, [2]float64{1, 1}, [2]float64{1, 1})
	f, err := Find(context.Background(), candidates, Question{Target: 0.9}, Options{Uncertain: uncertain})
	if err != nil || f.Uncertainty.Options[0].Units[1] != 0 || f.Uncertainty.Options[0].High != 0 || len(f.Uncertainty.Tornado) != 0 {
		t.Errorf("%+v, %v", f.Uncertainty, err)
	}
	ctx, stop := context.WithCancel(context.Background())
	f, err = Find(ctx, candidates, Question{Target: 0.9}, Options{Uncertain: uncertain, Progress: func(p Progress) {
		if p.Stage == Drawing {
			stop()
		}
	}})
	if err == nil || f.Uncertainty != nil || len(f.Options) != 1 {
		t.Errorf("interrupted: %+v, %v", f, err)
	}
}

// Under a demand that many servers of one request a second are more than enough for, short runs in which nobody waits may seem to fill until
// their end: the draw is looked at in longer ones, and has about the number that the queue takes. Of a few servers
// short runs show that they do not fill.
func TestDrawsThatDoNotSettle(t *testing.T) {
	effort.Whole(t)
	for _, c := range []struct {
		rate         float64
		seed         uint64
		units        int
		chance       bool
		fewest, most int
	}{{8, 1, 22, false, 9, 12}, {40, 3, 100, true, 41, 43}} {
		all := servers(c.rate, 0.01, "a")
		unit := &all[0].Unit
		unit.Seed, unit.Objectives.All.TTFT = c.seed, 2
		unit.Traffic.Arrival.Process = "poisson"
		unit.Traffic.Output = &workloads.LengthSpec{Type: "exponential", Mean: 100}
		p := newPlanner(Question{Target: 0.9}, Options{Uncertain: slower(nil)})
		p.pilots = make([]pilot, 1)
		option := &sized{Candidate: &all[0], option: results.Option{Units: c.units}}
		short, chance, err := p.resizeWithin(t.Context(), brief, option, []float64{1, 1})
		if err != nil || chance != c.chance {
			t.Fatalf("%v a second: in short runs %+v, by chance %t, %v", c.rate, short, chance, err)
		}
		d, err := p.resize(t.Context(), option, []float64{1, 1})
		if err != nil || d.units < c.fewest || d.units > c.most || d.attainment != 1 || (d.requests > short.requests) != chance {
			t.Errorf("%v a second: %+v, %v; in short runs %+v", c.rate, d, err, short)
		}
	}
}
