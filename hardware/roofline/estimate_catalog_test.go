package roofline

import (
	"encoding/json"
	"testing"

	"kneepoint/hardware"
)

// Every accelerator of the catalog gives an estimate of every model that fits, on
// as few of them as hold it, in every precision that they compute in.
func TestWholeCatalogIsEstimated(t *testing.T) {
	for _, accelerator := range hardware.Accelerators() {
		answers := 0
		for _, name := range []string{"llama-3.2-1b", "llama-3.1-8b", "llama-3.1-70b", "qwen3-30b-a3b", "deepseek-v3"} {
			d := deployment(t, accelerator, "vllm-v1", name, 1)
			d.MaxModelLen = 4096
			for _, activations := range d.computable() {
				for _, weights := range []hardware.Precision{activations, hardware.INT4} {
					d.Weights, d.Activations = weights, activations
					d.KV = d.wideType()
					if m := smallest(t, d); m != nil {
						answers++
						checkAnswer(t, m)
					}
				}
			}
		}
		if answers < 2 {
			t.Errorf("%s: %d estimates", accelerator, answers)
		}
	}
}

// smallest is a deployment on as few accelerators as hold it; nil where none do.
func smallest(t *testing.T, d Deployment) *Model {
	t.Helper()
	d = d.withDefaults()
	for _, d.TP = range d.workingTPs() {
		if b := d.budget(); b.KVTokens >= 640 && b.Weights <= b.Total {
			return build(t, d)
		}
	}
	return nil
}

func checkAnswer(t *testing.T, m *Model) {
	t.Helper()
	d, q := m.Deployment(), Question{Prompt: 512, Output: 64, Batch: 1}
	e := m.Estimate(q)
	for what, p := range map[string]*Phase{"prefill": &e.Prefill, "decode": e.Decode} {
		if !(0 < p.FloorMS && p.FloorMS <= p.TimeMS) || !(p.MBU > 0 && p.MBU <= 1) || !(p.MFU > 0 && p.MFU <= 1) {
			t.Errorf("%s on %d x %s (%s, %s): %s %+v", d.Architecture.Name, d.TP, d.Accelerator.Name, d.Weights, d.Activations, what, p)
		}
	}
	if e.ColdStart == nil || !(e.ColdStart.TimeMS > 0) {
		t.Errorf("%s: cold start %+v", d.Accelerator.Name, e.ColdStart)
	}
	if _, err := json.Marshal(e); err != nil { // no NaN, no infinity
		t.Errorf("%s: %v", d.Accelerator.Name, err)
	}
}
