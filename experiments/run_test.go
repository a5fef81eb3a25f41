package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/internal/effort"
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

// experiment is the text of a file with assignments, checked.
func experiment(t *testing.T, text string, set ...string) *Experiment {
	t.Helper()
	f, err := Parse("small.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Override(set); err != nil {
		t.Fatal(err)
	}
	e, err := f.Check()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestFailureSparesTheOthers: a run that fails is named, and the others' results and
// requests are kept, in order.
func TestFailureSparesTheOthers(t *testing.T) {
	e := experiment(t, small)
	broken := &e.cells[1].scenario.Pools[0].Strategy
	broken.Scheduler = "none such"
	var logged []string
	res, err := e.Run(context.Background(), Options{Workers: 2, Requests: func(run *results.Run, rec *metrics.Record) error {
		logged = append(logged, fmt.Sprint(run.Strategy, run.Point["workload.arrival.rate"], run.Replication))
		if run.Key == "" {
			t.Errorf("%s has no key", logged[len(logged)-1])
		}
		return nil
	}})
	for _, run := range []int{2, 3} {
		if err == nil || !strings.Contains(err.Error(), e.Describe(run)) || !strings.Contains(err.Error(), "none such") {
			t.Errorf("the error does not name the run: %v", err)
		}
	}
	if !res.Incomplete || len(res.Runs) != e.Runs()-2 {
		t.Errorf("%d of %d runs are kept, incomplete: %t", len(res.Runs), e.Runs(), res.Incomplete)
	}
	if want := []string{"a1 0", "a1 1", "a2 0", "a2 1", "b2 0", "b2 1"}; !slices.Equal(logged, want) {
		t.Errorf("the requests of %v are kept, want %v", logged, want)
	}
}

// TestRunsAreTheirScenarios: whatever the order of simulation, each run is that of
// its point and replication, simulated as the options say.
func TestRunsAreTheirScenarios(t *testing.T) {
	e := experiment(t, strings.Replace(small, `"workload.arrival.rate" = [1, 2]`, `"workload.num_requests" = [5, 50, 20]`, 1))
	keys := map[string]bool{}
	for _, o := range []Options{{}, {Reference: true}, {Streaming: true}} {
		res, err := e.Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, run := range res.Runs {
			if n, _ := run.Point["workload.num_requests"].Number(); run.Metrics[metrics.CompletedRequests] != n {
				t.Errorf("%v requests completed, want %v", run.Metrics[metrics.CompletedRequests], n)
			}
			keys[run.Key] = true
		}
	}
	if len(keys) != 3*e.Runs() {
		t.Errorf("%d different simulations, want %d", len(keys), 3*e.Runs())
	}
}

// TestLongRunsFirst: runs are simulated by the number of their requests, unless
// their records are wanted in order.
func TestLongRunsFirst(t *testing.T) {
	e := experiment(t, strings.Replace(small, `"workload.arrival.rate" = [1, 2]`, `"workload.num_requests" = [5, 50, 20]`, 1))
	requests := func(order []int) (all []int) {
		for s := range e.scenarios(order, Options{}) {
			all = append(all, s.Traffic.NumRequests)
		}
		return all
	}
	if got := requests(e.simulationOrder(false)); !slices.IsSortedFunc(got, func(a, b int) int { return b - a }) {
		t.Errorf("runs of %v requests, want the longest first", got)
	}
	if got := e.simulationOrder(true); !slices.IsSorted(got) {
		t.Errorf("recorded runs are simulated in the order %v", got)
	}
}

// TestRunsAreSpread: of runs of equal length, any part has about the mean load of all, so that
// the time which it took tells that of the rest.
func TestRunsAreSpread(t *testing.T) {
	e := experiment(t, strings.Replace(small, `"workload.arrival.rate" = [1, 2]`, `"workload.arrival.rate" = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]`, 1))
	order := e.simulationOrder(false)
	for part := 10; part <= len(order); part += 5 {
		sum := 0.0
		for _, run := range order[:part] {
			sum += float64(e.Scenario(run).Traffic.Arrival.Rate)
		}
		if mean := sum / float64(part); math.Abs(mean-5.5) > 1 {
			t.Errorf("the first %d of %d runs have a mean rate of %v, all have 5.5", part, len(order), mean)
		}
	}
	slices.Sort(order)
	if len(order) != e.Runs() || len(slices.Compact(order)) != e.Runs() {
		t.Errorf("%d different runs, want %d", len(slices.Compact(order)), e.Runs())
	}
}

// TestResolvedExperimentReadsBack: what results.json shows as the experiment is
// an experiment, and the same one.
func TestResolvedExperimentReadsBack(t *testing.T) {
	effort.Whole(t)
	for _, name := range Names() {
		f, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		e, err := f.Check()
		if err != nil {
			t.Fatal(err)
		}
		back := FromTree(name, ".", tables(e.Plan().Experiment))
		back.axes = f.axes
		again, err := back.Check()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if again.Runs() != e.Runs() {
			t.Errorf("%s: %d runs, read back %d", name, e.Runs(), again.Runs())
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

// TestZipOfRepeatedValues: zipped values may repeat as long as no two points are the
// same; a curve for each value that the first axis' repeats go with.
func TestZipOfRepeatedValues(t *testing.T) {
	zipped := func(rates, lengths string) string {
		return strings.Replace(small, `"workload.arrival.rate" = [1, 2]`,
			fmt.Sprintf("mode = \"zip\"\n\"workload.arrival.rate\" = %s\n\"workload.output.mean\" = %s", rates, lengths), 1)
	}
	res, err := experiment(t, zipped("[1, 2, 1, 3]", "[5, 5, 50, 50]")).Run(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var labels []string
	for i := range res.Series {
		s := &res.Series[i]
		labels = append(labels, s.Label)
		for k, want := range [][]float64{{1, 2}, {1, 3}}[i%2] {
			at := res.SettingOf(s, &s.Points[k])
			rate, _ := s.Points[k].Value.Number()
			length, _ := at["workload.output.mean"].Number()
			if got := s.Points[k].Metrics["total_output_tokens"].Mean; rate != want || got != 20*length {
				t.Errorf("%s: point %d is at rate %v with %v tokens", s.Label, k, rate, got)
			}
		}
	}
	if want := "a, mean output length 5|a, mean output length 50|b, mean output length 5|b, mean output length 50"; strings.Join(labels, "|") != want {
		t.Errorf("curves %v", labels)
	}

	res, err = experiment(t, zipped("[1, 2, 3]", "[5, 5, 50]")).Run(context.Background(), Options{})
	if err != nil || len(res.Series) != 2 || len(res.Series[0].Points) != 3 {
		t.Errorf("%d curves, %v; want one for each strategy", len(res.Series), err)
	}

	f, err := Parse("small.toml", zipped("[1, 2, 1]", "[5, 5, 5]"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = f.Check(); err == nil || !strings.Contains(err.Error(), "point 3 the same as point 1") {
		t.Errorf("the same point twice: %v", err)
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
	knees := map[string]float64{}
	for _, s := range res.Series {
		if s.Strategy == "b" {
			knees[s.Fixed["slo.attainment"].String()] = s.Knee.Value
		}
	}
	if !(knees["0.1"] > knees["0.9"]) {
		t.Errorf("knees %v: the laxer objective should allow more load", knees)
	}
}
