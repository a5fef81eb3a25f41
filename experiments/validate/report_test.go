package validate

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// rowsOf are rows of one metric, each measured as 100.
func rowsOf(metric, accelerator string, predicted ...float64) []Row {
	var rows []Row
	for _, x := range predicted {
		rows = append(rows, Row{ID: accelerator, Set: "e2e", Metric: metric, Measured: 100, Predicted: x, Labels: map[string]string{"accelerator": accelerator, "engine": ""}})
	}
	return rows
}

// Errors of +10, −20, +40 and 0 percent: absolute 0, 10, 20, 40.
func TestErrorsByHand(t *testing.T) {
	report := NewReport(append(rowsOf("tpot_mean_ms", "a", 110, 80), append(rowsOf("tpot_mean_ms", "b", 140, 100), rowsOf("ttft_mean_ms", "a", 50)...)...), nil)
	about := cmpopts.EquateApprox(0, 1e-9)
	if diff := cmp.Diff(map[string]Errors{
		"tpot_mean_ms": {N: 4, MedianAPE: 15, MeanAPE: 17.5, P90APE: 34, MPE: 7.5}, // 20 + 0.7·(40 - 20)
		"ttft_mean_ms": {N: 1, MedianAPE: 50, MeanAPE: 50, P90APE: 50, MPE: -50},
	}, report.Metrics, about); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]Group{
		{"tpot_mean_ms", "accelerator", "a", Errors{N: 2, MedianAPE: 15, MeanAPE: 15, P90APE: 19, MPE: -5}},
		{"tpot_mean_ms", "accelerator", "b", Errors{N: 2, MedianAPE: 20, MeanAPE: 20, P90APE: 36, MPE: 20}},
		{"ttft_mean_ms", "accelerator", "a", Errors{N: 1, MedianAPE: 50, MeanAPE: 50, P90APE: 50, MPE: -50}},
	}, report.Groups, about); diff != "" {
		t.Errorf("groups, -want +got:\n%s", diff)
	}
}

func TestReportAsJSON(t *testing.T) {
	text, err := json.Marshal(NewReport(rowsOf("tpot_mean_ms", "a", 110), []Skipped{{"other", "too large"}}))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	type object = map[string]any
	errors := object{"n": 1.0, "median_ape": 10.0, "mean_ape": 10.0, "p90_ape": 10.0, "mpe": 10.0}
	want := object{
		"metrics": object{"tpot_mean_ms": errors},
		"groups": []any{object{"metric": "tpot_mean_ms", "label": "accelerator", "value": "a",
			"n": 1.0, "median_ape": 10.0, "mean_ape": 10.0, "p90_ape": 10.0, "mpe": 10.0}},
		"rows": []any{object{"id": "a", "set": "e2e", "metric": "tpot_mean_ms", "measured": 100.0, "predicted": 110.0,
			"labels": object{"accelerator": "a", "engine": ""}}},
		"skipped": []any{object{"id": "other", "reason": "too large"}},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Nothing at all is lists without elements, not null.
func TestEmptyReport(t *testing.T) {
	rows, skipped := simulated(t, nil)
	text, err := json.Marshal(NewReport(rows, skipped))
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"metrics":{},"groups":[],"rows":[],"skipped":[]}`; string(text) != want {
		t.Errorf("got %s, want %s", text, want)
	}
}

func TestErrorIsRelativeToTheMeasurement(t *testing.T) {
	for _, c := range []struct{ measured, predicted, want float64 }{{100, 150, 0.5}, {200, 100, -0.5}, {50, 50, 0}} {
		r := Row{Measured: c.measured, Predicted: c.predicted}
		if got := r.Error(); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v for %v: %v, want %v", c.predicted, c.measured, got, c.want)
		}
	}
}
