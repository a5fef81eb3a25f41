package estimate

import (
	"testing"

	"kneepoint/hardware"
)

func TestPortable(t *testing.T) {
	d := deployment(t, "apple-m4-max", "vllm-v1", "llama-3.1-8b", 1)
	d.Weights = "int4"
	q := Question{Prompt: 200, Output: 200, Batch: 4}
	e := report(t, d, q)
	p := e.Portable
	if p == nil || p.BatteryWh != 100 || p.SustainedAfterS != 300 {
		t.Fatalf("%+v", p)
	}
	about(t, "after five minutes", p.SustainedTokensPerSecond, 0.7*e.Chat.TokensPerSecond, 1e-12)
	about(t, "at most", p.SustainedMost, e.Chat.TokensPerSecond, 1e-12)
	q.Batch = 1
	alone := report(t, d, q).Service
	about(t, "a full battery", 100*p.TokensPerPercent*alone.EnergyJPerToken, 100*3600, 1e-12)

	d.Accelerator.BatteryWh, d.Accelerator.Throttle = 0, &hardware.Throttle{Sustained: 0.6, After: 300}
	p = report(t, d, q).Portable
	about(t, "throttled", p.SustainedTokensPerSecond, 0.6*e.Chat.TokensPerSecond, 1e-12)
	if p.SustainedLeast != p.SustainedTokensPerSecond || p.SustainedMost != p.SustainedTokensPerSecond {
		t.Errorf("without a range: %+v", p)
	}
	if p.SustainedAfterS != 300 || p.TokensPerPercent != 0 {
		t.Errorf("%+v", p)
	}

	d.Accelerator.Throttle = nil
	if p := report(t, d, q).Portable; p != nil {
		t.Errorf("neither battery nor limit: %+v", p)
	}
	q.Output = 1
	if p := report(t, deployment(t, "apple-m4-max", "vllm-v1", "llama-3.1-8b", 1), q).Portable; p != nil {
		t.Errorf("nothing generated: %+v", p)
	}
}

// Small devices decode small models at the pace of their memory, and draw a part
// of their power for it.
func TestSmallDevices(t *testing.T) {
	for _, accelerator := range []string{"apple-m1-max", "apple-m1-ultra", "apple-m2-max", "apple-m2-ultra", "apple-m3-max", "apple-m3-ultra",
		"apple-m4-max", "rtx-3090", "rtx-4090", "rtx-5090", "rtx-a6000", "rtx-pro-6000", "jetson-agx-orin-64", "gb10", "arc-pro-b60",
		"i9-13900k", "epyc-9654", "xeon-8480"} {
		for _, name := range []string{"llama-3.2-1b", "llama-3.2-3b", "llama-3.1-8b"} {
			d := deployment(t, accelerator, "vllm-v1", name, 1)
			d.Weights, d.MaxModelLen, d.MaxNumSeqs = "int4", 8192, 1
			m := build(t, d)
			e := Of(m.Model, Question{Prompt: 512, Output: 128, Batch: 1})
			if e.Decode.MBU < 0.2 || e.Decode.MBU > 0.85 {
				t.Errorf("%s, %s: MBU %.2f", accelerator, name, e.Decode.MBU)
			}
			if bytes := e.Decode.TokensPerSecond * e.Memory.Weights; bytes > float64(d.Accelerator.Bandwidth)*1.3 {
				t.Errorf("%s, %s: %.3g tok/s read the weights at %.3g B/s", accelerator, name, e.Decode.TokensPerSecond, bytes)
			}
			watts := e.Service.EnergyJPerToken * e.Service.OutputThroughput
			if watts < 1.2*d.Accelerator.IdleWatts || watts > d.Accelerator.TDPWatts {
				t.Errorf("%s, %s: %.3g W, idle %.3g, TDP %.3g", accelerator, name, watts, d.Accelerator.IdleWatts, d.Accelerator.TDPWatts)
			}
		}
	}
}
