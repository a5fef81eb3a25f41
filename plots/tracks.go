package plots

import (
	"slices"

	"kneepoint/experiments/results"
)

// track is what one panel shows over the time.
type track struct {
	title  string
	format format
	lines  []trackLine
	tells  func(*results.Timeline) bool // the track is shown where it tells something of some run; nil: of any
}

// trackLine is one of its lines. Where values are not a number there is none; a run that has
// nothing like it has no values.
type trackLine struct {
	name string // "" where the panel says it
	look int
	of   func(*results.Timeline) []float64
}

// attainedTitle is that of a track that is shown where all values are 0, too.
const attainedTitle = "SLO met by those that arrive"

var tracks = []track{
	{"Requests", exact, []trackLine{
		{"batch", 0, func(t *results.Timeline) []float64 { return t.Running }},
		{"queue", 1, func(t *results.Timeline) []float64 { return t.Waiting }},
		{"front end", 2, func(t *results.Timeline) []float64 { return t.FrontEnd }},
		{"router", 10, func(t *results.Timeline) []float64 { return t.Router }},
		{"KV transfer", 9, func(t *results.Timeline) []float64 { return t.KVTransfer }},
	}, nil},
	{"Replicas", exact, []trackLine{
		{"serving", 0, func(t *results.Timeline) []float64 { return t.Replicas }},
		{"starting or asleep", 4, func(t *results.Timeline) []float64 { return t.Starting }},
	}, func(t *results.Timeline) bool { return t.Starting != nil || uneven(t.Replicas) }},
	{attainedTitle, percent, []trackLine{{"", 2, attained}}, misses},
	{"KV cache in use", percent, []trackLine{{"", 3, func(t *results.Timeline) []float64 { return t.KVUtilization }}}, nil},
	{"Preemptions per second", exact, []trackLine{{"", 1, func(t *results.Timeline) []float64 { return ratesOf(t, t.Preemptions) }}}, nil},
	{"Prompt tokens per second", exact, []trackLine{{"", 2, func(t *results.Timeline) []float64 { return t.PromptThroughput }}}, nil},
	{"Output tokens per second", exact, []trackLine{{"", 0, func(t *results.Timeline) []float64 { return t.OutputThroughput }}}, nil},
}

// poolTracks are what is shown pool by pool, where there are several.
var poolTracks = []struct {
	title  string
	format format
	of     func(*results.ReplicaLists) []float64
	tells  func(*results.Timeline) bool
}{
	{"Requests in the batch, by pool", exact, func(l *results.ReplicaLists) []float64 { return l.Running }, nil},
	{"Requests in the queue, by pool", exact, func(l *results.ReplicaLists) []float64 { return l.Waiting }, nil},
	{"KV cache in use, by pool", percent, func(l *results.ReplicaLists) []float64 { return l.KVUtilization }, nil},
	{"Replicas that serve, by pool", exact, func(l *results.ReplicaLists) []float64 { return l.Replicas }, poolsVary},
}

// firstPoolLook is the look of the first pool, which no line of all replicas has beside it.
const firstPoolLook = 5

// tracksByPool are those of poolTracks, with a line for each name of a pool.
func tracksByPool(runs []timelineRun) []track {
	var names []string
	for _, r := range runs {
		for _, p := range r.Pools {
			if !slices.Contains(names, p.Name) {
				names = append(names, p.Name)
			}
		}
	}
	var all []track
	for _, by := range poolTracks {
		t := track{title: by.title, format: by.format, tells: by.tells}
		for i, name := range names {
			t.lines = append(t.lines, trackLine{name, firstPoolLook + i, func(t *results.Timeline) []float64 {
				for k := range t.Pools {
					if t.Pools[k].Name == name {
						return by.of(&t.Pools[k].ReplicaLists)
					}
				}
				return nil
			}})
		}
		all = append(all, t)
	}
	return all
}

// attained is the share of the requests that arrive in a bucket and meet the objective; no number
// where nobody arrives.
func attained(t *results.Timeline) []float64 {
	shares := make([]float64, len(t.Met))
	for i := range shares {
		shares[i] = t.Met[i] / t.Arrivals[i]
	}
	return shares
}

// ratesOf divides numbers of events in buckets by their length.
func ratesOf(t *results.Timeline, counts []float64) []float64 {
	rates := make([]float64, len(counts))
	for i, n := range counts {
		rates[i] = n / t.Bucket
	}
	return rates
}

// timesOf are the middles of the buckets, in seconds.
func timesOf(t *results.Timeline) []float64 {
	times := make([]float64, len(t.Running))
	for i := range times {
		times[i] = t.From + (float64(i)+0.5)*t.Bucket
	}
	return times
}

// largestOf is the largest of the values that are numbers; 0 without any.
func largestOf(values []float64) float64 {
	most := 0.0
	for _, v := range values {
		if v > most {
			most = v
		}
	}
	return most
}

// tellsOf tells whether the track is shown where these runs are beside each other.
func (t *track) tellsOf(runs []timelineRun) bool {
	return t.tells == nil || slices.ContainsFunc(runs, func(r timelineRun) bool { return t.tells(&r.Timeline) })
}

// uneven tells whether some value differs from another one.
func uneven(values []float64) bool {
	return len(values) > 0 && slices.Min(values) != slices.Max(values)
}

// poolsVary tells whether the number of replicas of some pool does.
func poolsVary(t *results.Timeline) bool {
	return slices.ContainsFunc(t.Pools, func(p results.TimelinePool) bool { return uneven(p.Replicas) })
}

// misses tells whether some request missed the objective.
func misses(t *results.Timeline) bool { return t.Met != nil && !slices.Equal(t.Met, t.Arrivals) }

// most is the greatest value of any run.
func (t *track) most(runs []timelineRun) float64 {
	most := 0.0
	for _, r := range runs {
		for _, l := range t.lines {
			most = max(most, largestOf(l.of(&r.Timeline)))
		}
	}
	return most
}
