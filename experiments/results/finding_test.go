package results

import (
	"encoding/json"
	"strings"
	"testing"

	"kneepoint/sim/metrics"
)

func TestFindingJSON(t *testing.T) {
	for f, want := range map[Finding]string{Unknown: "null", Yes: "true", No: "false"} {
		t.Run(want, func(t *testing.T) {
			text, err := json.Marshal(f)
			if err != nil || string(text) != want {
				t.Errorf("%s, %v", text, err)
			}
			back := Yes
			if err := json.Unmarshal(text, &back); err != nil || back != f {
				t.Errorf("read back as %v, %v", back, err)
			}
		})
	}
}

// TestSaturatedPoint: a point is saturated, or not, by more than half of its runs, those
// that are too short to tell included.
func TestSaturatedPoint(t *testing.T) {
	yes, no, unknown := metrics.Values{"saturated": 1}, metrics.Values{"saturated": 0}, metrics.Values{}
	for _, c := range []struct {
		runs []metrics.Values
		want Finding
	}{
		{[]metrics.Values{yes, yes, no}, Yes},
		{[]metrics.Values{yes, yes, unknown}, Yes},
		{[]metrics.Values{no, no, yes}, No},
		{[]metrics.Values{no, unknown, unknown}, Unknown},
		{[]metrics.Values{yes, no}, Unknown},
		{[]metrics.Values{unknown}, Unknown},
	} {
		g := group{}
		for _, values := range c.runs {
			g.runs = append(g.runs, &Run{Outcome: Outcome{Metrics: values}})
		}
		if got := g.most(metrics.Saturated); got != c.want {
			t.Errorf("%v: %v, want %v", c.runs, got, c.want)
		}
	}
}

// TestSaturatedByDesign: where the rate changes by design, long runs that are not saturated at their
// end are not.
func TestSaturatedByDesign(t *testing.T) {
	run := func(saturated string, requests float64) *Run {
		r := &Run{Outcome: Outcome{Metrics: metrics.Values{metrics.CompletedRequests: requests}}}
		if saturated != "" {
			r.Metrics[metrics.Saturated] = float64(strings.Index("ny", saturated))
		}
		return r
	}
	for _, c := range []struct {
		runs []*Run
		want Finding
	}{
		{[]*Run{run("", 500), run("", 100)}, No},
		{[]*Run{run("", 500), run("", 99)}, Unknown},
		{[]*Run{run("y", 500), run("y", 500), run("", 500)}, Yes},
		{[]*Run{run("y", 500), run("n", 500), run("", 500)}, No},
		{[]*Run{run("y", 500), run("", 500)}, Unknown},
		{nil, Unknown},
	} {
		p := &Plan{Points: []PlannedPoint{{}}, Facts: Facts{Traffic: Traffic{Profile: "hourly"}}}
		if got := p.saturated(&group{runs: c.runs}); got != c.want {
			t.Errorf("%d runs: %v, want %v", len(c.runs), got, c.want)
		}
	}
}

// TestOfferedApart: the table shows what was offered where it is 5 % or more from what
// was asked for, by the swept rate or that of the file.
func TestOfferedApart(t *testing.T) {
	for _, c := range []struct {
		name    string
		swept   bool
		rate    float64 // of the file
		traffic Traffic
		offered float64
		want    bool
	}{
		{"as asked for", true, 0, Traffic{}, 10.4, false},
		{"more", true, 0, Traffic{}, 10.5, true},
		{"less", true, 0, Traffic{}, 9.5, true},
		{"of the file", false, 10, Traffic{}, 11, true},
		{"no rate", false, 0, Traffic{}, 11, false},
		{"conversations", true, 0, Traffic{Conversations: true}, 30, false},
		{"classes with their own", true, 0, Traffic{OwnArrivals: true}, 30, false},
	} {
		res := &Results{Plan: Plan{Facts: Facts{Traffic: c.traffic}}}
		res.Facts.Traffic.Rate = c.rate
		point := Point{Metrics: map[string]metrics.Estimate{metrics.OfferedRate: {Mean: c.offered}}}
		if c.swept {
			res.Sweep = []Axis{{Path: ratePath, Values: []Value{ValueOf(10)}}}
			point.Value = ValueOf(10)
			res.Points = []PlannedPoint{{Values: []Value{ValueOf(10)}}}
		}
		res.Series = []Series{{Points: []Point{point}}}
		if got := res.OfferedApart(); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}
