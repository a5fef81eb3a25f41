package results

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// Timeline is what happens in a window of one run, the first replication at a point, over
// all replicas: lists with a value for each of equal buckets. Like the knees that were
// searched it comes from a simulation of its own, which changes no other result.
type Timeline struct {
	Strategy string  `json:"strategy"`
	Point    Setting `json:"point"`
	From     float64 `json:"from"`   // where the first bucket begins, in seconds after the first arrival
	Bucket   float64 `json:"bucket"` // seconds of each

	// Mean numbers of requests in each place, and the share of the KV blocks in use.
	FrontEnd      []float64 `json:"front_end"`
	Waiting       []float64 `json:"waiting"`
	Running       []float64 `json:"running"`
	KVUtilization []float64 `json:"kv_utilization"`

	Arrivals    []float64 `json:"arrivals"`    // numbers
	Preemptions []float64 `json:"preemptions"` // numbers

	// Tokens per second, spread evenly over the steps that compute or generate them.
	PromptThroughput []float64 `json:"prompt_throughput"`
	OutputThroughput []float64 `json:"output_throughput"`
}

// timelineBuckets is how many buckets a timeline has: as many as a figure has room for.
const timelineBuckets = 200

// timelineRequests and timelineStays are how many requests arrive in a window, and how many
// mean end-to-end latencies it lasts, at least.
const (
	timelineRequests = 200
	timelineStays    = 3
)

// window is the part of a run, with its metrics, that a timeline shows, in seconds after the
// first arrival: around the middle of the arrivals, long enough for timelineRequests and
// timelineStays. It is false where nothing completed.
func (r *Run) window() (from, to float64, ok bool) {
	arrivals := float64(r.sent()-1) / r.Metrics.Get(metrics.OfferedRate) // seconds over which they come
	if math.IsNaN(arrivals) {
		arrivals = 0 // all come at once
	}
	stay, duration := r.Metrics.Get(metrics.MeanE2EL)/1e3, r.Metrics.Get(metrics.Duration)
	half := max(arrivals*timelineRequests/float64(r.sent()), timelineStays*stay) / 2
	from, to = max(0, arrivals/2-half), min(duration, arrivals/2+half)
	return from, to, to > from
}

// NewTimeline is the timeline to record in a run like this one, for Watched; nil where there
// is nothing to see.
func (r *Run) NewTimeline() *metrics.Timeline {
	from, to, ok := r.window()
	if !ok {
		return nil
	}
	return metrics.NewTimeline(units.Seconds(from), units.Seconds(to), timelineBuckets)
}

// Watched is the timeline that was recorded in a run like this one, of replicas whose KV
// blocks have room for a number of tokens. Values have six digits.
func (r *Run) Watched(t *metrics.Timeline, kvTokens float64) Timeline {
	width := float64(t.Width)
	list := func(of func(*metrics.Bucket) float64) []float64 {
		values := make([]float64, len(t.Buckets))
		for i := range values {
			values[i] = sixDigits(of(&t.Buckets[i]))
		}
		return values
	}
	return Timeline{
		Strategy: r.Strategy, Point: r.Point, From: float64(t.From), Bucket: width,
		FrontEnd:         list(func(b *metrics.Bucket) float64 { return b.FrontEnd / width }),
		Waiting:          list(func(b *metrics.Bucket) float64 { return b.Waiting / width }),
		Running:          list(func(b *metrics.Bucket) float64 { return b.Running / width }),
		KVUtilization:    list(func(b *metrics.Bucket) float64 { return b.KVTokens / width / kvTokens }),
		Arrivals:         list(func(b *metrics.Bucket) float64 { return b.Arrivals }),
		Preemptions:      list(func(b *metrics.Bucket) float64 { return b.Preemptions }),
		PromptThroughput: list(func(b *metrics.Bucket) float64 { return b.PromptTokens / width }),
		OutputThroughput: list(func(b *metrics.Bucket) float64 { return b.OutputTokens / width }),
	}
}

// sixDigits rounds to as many digits as anybody sees.
func sixDigits(x float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	return rounded
}

// ToWatch are the indices of the runs of which figures of the plan ask for a timeline: for
// each of those figures and each strategy the first replication at the figure's place on the
// strategy's first curve that the figure shows. The results must be complete.
func (r *Results) ToWatch() []int {
	var all []int
	for i := range r.Plots {
		if r.Plots[i].Kind == PlotTimeline {
			all = append(all, r.toWatch(&r.Plots[i])...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// toWatch are the runs of one figure.
func (r *Results) toWatch(figure *PlotSpec) []int {
	var all []int
	for _, strategy := range r.Strategies {
		for i := range r.Series {
			s := &r.Series[i]
			if s.Strategy != strategy {
				continue
			}
			point := r.PointAt(s, figure.At)
			if point == nil || !figure.shows(strategy, r.SettingOf(s, point)) {
				continue
			}
			all = append(all, (point.group.point*len(r.Strategies)+slices.Index(r.Strategies, strategy))*r.Replications)
			break
		}
	}
	return all
}

// shows tells whether the filter of the figure leaves a strategy at a setting in.
func (s *PlotSpec) shows(strategy string, at Setting) bool {
	for path, values := range s.Filter {
		v := at[path]
		if path == ByStrategy {
			v = ValueOf(strategy)
		}
		if !slices.ContainsFunc(values, v.Same) {
			return false
		}
	}
	return true
}

// checkTimelines refuses timelines that were edited: of no time, or with lists of different
// lengths.
func (p *Plan) checkTimelines() error {
	for i := range p.Timelines {
		t := &p.Timelines[i]
		whole := t.Bucket > 0 && len(t.FrontEnd) > 0
		for _, list := range [][]float64{t.Waiting, t.Running, t.KVUtilization, t.Arrivals, t.Preemptions,
			t.PromptThroughput, t.OutputThroughput} {
			whole = whole && len(list) == len(t.FrontEnd)
		}
		if !whole {
			return &badinput.Error{Key: fmt.Sprintf("timelines[%d]", i), Problem: "is no whole timeline"}
		}
	}
	return nil
}
