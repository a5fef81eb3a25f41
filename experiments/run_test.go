package experiments

import (
	"context"
	"strings"
	"testing"

	"kneepoint/hardware"
	"kneepoint/sim/metrics"
)

const small = `
title = "small"
replications = 2
[hardware]
cost_model = "synthetic"
kv_tokens = 10000
[hardware.synthetic]
step_fixed = "10ms"
[workload]
num_requests = 20
[workload.arrival]
process = "poisson"
rate = 5
[workload.input]
type = "fixed"
mean = 10
[workload.output]
type = "fixed"
mean = 5
[[strategy]]
name = "a"
[[strategy]]
name = "b"
max_num_seqs = 1
[sweep]
"workload.arrival.rate" = [1, 2]
`

func experiment(t *testing.T, text string) *Experiment {
	t.Helper()
	f, err := Parse("small.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	e, err := f.Check()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// crashing panics in the middle of a run.
type crashing struct {
	hardware.Plain
	steps int
}

// Step implements hardware.CostModel.
func (c *crashing) Step(*hardware.Work) hardware.Cost {
	if c.steps++; c.steps > 10 {
		panic("the cost model broke")
	}
	return hardware.Cost{Time: 1}
}

// TestCrashSparesTheOthers: a run that panics is named, and the others' results
// and requests are kept, in order.
func TestCrashSparesTheOthers(t *testing.T) {
	e := experiment(t, small)
	broken := 3
	e.jobs[broken].build = func(*Spec) (*replica, error) {
		r, err := buildReplica(&e.jobs[broken].spec)
		r.cost = &crashing{}
		return r, err
	}
	var logged []string
	res, err := e.Run(context.Background(), Options{Workers: 2, Requests: func(run *Run, rec *metrics.Record) error {
		logged = append(logged, run.Strategy)
		return nil
	}})
	if err == nil || !strings.Contains(err.Error(), e.jobs[broken].describe()) || !strings.Contains(err.Error(), "the cost model broke") {
		t.Errorf("the error does not name the run: %v", err)
	}
	if !res.Incomplete || len(res.Runs) != len(e.jobs)-1 {
		t.Errorf("%d of %d runs are kept, incomplete: %t", len(res.Runs), len(e.jobs), res.Incomplete)
	}
	if len(logged) != len(res.Runs) {
		t.Errorf("the requests of %d runs are kept, want %d", len(logged), len(res.Runs))
	}
}

// TestLongRunsFirst: jobs are handed out by the number of their requests.
func TestLongRunsFirst(t *testing.T) {
	e := experiment(t, strings.Replace(small, `"workload.arrival.rate" = [1, 2]`, `"workload.num_requests" = [5, 50, 20]`, 1))
	next := make(chan int, len(e.jobs))
	e.feed(context.Background(), next)
	before := 50
	for i := range next {
		if n := e.jobs[i].size(); n > before {
			t.Errorf("a run of %d requests comes after one of %d", n, before)
		} else {
			before = n
		}
	}
}

// TestResolvedExperimentReadsBack: what results.json shows as the experiment is
// an experiment, and the same one.
func TestResolvedExperimentReadsBack(t *testing.T) {
	for _, name := range Names() {
		f, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		e, err := f.Check()
		if err != nil {
			t.Fatal(err)
		}
		res := e.results(make([]*Run, len(e.jobs)))
		back := FromTree(name, ".", tables(res.Experiment))
		back.axes = f.axes
		again, err := back.Check()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(again.jobs) != len(e.jobs) {
			t.Errorf("%s: %d runs, read back %d", name, len(e.jobs), len(again.jobs))
		}
	}
}

// tables gives the strategies the type that a TOML parser gives them.
func tables(tree map[string]any) map[string]any {
	tree = copyTree(tree).(map[string]any)
	list := tree["strategy"].([]any)
	typed := make([]map[string]any, len(list))
	for i := range list {
		typed[i] = list[i].(map[string]any)
	}
	tree["strategy"] = typed
	return tree
}

// TestSweepRefuses: what cannot be swept, and values that no result could tell
// apart.
func TestSweepRefuses(t *testing.T) {
	for sweep, want := range map[string]string{
		`"replications" = [2, 1]`:                    "cannot be swept",
		`"seed" = [2, 1]`:                            "cannot be swept",
		`"strategy.a.name" = ["x", "y"]`:             "cannot be swept",
		`"workload.arrival.rate" = [1, 2, 1]`:        "stands twice",
		`"workload.arrival" = [{ process = "inf" }]`: "a table or list",
	} {
		f, err := Parse("small.toml", strings.Replace(small, `"workload.arrival.rate" = [1, 2]`, sweep, 1))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", sweep, err, want)
		}
	}
}

// TestKneeOfSweptObjective: each curve has the knee of its own objective.
func TestKneeOfSweptObjective(t *testing.T) {
	e := experiment(t, strings.Replace(small, `"workload.arrival.rate" = [1, 2]`, `"workload.arrival.rate" = [10, 20, 40, 80]
"slo.attainment" = [0.1, 0.9]
[slo]
ttft_ms = 50`, 1))
	res, err := e.Run(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	knees := map[any]float64{}
	for _, s := range res.Series {
		if s.Strategy == "b" {
			knees[s.Fixed["slo.attainment"]] = s.Knee.Value
		}
	}
	if !(knees[0.1] > knees[0.9]) {
		t.Errorf("knees %v: the laxer objective should allow more load", knees)
	}
}
