package estimate

import (
	"encoding/json"
	"testing"

	"kneepoint/hardware"
	"kneepoint/hardware/roofline"
)

// Every accelerator of the catalog gives an estimate of every model that fits, on
// as few of them as hold it, in every precision that they compute in.
func TestWholeCatalogIsEstimated(t *testing.T) {
	for _, accelerator := range hardware.Accelerators() {
		t.Run(accelerator, func(t *testing.T) {
			answers := 0
			for _, name := range []string{"llama-3.2-1b", "llama-3.1-8b", "llama-3.1-70b", "qwen3-30b-a3b", "deepseek-v3"} {
				d := deployment(t, accelerator, "vllm-v1", name, 1)
				d.MaxModelLen = 4096
				for _, d.Activations = range computable(&d.Accelerator) {
					for _, d.Weights = range []hardware.Precision{d.Activations, hardware.INT4} {
						if m := smallest(d); m != nil {
							answers++
							checkAnswer(t, m)
						}
					}
				}
			}
			if answers < 2 {
				t.Errorf("%d estimates", answers)
			}
		})
	}
}

// smallest is a deployment on as few accelerators as hold it; nil where none do.
func smallest(d roofline.Deployment) *deployed {
	d.KV = hardware.BF16
	if d.Accelerator.Peak(hardware.BF16) == 0 {
		d.KV = hardware.FP16
	}
	for _, d.TP = range []int{1, 2, 4, 8, 16, 32, 64} {
		if m, err := roofline.New(d); err == nil && m.Memory().KVTokens >= 640 {
			return newDeployed(m)
		}
	}
	return nil
}

func checkAnswer(t *testing.T, m *deployed) {
	t.Helper()
	d, q := m.Deployment(), Question{Prompt: 512, Output: 64, Batch: 1}
	e := Of(m.Model, q)
	for _, p := range []*Phase{&e.Prefill, e.Decode} {
		if !(0 < p.FloorMS && p.FloorMS <= p.TimeMS) || !(p.MBU > 0 && p.MBU <= 1) || !(p.MFU > 0 && p.MFU <= 1) {
			t.Errorf("%s on %d x %s (%s, %s): %+v", d.Architecture.Name, d.TP, d.Accelerator.Name, d.Weights, d.Activations, p)
		}
	}
	if e.ColdStart == nil || !(e.ColdStart.TimeMS > 0) {
		t.Errorf("%s: cold start %+v", d.Accelerator.Name, e.ColdStart)
	}
	if _, err := json.Marshal(e); err != nil { // no NaN, no infinity
		t.Errorf("%s: %v", d.Accelerator.Name, err)
	}
}
