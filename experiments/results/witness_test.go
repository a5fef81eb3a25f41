package results

import (
	"fmt"
	"testing"

	"kneepoint/sim/metrics"
)

// TestWitnesses: a curve is looked up a second time on the witnesses of all strategies that it is of, and not where one
// has none.
func TestWitnesses(t *testing.T) {
	rates := axisOf("workload.arrival.rate", 1.0, 2.0)
	plan := &Plan{Sweep: []Axis{rates}, Strategies: []string{"a", "b", "c", "a2", "b2"}, Paper: &Paper{Witness: map[string]string{"a": "a2", "b": "b2"}}}
	flat := []float64{1, 1}
	all := []Series{line("a", []float64{10, 20}, flat), line("b", []float64{5, 4}, flat), line("c", []float64{1, 1}, flat),
		line("a2", []float64{12, 30}, flat), line("b2", []float64{6, 5}, flat)}
	at2 := Setting{rates.Path: ValueOf(2.0)}
	for name, c := range map[string]struct {
		curve PublishedCurve
		xs    []any
		want  string // both values of each point
	}{
		"a strategy":         {PublishedCurve{Strategy: "a", X: rates.Path}, []any{1, 2}, "10/12 20/30 "},
		"beyond":             {PublishedCurve{Strategy: "a", X: rates.Path}, []any{2, 3}, "20/30 -/- "},
		"has none":           {PublishedCurve{Strategy: "c", X: rates.Path}, []any{1}, ""},
		"over another":       {PublishedCurve{Strategy: "a", Over: "b", X: rates.Path}, []any{2}, "5/6 "},
		"over one with none": {PublishedCurve{Strategy: "a", Over: "c", X: rates.Path}, []any{2}, ""},
		"by strategies":      {PublishedCurve{X: ByStrategy, Where: at2}, []any{"b", "a"}, "4/5 20/30 "},
		"one of them none":   {PublishedCurve{X: ByStrategy, Where: at2}, []any{"b", "c"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c.curve.Metric = metrics.MeanTTFT
			for _, x := range c.xs {
				c.curve.Points = append(c.curve.Points, PublishedPoint{X: ValueOf(x), Y: 1})
			}
			plan.Published = []PublishedCurve{c.curve}
			r := plan.reproduced(all)[0]
			got := ""
			for i, w := range r.Witnessed {
				got += shown(r.Simulated[i]) + "/" + shown(w) + " "
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	plan.Paper = nil
	if r := plan.reproduced(all)[0]; r.Witnessed != nil {
		t.Errorf("without a paper: %v", r.Witnessed)
	}
}

func shown(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprint(*v)
}

// TestNearness: values in their bands, and the median of what is there over what was published.
func TestNearness(t *testing.T) {
	c := publishedAt("a", []float64{10, 10, 10, 10}, []float64{10.5, 13, 9.5, 30})
	values := func(all ...float64) []*float64 {
		var list []*float64
		for i := range all {
			list = append(list, &all[i])
		}
		return append(list, nil)
	}
	c.Witnessed = values(9, 8, 20)
	plain := publishedAt("b", []float64{1}, []float64{1})
	r := Results{Reproduced: []Reproduced{c, plain}}
	got := r.Witnesses()
	if len(got) != 1 || got[0].Figure != "F" || got[0].Curve != "a" || got[0].Numbers != 4 {
		t.Fatalf("%+v", got)
	}
	w := got[0]
	if w.Simulated.InBand != 2 || *w.Simulated.Ratio != 1.175 || w.Witness.InBand != 1 || *w.Witness.Ratio != 0.9 {
		t.Errorf("in band %d and %d, over published %v and %v", w.Simulated.InBand, w.Witness.InBand, *w.Simulated.Ratio, *w.Witness.Ratio)
	}
	if n := c.nearness([]*float64{nil, nil, nil, nil}); n.InBand != 0 || n.Ratio != nil {
		t.Errorf("without values: %+v", n)
	}
}
