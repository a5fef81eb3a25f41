package experiments

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"testing"

	"kneepoint/experiments/results"
)

// queueFile is a server of one request at a time whose service takes 1 s in the mean; as it
// stands M/D/1, of which one request in ten may take more than 5 s to begin.
const queueFile = `
title = "queue"
[hardware]
cost_model = "synthetic"
kv_tokens = 10000000
engine = "ideal"
[hardware.synthetic]
per_prefill_token = "10us"
[workload]
num_requests = 200
[workload.arrival]
process = "poisson"
rate = 1
[workload.input]
type = "fixed"
mean = 100000
[workload.output]
type = "fixed"
mean = 1
[slo]
ttft_ms = 6000
[[strategy]]
name = "a"
max_num_seqs = 1
max_num_batched_tokens = 10000000
[sweep]
"workload.arrival.rate" = [0.4, 0.7, 1.0]
`

// searched runs an experiment with a search.
func searched(t *testing.T, text string, workers int, set ...string) *results.Results {
	t.Helper()
	e := experiment(t, text, set...)
	res, err := e.Run(context.Background(), Options{Search: true, Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestSearchedKnees: simulated queues have the knees of queueing theory, whatever the
// length of the swept runs: within their 99 % intervals, 1.4 times as wide as the 95 % that are told, of which one in twenty misses.
func TestSearchedKnees(t *testing.T) {
	for name, c := range map[string]struct {
		set  []string
		knee float64
	}{
		"M/D/1":                       {nil, 0.799601}, // P(W > 5) = .1
		"M/D/1 of short runs":         {[]string{"workload.num_requests=20"}, 0.799601},
		"M/D/1, one in a hundred":     {[]string{"slo.ttft_ms=11000", "slo.attainment=0.99"}, 0.793657},               // P(W > 10) = .01
		"M/M/1":                       {[]string{`workload.input.type="exponential"`, "slo.ttft_ms=10000"}, 0.769741}, // P(T > 10) = .1
		"M/M/1 far from its capacity": {[]string{`workload.input.type="exponential"`, "slo.ttft_ms=5000"}, 1 - math.Log(10)/5},
	} {
		t.Run(name, func(t *testing.T) {
			k := searched(t, queueFile, 0, c.set...).Series[0].Knee
			low, high := k.Value-1.4*(k.Value-*k.Low), k.Value+1.4*(*k.High-k.Value)
			if k.Kind != results.KneeSearched || k.Basis != results.SteadyState || !(low <= c.knee && c.knee <= high) || *k.High / *k.Low > 1.1 {
				t.Errorf("%s knee of the %s, %v from %v to %v, want %v", k.Kind, k.Basis, k.Value, *k.Low, *k.High, c.knee)
			}
		})
	}
}

// TestWhatIsAtTheKnee: of M/M/1 at P(T > 10) = .1 the mean of T is 10/ln 10, however far apart the swept loads are.
func TestWhatIsAtTheKnee(t *testing.T) {
	for _, swept := range []string{"[0.4, 0.7, 1.0]", "[0.1, 3.0]"} {
		res := searched(t, queueFile, 0, `workload.input.type="exponential"`, "slo.ttft_ms=10000", `sweep={"workload.arrival.rate"=`+swept+"}")
		s := &res.Series[0]
		if got, want := res.MetricAtKnee(s, "mean_ttft_ms"), 10000/math.Log(10); math.Abs(got/want-1) > 0.1 {
			t.Errorf("swept %s: the mean TTFT at the knee is %.0f ms, want %.0f", swept, got, want)
		}
		if got := res.MetricAtKnee(s, "output_throughput"); math.Abs(got/s.Knee.Value-1) > 0.05 {
			t.Errorf("swept %s: %.3f of %.3f req/s are served at the knee", swept, got, s.Knee.Value)
		}
	}
}

// TestSearchDoesNotDependOnWorkers, and what it found is written with the results.
func TestSearchDoesNotDependOnWorkers(t *testing.T) {
	var texts [2]bytes.Buffer
	for i, workers := range []int{1, 5} {
		if err := searched(t, queueFile, workers).WriteJSON(&texts[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(texts[0].Bytes(), texts[1].Bytes()) {
		t.Error("one worker and five find different knees")
	}
	if !bytes.Contains(texts[0].Bytes(), []byte(`"kind": "searched"`)) {
		t.Error("nothing was searched")
	}
}

// TestHorizonHasNoSteadyState: runs of a stated duration are searched as they are.
func TestHorizonHasNoSteadyState(t *testing.T) {
	res := searched(t, queueFile, 0, `workload.duration="100s"`, "workload.num_requests=1000000")
	if k := res.Series[0].Knee; k.Kind != results.KneeSearched || k.Basis != results.Horizon || k.Value < 0.81 || k.WarmUp != 0 {
		t.Errorf("%s knee of the %s at %v, want one over the horizon, higher than the steady state's .7996", k.Kind, k.Basis, k.Value)
	}
}

// TestSearchIsOfOneAxis: where other variables go with the load there is nothing between
// two points.
func TestSearchIsOfOneAxis(t *testing.T) {
	res := searched(t, queueFile, 0, `sweep={"workload.arrival.rate"=[0.4,3.0],"workload.output.mean"=[1,2],mode="zip"}`)
	if k := res.Series[0].Knee; k.Kind != results.KneeInterpolated || *k.Low != 0.4 || *k.High != 3 {
		t.Errorf("knee %+v of zipped variables, want one between swept points", k)
	}
	res = searched(t, queueFile+"\"slo.ttft_ms\" = [3000, 6000]\n", 0)
	short, long := res.Series[0].Knee, res.Series[1].Knee
	if !(*short.Low <= 0.586976 && 0.586976 <= *short.High) || !(*long.Low <= 0.799601 && 0.799601 <= *long.High) {
		t.Errorf("knees %v and %v of two objectives, want .587 and .800", short.Value, long.Value)
	}
}

// TestZipOfOneAxis is a sweep as any other, between whose points a search simulates; and where no
// load is swept there is no knee to search.
func TestZipOfOneAxis(t *testing.T) {
	res := searched(t, queueFile, 0, `sweep={"workload.arrival.rate"=[0.4,0.7,1.0],mode="zip"}`)
	if k := res.Series[0].Knee; k.Kind != results.KneeSearched {
		t.Errorf("a %s knee of one zipped variable", k.Kind)
	}
	res = searched(t, queueFile, 0, `sweep={"workload.output.mean"=[1,2]}`)
	if k := res.Series[0].Knee; k != nil {
		t.Errorf("a %s knee over output lengths", k.Kind)
	}
}

// TestSearchForgetsTheSweptLength: in the steady state a search starts with runs of its own
// length, so that of two sweeps which bound the knee alike it finds the same.
func TestSearchForgetsTheSweptLength(t *testing.T) {
	knee := func(set ...string) string {
		k := searched(t, queueFile, 0, set...).Series[0].Knee
		return fmt.Sprintf("%v from %v to %v", k.Value, *k.Low, *k.High)
	}
	if short, long := knee(), knee("workload.num_requests=300"); short != long {
		t.Errorf("a knee at %s, and at %s after longer runs", short, long)
	}
}

// TestSearchEndsWithTheSweep: nothing is simulated beyond the swept loads, where the knee may be.
func TestSearchEndsWithTheSweep(t *testing.T) {
	for sweep, want := range map[string][2]float64{"[0.2,0.4]": {0.4, 0.4}, "[1.2,1.5]": {1.2, 1.2}} {
		k := searched(t, queueFile, 0, `sweep={"workload.arrival.rate"=`+sweep+"}").Series[0].Knee
		if k.Kind == results.KneeSearched || k.Value != want[0] {
			t.Errorf("%s knee at %v of loads %s", k.Kind, k.Value, sweep)
		}
	}
}

// TestSearchTellsItsProgress: it names the curve, and counts its runs.
func TestSearchTellsItsProgress(t *testing.T) {
	e := experiment(t, queueFile)
	var last Searching
	searching := func(s Searching) {
		if last = s; s.Curve != "a" || s.Number != 1 || s.Curves != 1 {
			t.Errorf("it tells of %+v", s)
		}
	}
	if _, err := e.Run(t.Context(), Options{Search: true, Workers: 1, Searching: searching}); err != nil {
		t.Fatal(err)
	}
	if last.Runs < 2 {
		t.Errorf("the last one is told after %d runs", last.Runs)
	}
}

// TestFailureIsNotSearched: where a run of the sweep fails nobody looks for a knee.
func TestFailureIsNotSearched(t *testing.T) {
	e := experiment(t, queueFile)
	e.cells[0].scenario.Pools[0].Strategy.Scheduler = "none such"
	searching := func(Searching) { t.Error("it is searched") }
	if _, err := e.Run(t.Context(), Options{Search: true, Searching: searching}); err == nil {
		t.Error("no run fails")
	}
}

// TestSearchedScenario: at a swept load the search simulates what the sweep does.
func TestSearchedScenario(t *testing.T) {
	f, err := Load("quickstart")
	if err != nil {
		t.Fatal(err)
	}
	e, err := f.Check()
	if err != nil {
		t.Fatal(err)
	}
	for i := range e.cells {
		c := &e.cells[i]
		load, _ := results.ValueOf(c.point[0]).Number()
		at, err := e.scenarioAt(&results.Series{Strategy: c.strategy}, load, Options{})
		if err != nil || at.Key() != c.scenario.Key() {
			t.Errorf("%s at %v: another scenario than that of the sweep, %v", c.strategy, load, err)
		}
	}
}
