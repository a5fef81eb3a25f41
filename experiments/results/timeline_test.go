package results

import (
	"math"
	"slices"
	"testing"

	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// TestToWatch: each figure has the first replication of each strategy that its filter
// leaves in, at its place, and runs of several figures are there once.
func TestToWatch(t *testing.T) {
	p := twoByThree()
	at := func(place Place) PlotSpec { return PlotSpec{Kind: PlotTimeline, At: place} }
	lowest, highest := at(Place{Word: Lowest}), at(Place{Word: Highest})
	ofB, elsewhere := lowest, lowest
	ofB.Filter = map[string][]Value{ByStrategy: {ValueOf("b")}}
	elsewhere.Filter = map[string][]Value{p.Sweep[0].Path: {ValueOf(2)}}
	run := at(Place{Word: Lowest})
	run.Window = WindowRun
	for name, c := range map[string]struct {
		plots []PlotSpec
		want  []int
	}{
		"none":          {[]PlotSpec{{Kind: PlotCDF, At: Place{Word: Highest}}}, nil},
		"the highest":   {[]PlotSpec{highest}, []int{8, 10}},
		"a value":       {[]PlotSpec{at(Place{Value: ValueOf(2)})}, []int{4, 6}},
		"one strategy":  {[]PlotSpec{ofB}, []int{2}},
		"another value": {[]PlotSpec{elsewhere}, nil},
		"twice":         {[]PlotSpec{highest, at(Place{Value: ValueOf(1e8)})}, []int{8, 10}},
		"two":           {[]PlotSpec{highest, lowest}, []int{0, 2, 8, 10}},
	} {
		p.Plots = c.plots
		res := Aggregate(p, ByKey(outcomesOf(p)))
		var got []int
		for _, w := range res.ToWatch() {
			got = append(got, w.Run)
			if res.Runs[w.Run].Replication != 0 || w.Window != "" {
				t.Errorf("%s: %q of run %d, which is replication %d", name, w.Window, w.Run, res.Runs[w.Run].Replication)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: runs %v, want %v", name, got, c.want)
		}
	}
	p.Plots = []PlotSpec{lowest, run, run}
	res := Aggregate(p, ByKey(outcomesOf(p)))
	if got, want := res.ToWatch(), []Watch{{0, ""}, {0, WindowRun}, {2, ""}, {2, WindowRun}}; !slices.Equal(got, want) {
		t.Errorf("a window and the whole of runs: %v, want %v", got, want)
	}
}

// TestWindowOfTimeline: 200 requests around the middle of the arrivals, or three stays of a
// request, and no more than there is.
func TestWindowOfTimeline(t *testing.T) {
	for name, c := range map[string]struct {
		completed, rate, stay, duration float64 // stay in ms
		from, to                        float64
	}{
		"by arrivals":    {1001, 10, 500, 101, 50 - 9.99, 50 + 9.99},
		"by stays":       {1001, 10, 20e3, 130, 20, 80},
		"all of it":      {101, 10, 500, 10.4, 0, 10.4},
		"all at once":    {500, math.NaN(), 1000, 3, 0, 1.5},
		"one request":    {1, math.NaN(), 1000, 1, 0, 1},
		"nothing served": {0, 10, math.NaN(), math.NaN(), math.NaN(), math.NaN()},
	} {
		r := Run{Outcome: Outcome{Metrics: metrics.Values{metrics.CompletedRequests: c.completed}}}
		r.Metrics.Set(metrics.OfferedRate, c.rate)
		r.Metrics.Set(metrics.MeanE2EL, c.stay)
		r.Metrics.Set(metrics.Duration, c.duration)
		timeline := r.NewTimeline("")
		if timeline == nil {
			if !math.IsNaN(c.from) {
				t.Errorf("%s: there is no window", name)
			}
			continue
		}
		if whole := r.NewTimeline(WindowRun); whole.From != 0 || math.Abs(float64(whole.Width*timelineBuckets)-c.duration) > 1e-9 {
			t.Errorf("%s: the whole run is %v, from %v on", name, whole.Width*timelineBuckets, whole.From)
		}
		from, to := float64(timeline.From), float64(timeline.From+timeline.Width*timelineBuckets)
		if math.Abs(from-c.from) > 0.1 || math.Abs(to-c.to) > 0.1 {
			t.Errorf("%s: the window is from %v to %v, want %v to %v", name, from, to, c.from, c.to)
		}
	}
}

// TestWatched: means over the time of a bucket, tokens per second, and what changes or is there.
func TestWatched(t *testing.T) {
	r := Run{Strategy: "a", Outcome: Outcome{Metrics: metrics.Values{}}}
	timeline := metrics.NewTimeline(10, 14, 2)
	timeline.Fleet[1] = metrics.Bucket{Arrivals: 3, Met: 2}
	timeline.Pool(0)[1] = metrics.Bucket{FrontEnd: 1, Waiting: 2, Running: 6, KVTokens: 150, KVRoom: 600, Preemptions: 1,
		PromptTokens: 400, OutputTokens: 2e8 / 3}
	got := r.Watched(timeline, "")
	want := []float64{0.5, 1, 3, 0.25, 3, 1, 200, 33333300}
	for i, list := range [][]float64{got.FrontEnd, got.Waiting, got.Running, got.KVUtilization, got.Arrivals, got.Preemptions,
		got.PromptThroughput, got.OutputThroughput} {
		if !slices.Equal(list, []float64{0, want[i]}) {
			t.Errorf("list %d is %v, want 0 and %v", i, list, want[i])
		}
	}
	if got.From != 10 || got.Bucket != 2 || units.Seconds(got.Bucket) != timeline.Width {
		t.Errorf("the buckets are of %v s, from %v s on", got.Bucket, got.From)
	}
	if got.Met != nil || got.Router != nil || got.Starting != nil || got.Pools != nil {
		t.Errorf("there is what is not: %+v", got)
	}
	r.Metrics[metrics.Attainment] = 0.9
	timeline.Fleet[0].AtRouter = 8
	timeline.Pool(1)[1] = metrics.Bucket{KVTokens: 150, KVRoom: 200, Serving: 4, Starting: 1}
	timeline.Pools[1].Name = "decode"
	got = r.Watched(timeline, WindowRun)
	for name, c := range map[string]struct{ got, want []float64 }{
		"met": {got.Met, []float64{0, 2}}, "router": {got.Router, []float64{4, 0}}, "replicas": {got.Replicas, []float64{0, 2}},
		"starting": {got.Starting, []float64{0, 0.5}}, "KV": {got.KVUtilization, []float64{0, 0.375}},
		"KV of a pool": {got.Pools[1].KVUtilization, []float64{0, 0.75}}, "replicas of the other": {got.Pools[0].Replicas, []float64{0, 0}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	if got.Window != WindowRun || got.Pools[1].Name != "decode" {
		t.Errorf("%+v", got)
	}
}
