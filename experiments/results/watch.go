package results

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"kneepoint/sim/metrics"
	"kneepoint/units"
)

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
// is nothing to see. With WindowRun it is of the whole run, up to its last completion.
func (r *Run) NewTimeline(window string) *metrics.Timeline {
	from, to, ok := r.window()
	if window == WindowRun {
		from, to = 0, r.Metrics.Get(metrics.Duration)
	}
	if !ok {
		return nil
	}
	return metrics.NewTimeline(units.Seconds(from), units.Seconds(to), timelineBuckets)
}

// Watched is the timeline that was recorded in a run like this one. Values have six digits.
func (r *Run) Watched(t *metrics.Timeline, window string) Timeline {
	whole := t.Whole()
	w := Timeline{Strategy: r.Strategy, Point: r.Point, Window: window, From: float64(t.From), Bucket: float64(t.Width),
		Arrivals: listed(whole, func(b *metrics.Bucket) float64 { return b.Arrivals }), ReplicaLists: replicaLists(t, whole)}
	if _, judged := r.Metrics[metrics.Attainment]; judged {
		w.Met = listed(whole, func(b *metrics.Bucket) float64 { return b.Met })
	}
	w.Router = listedIfAny(whole, func(b *metrics.Bucket) float64 { return b.AtRouter / float64(t.Width) })
	w.KVTransfer = listedIfAny(whole, func(b *metrics.Bucket) float64 { return b.InTransfer / float64(t.Width) })
	if len(t.Pools) > 1 {
		for _, p := range t.Pools {
			w.Pools = append(w.Pools, TimelinePool{p.Name, replicaLists(t, p.Buckets)})
		}
	}
	return w
}

// replicaLists are those of some buckets.
func replicaLists(t *metrics.Timeline, buckets []metrics.Bucket) ReplicaLists {
	width := float64(t.Width)
	return ReplicaLists{
		FrontEnd: listed(buckets, func(b *metrics.Bucket) float64 { return b.FrontEnd / width }),
		Waiting:  listed(buckets, func(b *metrics.Bucket) float64 { return b.Waiting / width }),
		Running:  listed(buckets, func(b *metrics.Bucket) float64 { return b.Running / width }),
		KVUtilization: listed(buckets, func(b *metrics.Bucket) float64 {
			if b.KVRoom == 0 {
				return 0
			}
			return b.KVTokens / b.KVRoom
		}),
		Preemptions:      listed(buckets, func(b *metrics.Bucket) float64 { return b.Preemptions }),
		PromptThroughput: listed(buckets, func(b *metrics.Bucket) float64 { return b.PromptTokens / width }),
		OutputThroughput: listed(buckets, func(b *metrics.Bucket) float64 { return b.OutputTokens / width }),
		Replicas:         listed(buckets, func(b *metrics.Bucket) float64 { return b.Serving / width }),
		Starting:         listedIfAny(buckets, func(b *metrics.Bucket) float64 { return b.Starting / width }),
	}
}

// listedIfAny is a value of each bucket; nil where all are 0.
func listedIfAny(buckets []metrics.Bucket, of func(*metrics.Bucket) float64) []float64 {
	if values := listed(buckets, of); slices.Max(values) > 0 {
		return values
	}
	return nil
}

// listed is a value of each bucket.
func listed(buckets []metrics.Bucket, of func(*metrics.Bucket) float64) []float64 {
	values := make([]float64, len(buckets))
	for i := range values {
		values[i] = sixDigits(of(&buckets[i]))
	}
	return values
}

// sixDigits rounds to as many digits as anybody sees.
func sixDigits(x float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	return rounded
}

// Watch is a run of which a timeline is asked for, by its index, and of which part of it.
type Watch struct {
	Run    int
	Window string
}

// ToWatch are the runs of which figures of the plan ask for a timeline: for each of those
// figures and each strategy the first replication at the figure's place on the strategy's
// first curve that the figure shows. The results must be complete.
func (r *Results) ToWatch() []Watch {
	var all []Watch
	for i := range r.Plots {
		if figure := &r.Plots[i]; figure.Kind == PlotTimeline {
			for _, run := range r.toWatch(figure) {
				all = append(all, Watch{run, figure.Window})
			}
		}
	}
	slices.SortFunc(all, func(a, b Watch) int { return cmp.Or(cmp.Compare(a.Run, b.Run), cmp.Compare(a.Window, b.Window)) })
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
