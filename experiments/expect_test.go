package experiments

import (
	"strings"
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

// Zipped variables go along one curve as long as the first one tells the points apart;
// else it takes a value of the others too.
func TestPlacesOnZippedCurves(t *testing.T) {
	lengths := newAxis("workload.input.mean", []any{int64(512), int64(512), int64(2048), int64(2048)})
	rate := results.Setting{"workload.arrival.rate": results.ValueOf(1)}
	both := results.Setting{"workload.arrival.rate": results.ValueOf(1), "workload.input.mean": results.ValueOf(2048)}
	for _, c := range []struct {
		name  string
		rates []any
		place PlaceSpec
		ok    bool
	}{
		{"different values, one of them", []any{int64(1), int64(2), int64(3), int64(4)}, PlaceSpec{Value: results.ValueOf(1)}, true},
		{"repeated values, one of them", []any{int64(1), int64(2), int64(1), int64(2)}, PlaceSpec{Value: results.ValueOf(1)}, false},
		{"repeated values, one by its path", []any{int64(1), int64(2), int64(1), int64(2)}, PlaceSpec{Values: rate}, false},
		{"repeated values, and the curve", []any{int64(1), int64(2), int64(1), int64(2)}, PlaceSpec{Values: both}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &Experiment{Axes: []results.Axis{newAxis("workload.arrival.rate", c.rates), lengths}}
			e.Spec.Sweep = map[string]any{"mode": "zip"}
			if err := e.checkPlace(&c.place); (err == nil) != c.ok {
				t.Error(err)
			}
		})
	}
}

// An expectation of a strategy at two places is the metric at the first over that at
// the second.
func TestExpectationsOverTwoPoints(t *testing.T) {
	for at, want := range map[string]string{
		"[2, 1]": "",
		`[{ "workload.arrival.rate" = 2 }, { "workload.arrival.rate" = 1 }]`: "",
		`["highest", "lowest"]`: "",
		"1":                     "",
		"[2]":                   "",
		"[1, 1]":                "same point twice",
		"[1, 2, 1]":             "a list of two",
		"[]":                    "empty list",
		"[1, 1.0]":              "same point twice",
		`["lowest", 1]`:         "same point twice",
		`[2, "highest"]`:        "same point twice",
		`["knee", "lowest"]`:    "",
		`["knee", "knee"]`:      "same point twice",
		"[2, 3]":                "no swept value 3",
	} {
		t.Run(at, func(t *testing.T) {
			f, err := Parse("small.toml", small+"\n[[expect]]\nmetric = \"completed\"\nstrategy = \"a\"\nat = "+at+"\nbetween = [0, 2]\n")
			if err != nil {
				t.Fatal(err)
			}
			_, err = f.Check()
			if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		})
	}
}

// A ratio of a strategy to itself needs two points.
func TestRatioToItself(t *testing.T) {
	const itself = "metric over itself"
	for table, want := range map[string]string{
		`ratio = ["a", "a"], at = 1`:                      itself,
		`ratio = ["a", "a"], at = [1, "lowest"]`:          itself,
		`ratio = ["a", "a"], at = "saturation"`:           itself,
		`ratio = ["a", "a"], at = [1, 2]`:                 "",
		`ratio = ["a", "a"], at = ["saturation", "knee"]`: "",
		`strategy = "a", at = ["saturation", 2]`:          "",
	} {
		t.Run(table, func(t *testing.T) {
			f, err := Parse("small.toml", small+"\n")
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Override([]string{"expect=[{metric=\"completed\", between=[0, 2], " + table + "}]"}); err != nil {
				t.Fatal(err)
			}
			_, err = f.Check()
			if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		})
	}
	for _, one := range []string{`sweep={"workload.arrival.rate"=[2]}`, "workload.arrival.rate=2"} {
		f, err := Parse("small.toml", small)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Override([]string{one, `expect=[{metric="completed", between=[0, 2], strategy="a", at=["saturation", "highest"]}]`}); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Check(); err == nil || !strings.Contains(err.Error(), "same point twice") {
			t.Errorf("at the only point of %s: %v", one, err)
		}
	}
}

// TestBounds of an expectation are two numbers, in order.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		between []float64
		allowed bool
	}{{[]float64{1, 2}, true}, {[]float64{2, 2}, true}, {[]float64{-1, 0}, true}, {[]float64{2, 1}, false}, {[]float64{1}, false}, {[]float64{1, 2, 3}, false}} {
		s := ExpectSpec{Strategy: "a", Metric: "mean_tpot_ms", Between: c.between}
		if err := s.Validate(); (err == nil) != c.allowed {
			t.Errorf("between %v is allowed: %t (%v)", c.between, err == nil, err)
		}
	}
}
