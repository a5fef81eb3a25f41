package metrics

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/units"
)

// TestStreamAgreesWithRecord: a streamed run has the same metrics, percentiles
// of latencies within the histogram's resolution.
func TestStreamAgreesWithRecord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slo := Objective{TTFT: 2, TPOT: 0.5}
		classes := rapid.SampledFrom([][]Objective{nil, {{TTFT: 1}, {}, {E2EL: 4}}}).Draw(t, "classes")
		exact, stream := &Record{Pools: onePool, Classes: classes}, &Record{Pools: onePool, Classes: classes, Stream: NewStream(slo, classes...)}
		n := rapid.IntRange(0, 50).Draw(t, "requests")
		for id := range n {
			r := drawRequest(t, id)
			for _, rec := range []*Record{exact, stream} {
				rec.Open(id, Request{Class: r.Class, Arrival: r.Arrival, ClientQueue: r.ClientQueue, Input: r.Input, Output: r.Output, InWindow: r.InWindow})
				*rec.Of(id) = r
				if r.State != Unfinished {
					rec.Close(id)
				}
			}
		}
		if exact.Unfinished() != stream.Unfinished() {
			t.Errorf("unfinished requests: %t, streamed %t", exact.Unfinished(), stream.Unfinished())
		}
		agree(t, SummarizeWindow(exact, slo), SummarizeWindow(stream, slo))
		agree(t, Summarize(exact, slo, []Deployment{{}}), Summarize(stream, slo, []Deployment{{}}))
		streamed := SummarizeClasses(stream, nil)
		for class, v := range SummarizeClasses(exact, nil) {
			agree(t, v, streamed[class])
		}
	})
}

func drawRequest(t *rapid.T, id int) Request {
	gap := func(name string) units.Seconds { return units.Seconds(rapid.Float64Range(1e-3, 3).Draw(t, name)) }
	r := Request{
		Arrival:     units.Seconds(id),
		ClientQueue: gap("client queue"),
		Input:       int32(rapid.IntRange(1, 100).Draw(t, "input")),
		Generated:   int32(rapid.IntRange(1, 5).Draw(t, "output")),
		State:       rapid.SampledFrom([]State{Completed, Completed, Completed, Rejected, QueueFull, TimedOut, Lost, Unfinished}).Draw(t, "state"),
		Class:       int16(rapid.IntRange(0, 2).Draw(t, "class")),
		InWindow:    rapid.Bool().Draw(t, "in window"),
	}
	r.First = r.Arrival + gap("first")
	r.Last = r.First
	if r.Generated > 1 {
		r.Last += gap("rest")
	}
	return r
}

// quantile matches the keys of percentiles.
var quantile = regexp.MustCompile(`^(median|p[0-9.]+)_|_at_attainment_ms$`)

// agree compares metrics. A percentile that is interpolated between neighbours
// may come out as either of them in a histogram.
func agree(t *rapid.T, exact, streamed Values) {
	for _, d := range Definitions {
		a, b := exact.Get(d.Key), streamed.Get(d.Key)
		interpolated, tolerance := quantile.MatchString(d.Key), 1e-9*math.Max(1, math.Abs(a))
		if latency, ok := strings.CutPrefix(d.Key, "std_"); ok { // from a sum of squares
			tolerance = 1e-6 * math.Max(1, exact.Get("mean_"+latency))
		}
		if math.IsNaN(a) != math.IsNaN(b) || !interpolated && math.Abs(a-b) > tolerance {
			t.Errorf("%s: %v, streamed %v", d.Key, a, b)
		}
	}
}
