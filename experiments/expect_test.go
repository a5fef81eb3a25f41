package experiments

import (
	"testing"

	"kneepoint/experiments/results"
)

func TestPlacesAreChecked(t *testing.T) {
	rates, tps := newAxis("workload.arrival.rate", []any{int64(1), int64(2)}), newAxis("hardware.tp", []any{int64(1), int64(2)})
	for _, c := range []struct {
		name  string
		axes  []results.Axis
		place PlaceSpec
		ok    bool
	}{
		{"nothing where nothing is swept", nil, PlaceSpec{}, true},
		{"the one point is the lowest", nil, PlaceSpec{Word: results.Lowest}, true},
		{"one point has no knee", nil, PlaceSpec{Word: results.AtKnee}, false},
		{"a value where nothing is swept", nil, PlaceSpec{Value: results.ValueOf(1)}, false},
		{"a swept value", []results.Axis{rates}, PlaceSpec{Value: results.ValueOf(2.0)}, true},
		{"another value", []results.Axis{rates}, PlaceSpec{Value: results.ValueOf(3.0)}, false},
		{"nothing", []results.Axis{rates}, PlaceSpec{}, false},
		{"a knee of a load", []results.Axis{rates}, PlaceSpec{Word: results.AtKnee}, true},
		{"a knee of what is no load", []results.Axis{tps}, PlaceSpec{Word: results.AtKnee}, false},
		{"one value of two", []results.Axis{rates, tps}, PlaceSpec{Value: results.ValueOf(1)}, false},
		{"a word for two", []results.Axis{rates, tps}, PlaceSpec{Word: results.Lowest}, false},
		{"both values", []results.Axis{rates, tps}, PlaceSpec{Values: results.Setting{"workload.arrival.rate": results.ValueOf(1), "hardware.tp": results.ValueOf(2)}}, true},
		{"a value too many", []results.Axis{rates}, PlaceSpec{Values: results.Setting{"workload.arrival.rate": results.ValueOf(1), "hardware.tp": results.ValueOf(2)}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &Experiment{Axes: c.axes}
			if err := e.checkPlace(&c.place); (err == nil) != c.ok {
				t.Error(err)
			}
		})
	}
}
