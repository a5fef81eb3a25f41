package experiments

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// lawFile has outputs of several lengths.
var lawFile = strings.NewReplacer("type = \"fixed\"\nmean = 1\n", "type = \"uniform\"\nmin = 1\nmax = 9\n").Replace(queueFile)

// TestDrawn: where a figure asks for them, results have the requests of the first replication
// as its run had them, and nothing else changes.
func TestDrawn(t *testing.T) {
	e := experiment(t, lawFile)
	e.Spec.Plots = []PlotSpec{{Kind: results.PlotTraffic, At: PlaceSpec{Value: results.ValueOf(0.7)}, File: "traffic"}}
	res := ran(t, e, Options{})
	if len(res.Drawn) != 1 || len(res.Drawn[0].Classes) != 1 {
		t.Fatalf("%+v", res.Drawn)
	}
	d := res.Drawn[0]
	c, run := d.Classes[0], res.Runs[e.Spec.Replications]
	if c.Requests != 200 || c.Input[0] != 1e5 || c.Input[100] != 1e5 || c.Output[0] != 1 || c.Output[100] != 9 {
		t.Errorf("%+v", c)
	}
	sum, span := 0.0, float64(len(d.Arrivals))*d.Bucket
	for _, n := range d.Arrivals {
		sum += n
	}
	if rate := run.Metrics.Get(metrics.OfferedRate); sum != 200 || math.Abs(199/span/rate-1) > 1e-9 {
		t.Errorf("%v arrivals within %v s, and a rate of %v", sum, span, rate)
	}
	if mean, output := meanOf(c.Output), run.Metrics.Get(metrics.OutputTokens)/200; math.Abs(mean/output-1) > 0.03 {
		t.Errorf("%v output tokens on average, and the run has %v", mean, output)
	}
}

// TestDrawnOfAllTraffic: clients that wait have lengths and no arrivals, and classes are told
// apart unless they are many.
func TestDrawnOfAllTraffic(t *testing.T) {
	classes := func(n int) string {
		text := "["
		for i := range n {
			if i == 0 {
				text += fmt.Sprintf("{name=\"c0\", share=%v}, ", 1/float64(n))
				continue
			}
			text += fmt.Sprintf("{name=\"c%d\", share=%v, output={type=\"fixed\", mean=%d}}, ", i, 1/float64(n), 100*(i+1))
		}
		return "workload.client=" + strings.TrimSuffix(text, ", ") + "]"
	}
	for name, tt := range map[string]struct {
		set      []string
		names    []string
		arrivals bool
	}{
		"poisson":       {nil, []string{""}, true},
		"two classes":   {[]string{classes(2)}, []string{"c0", "c1"}, true},
		"many classes":  {[]string{classes(results.MostDrawnClasses + 1)}, []string{""}, true},
		"closed loop":   {[]string{`workload.arrival={process="closed", concurrency=4}`, "sweep={}"}, []string{""}, false},
		"at once":       {[]string{`workload.arrival={process="at_once"}`, "sweep={}"}, []string{""}, false},
		"conversations": {[]string{`workload.session={turns=3, think_time="1s"}`, `workload.input.mean=100`, "sweep={}"}, []string{""}, false},
	} {
		t.Run(name, func(t *testing.T) {
			e := experiment(t, lawFile, tt.set...)
			e.Spec.Plots = []PlotSpec{{Kind: results.PlotTraffic, At: PlaceSpec{Word: results.Highest}, File: "traffic"}}
			if len(e.Axes) == 0 {
				e.Spec.Plots[0].At = PlaceSpec{}
			}
			res := ran(t, e, Options{})
			if len(res.Drawn) != 1 {
				t.Fatalf("%d drawn", len(res.Drawn))
			}
			var names []string
			requests := 0
			for _, c := range res.Drawn[0].Classes {
				names, requests = append(names, c.Name), requests+c.Requests
			}
			if !slices.Equal(names, tt.names) || requests != 200 || (res.Drawn[0].Arrivals != nil) != tt.arrivals {
				t.Errorf("%q, %d requests, arrivals %v", names, requests, res.Drawn[0].Arrivals)
			}
		})
	}
}
