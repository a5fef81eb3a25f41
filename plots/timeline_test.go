package plots

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
)

// watched gives every series a timeline of a number of buckets at the highest rate.
func watched(res *results.Results, buckets int, preemptions float64) *results.Results {
	for _, s := range res.Series {
		t := results.Timeline{Strategy: s.Strategy, Point: results.Setting{}, From: 3, Bucket: 0.5}
		for _, axis := range res.Sweep {
			t.Point[axis.Path] = axis.Values[len(axis.Values)-1]
		}
		for i := range buckets {
			wave := 1 + math.Sin(float64(i)/9)
			t.Running, t.Waiting, t.FrontEnd = append(t.Running, 100*wave), append(t.Waiting, 20*wave), append(t.FrontEnd, wave)
			t.KVUtilization, t.Arrivals, t.Preemptions = append(t.KVUtilization, wave/2), append(t.Arrivals, 3), append(t.Preemptions, preemptions)

			t.PromptThroughput, t.OutputThroughput = append(t.PromptThroughput, 1e4*wave), append(t.OutputThroughput, 2e3*wave)
		}
		res.Timelines = append(res.Timelines, t)
	}
	if len(res.Points) == 0 {
		for _, v := range res.Sweep[0].Values {
			res.Points = append(res.Points, results.PlannedPoint{Values: []results.Value{v}})
		}
	}
	return res
}

func TestTimeline(t *testing.T) {
	spec := results.PlotSpec{Kind: results.PlotTimeline, At: results.Place{Word: results.Highest}, File: "timeline"}
	f := specFigure(t, watched(madeUp(rates, chatSLO, static, continuous), 200, 2), spec)
	if f.Title != "A window of a run at 32 req/s" || slices.Contains(f.Notes, "3 seeds") ||
		!slices.Contains(f.Notes, "one run of each, its first replication: means over buckets of 500 ms") {
		t.Errorf("%q, %q", f.Title, f.Notes)
	}
	image := svg(t, f)
	for words, want := range map[string]bool{"static": true, "continuous": true, "batch": true, "queue": true, "front end": false, "Requests": true, "KV cache in use": true,
		"Preemptions per second": true, "Prompt tokens per second": true, "Output tokens per second": true, "Time after the first arrival (s)": true} {
		if got := bytes.Contains(image, []byte(">"+words+"</text>")); got != want {
			t.Errorf("%q is shown: %t", words, got)
		}
	}
	body := f.body.(*timelinePlot)
	if got := tracks[4].lines[0].of(&body.runs[0].Timeline)[0]; got != 4 {
		t.Errorf("2 preemptions in half a second are %v a second", got)
	}
	lines := strings.Split(string(f.Data.CSV()), "\n")
	if len(lines) != 402 || !strings.HasPrefix(lines[1], "static,,3.25,1,20,100,0.5,2,10000,2000,,,3,,,") {
		t.Errorf("%d rows, %q", len(lines), lines[1])
	}

	// Curves without a window are named.
	res := watched(madeUp(rates, chatSLO, static, continuous), 200, 2)
	res.Timelines = res.Timelines[1:]
	if f := specFigure(t, res, spec); !slices.Contains(f.Notes, "not shown: static") {
		t.Errorf("%q", f.Notes)
	}

	// What nothing happens in has no panel, and what is elsewhere no figure.
	quiet := watched(madeUp(rates, chatSLO, static), 200, 0)
	if image := svg(t, specFigure(t, quiet, spec)); bytes.Contains(image, []byte("Preemptions")) {
		t.Error("no preemptions are drawn")
	}
	spec.At = results.Place{Word: results.Lowest}
	if _, ok := draw(quiet, spec); ok {
		t.Error("a window of another place is drawn")
	}
}

// fleets gives timelines what those of fleets have: pools, replicas that come, a queue at the router
// and requests that miss the objective. Those of the first curve have one pool.
func fleets(res *results.Results) *results.Results {
	for i := range res.Timelines {
		t := &res.Timelines[i]
		t.Window, t.Met, t.Router = results.WindowRun, slices.Clone(t.Arrivals), slices.Clone(t.Waiting)
		t.Replicas, t.Starting = make([]float64, len(t.Arrivals)), make([]float64, len(t.Arrivals))
		for k := range t.Replicas {
			t.Replicas[k] = float64(2 + k/50)
			t.Starting[k] = float64(k % 50 / 40)
			t.Met[k] *= 1 - float64(k%50)/100
		}
		t.Arrivals[len(t.Arrivals)/2], t.Met[len(t.Arrivals)/2] = 0, 0
		for _, name := range []string{"prefill", "decode"}[:2*min(i, 1)] {
			lists := t.ReplicaLists
			lists.Running = slices.Clone(t.Running)
			slices.Reverse(lists.Running)
			t.Pools = append(t.Pools, results.TimelinePool{Name: name, ReplicaLists: lists})
		}
	}
	return res
}

