package calibrate

import (
	"errors"
	"strings"
	"testing"

	"kneepoint/units/badinput"
)

// TestSetIsOfTheDeployment: --set takes the keys of what was measured, and none that
// changes what was sent, how it is measured, or what is stated elsewhere.
func TestSetIsOfTheDeployment(t *testing.T) {
	for _, set := range []string{
		"hardware.kv_tokens=180000", "model.weights=fp8", "model.kv = fp8", "strategy.measured.max_num_seqs=8",
		"strategy.measured.kv.block_size=32", "nothing",
	} {
		if err := (&Deployment{Set: []string{set}}).checkSet(); err != nil {
			t.Errorf("%s: %v", set, err)
		}
	}
	for set, want := range map[string]string{
		"workload.num_requests=3":              "not a key of the deployment",
		"workload.arrival.process=at_once":     "not a key of the deployment",
		"seed=2":                               "not a key of the deployment",
		"replications=2":                       "not a key of the deployment",
		"measure.warmup=0.5":                   "not a key of the deployment",
		"slo.ttft_ms=3":                        "not a key of the deployment",
		`sweep."model.kv"=[1]`:                 "not a key of the deployment",
		"title=x":                              "not a key of the deployment",
		"model={}":                             "not a key of the deployment",
		"strategy=[]":                          "not a key of the deployment",
		"strategy.other.max_num_seqs=3":        "not a key of the deployment",
		"strategy.measured.name=x":             "not a key of the deployment",
		"strategy.measured.hardware.tp=2":      "not a key of the deployment",
		"strategy.measured.model={kv=\"fp8\"}": "not a key of the deployment",
		"hardware.tp=2":                        "stated by --tp",
		" hardware.engine = sglang":            "stated by --engine",
		"hardware.accelerator=l4":              "stated by --accelerator",
		"model.name=opt-13b":                   "or by --model",
		"hardware.cost_model=synthetic":        "stated by calibrate",
	} {
		_, err := FitBench(t.Context(), nil, Deployment{Set: []string{"model.kv=fp8", set}}, BenchOptions{})
		var bad *badinput.Error
		if !errors.As(err, &bad) || bad.Key != "--set" || bad.Value != set || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", set, err, want)
		}
	}
}
