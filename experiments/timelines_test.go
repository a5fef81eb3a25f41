package experiments

import (
	"bytes"
	"math"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// TestTimelines: where a figure asks for it, results have a window of the first replication
// of every strategy, the same step by step and streamed, and nothing else changes. In
// the window the rates are about those of the run.
func TestTimelines(t *testing.T) {
	e := experiment(t, queueFile)
	plain := ran(t, e, Options{})
	e.Spec.Plots = []PlotSpec{{Kind: results.PlotTimeline, At: PlaceSpec{Value: results.ValueOf(0.7)}, File: "timeline"}}
	res := ran(t, e, Options{})
	if len(res.Timelines) != 1 {
		t.Fatalf("%d timelines", len(res.Timelines))
	}
	found := res.Timelines[0]
	for how, o := range map[string]Options{"reference": {Reference: true}, "streamed": {Streaming: true}} {
		other := ran(t, e, o).Timelines[0]
		for i := range found.Running {
			for _, pair := range [][2]float64{{found.Running[i], other.Running[i]}, {found.PromptThroughput[i], other.PromptThroughput[i]}} {
				if math.Abs(pair[0]-pair[1]) > 1e-5*(1+pair[0]) {
					t.Errorf("%s: %v in bucket %d, want %v", how, pair[1], i, pair[0])
				}
			}
		}
	}
	for key, pair := range map[string][2]float64{ // of M/D/1 at a load of 0.7
		metrics.MeanRunning: {meanOf(found.Running), 0.7}, metrics.TokenThroughput: {meanOf(found.PromptThroughput), 0.7e5},
	} {
		if ratio := pair[0] / pair[1]; ratio < 0.7 || ratio > 1.4 {
			t.Errorf("%s is %v in the window, want about %v", key, pair[0], pair[1])
		}
	}
	res.Timelines, res.Plots = nil, nil
	var with, without bytes.Buffer
	for b, r := range map[*bytes.Buffer]*results.Results{&with: res, &without: plain} {
		r.Experiment = nil
		if err := r.WriteJSON(b); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(with.Bytes(), without.Bytes()) {
		t.Error("a timeline changes other results")
	}
}

// ran is the results of an experiment.
func ran(t *testing.T, e *Experiment, o Options) *results.Results {
	t.Helper()
	res, err := e.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func meanOf(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v / float64(len(values))
	}
	return sum
}

// TestWindowsOfChange: a timeline is of the whole run where the replicas or the rate change, unless the file
// says otherwise.
func TestWindowsOfChange(t *testing.T) {
	for change, want := range map[string]string{
		"workload.num_requests=50":                                                        "",
		`workload.arrival={stages=[{rate=1, duration="9s"}]}`:                             results.WindowRun,
		`fleet={failure=[{at="1s", repair="2s"}], startup={cold_start="1s"}}`:             results.WindowRun,
		`fleet={autoscale={scaler="knative", max_replicas=2}, startup={cold_start="1s"}}`: results.WindowRun,
	} {
		f, err := Parse("queue.toml", queueFile)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Override([]string{"sweep={}", "workload.arrival.rate=0.5", change, `plot=[{kind="timeline"}, {kind="timeline", window="arrivals", size="slide"}]`}); err != nil {
			t.Fatal(err)
		}
		e, err := f.Check()
		if err != nil {
			t.Errorf("%s: %v", change, err)
			continue
		}
		if plots := e.plots(); plots[0].Window != want || plots[1].Window != "" {
			t.Errorf("%s: windows %q and %q, want %q and none", change, plots[0].Window, plots[1].Window, want)
		}
	}
}
