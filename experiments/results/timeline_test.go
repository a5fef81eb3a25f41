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
		if got := res.ToWatch(); !slices.Equal(got, c.want) {
			t.Errorf("%s: runs %v, want %v", name, got, c.want)
		}
		for _, i := range res.ToWatch() {
			if res.Runs[i].Replication != 0 {
				t.Errorf("%s: run %d is replication %d", name, i, res.Runs[i].Replication)
			}
		}
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
		timeline := r.NewTimeline()
		if timeline == nil {
			if !math.IsNaN(c.from) {
				t.Errorf("%s: there is no window", name)
			}
			continue
		}
		from, to := float64(timeline.From), float64(timeline.From+timeline.Width*timelineBuckets)
		if math.Abs(from-c.from) > 0.1 || math.Abs(to-c.to) > 0.1 {
			t.Errorf("%s: the window is from %v to %v, want %v to %v", name, from, to, c.from, c.to)
		}
	}
}

// TestWatched: means over the time of a bucket, and tokens per second.
func TestWatched(t *testing.T) {
	r := Run{Strategy: "a"}
	timeline := metrics.NewTimeline(10, 14, 2)
	timeline.Buckets[1] = metrics.Bucket{FrontEnd: 1, Waiting: 2, Running: 6, KVTokens: 150, Arrivals: 3, Preemptions: 1,
		PromptTokens: 400, OutputTokens: 2e8 / 3}
	got := r.Watched(timeline, 300)
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
}