// TestTimelineOfFleets: what changes has a panel, and pools have lines; a strategy without pools
// leaves those out.
func TestTimelineOfFleets(t *testing.T) {
	spec := results.PlotSpec{Kind: results.PlotTimeline, At: results.Place{Word: results.Highest}, Window: results.WindowRun, File: "timeline"}
	f := specFigure(t, fleets(watched(madeUp(rates, chatSLO, static, continuous), 200, 0)), spec)
	image := svg(t, f)
	for _, words := range []string{"Replicas", "serving", "starting or asleep", "router", "SLO met by those that arrive", "Requests in the batch, by pool",
		"KV cache in use, by pool", "Replicas that serve, by pool", "prefill", "decode"} {
		if n := bytes.Count(image, []byte(">"+words+"</text>")); n == 0 {
			t.Errorf("%q is not shown", words)
		}
	}
	if f.Title != "A run at 32 req/s" {
		t.Error(f.Title)
	}
	if lines := strings.Split(string(f.Data.CSV()), "\n"); len(lines) != 2+2*200+2*200 || !strings.HasPrefix(lines[601], "continuous,decode,") {
		t.Errorf("%d rows, %q", len(lines), lines[601])
	}
	beside := fleets(watched(madeUp(rates, chatSLO, static, continuous), 200, 0))
	beside.Timelines[0].Replicas, beside.Timelines[0].Starting = slices.Repeat([]float64{3}, 200), nil
	if body := specFigure(t, beside, spec).body.(*timelinePlot); !slices.ContainsFunc(body.tracks, func(t track) bool {
		return t.title == "Replicas" && t.lines[0].of(&body.runs[0].Timeline)[0] == 3
	}) {
		t.Error("a fleet that does not change is not shown beside one that does")
	}
	beside.Timelines = beside.Timelines[:1]
	if image := svg(t, specFigure(t, beside, spec)); bytes.Contains(image, []byte(">Replicas</text>")) {
		t.Error("a number of replicas that does not change is shown")
	}
	perfect := fleets(watched(madeUp(rates, chatSLO, static, continuous), 200, 0))
	copy(perfect.Timelines[0].Met, perfect.Timelines[0].Arrivals)
	body := specFigure(t, perfect, spec).body.(*timelinePlot)
	if i := slices.IndexFunc(body.tracks, func(t track) bool { return t.title == attainedTitle }); i < 0 ||
		body.tracks[i].lines[0].of(&body.runs[0].Timeline)[0] != 1 {
		t.Error("a run in which all meet the objective is not shown beside one in which some miss it")
	}
	perfect.Timelines = perfect.Timelines[:1]
	if image := svg(t, specFigure(t, perfect, spec)); bytes.Contains(image, []byte(attainedTitle)) {
		t.Error("that all meet the objective has a panel")
	}
	for i := range beside.Timelines {
		beside.Timelines[i].Bucket = 60
	}
	if image := svg(t, specFigure(t, beside, spec)); !bytes.Contains(image, []byte(">Time after the first arrival (h)</text>")) {
		t.Error("200 minutes are not told in hours")
	}
	missed := fleets(watched(madeUp(rates, chatSLO, static), 200, 0))
	clear(missed.Timelines[0].Met)
	if image := svg(t, specFigure(t, missed, spec)); !bytes.Contains(image, []byte(attainedTitle)) {
		t.Error("that nobody meets the objective is not shown")
	}
	if _, ok := draw(fleets(watched(madeUp(rates, chatSLO, static), 200, 0)), results.PlotSpec{Kind: spec.Kind, At: spec.At, File: "timeline"}); ok {
		t.Error("a run is drawn where a window is asked for")
	}
}

// TestTimelinesAreLegible: of one bucket or many, of one run or more than there is room for.
func TestTimelinesAreLegible(t *testing.T) {
	spec := results.PlotSpec{Kind: results.PlotTimeline, At: results.Place{Word: results.Highest}, File: "timeline"}
	for i, servers := range [][]server{{static}, {static, continuous}, eight()} {
		for _, buckets := range []int{1, 200} {
			res := watched(madeUp(rates, chatSLO, servers...), buckets, float64(i))
			if spec.Window = ""; i == 1 {
				res, spec.Window = fleets(res), results.WindowRun
			}
			f := specFigure(t, res, spec)
			for k, size := range chart.Sizes {
				t.Run(fmt.Sprint(len(servers), " ", buckets, " ", size.Name), func(t *testing.T) {
					legible(t, chart.NewStyle(size, chart.Themes[k%2], nil), f)
				})
			}
			if got := len(f.body.(*timelinePlot).runs); got != min(len(servers), mostRuns) {
				t.Errorf("%d runs of %d", got, len(servers))
			}
		}
	}
}
