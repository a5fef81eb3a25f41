package validate

import (
	"math"
	"testing"

	"kneepoint/sim/metrics"
)

// A client who gets 20 tokens at a time has its first after 19 more steps; the whole takes as long.
func TestAsReceived(t *testing.T) {
	c := Case{Streamed: 20, TokensOut: 1001}
	found := metrics.Values{metrics.MeanTTFT: 100, metrics.MeanTPOT: 10}
	received := c.asReceived(found)
	if got := received[metrics.MeanTTFT]; got != 290 {
		t.Errorf("TTFT %v ms, want 290", got)
	}
	whole := func(v metrics.Values) float64 { return v[metrics.MeanTTFT] + 1000*v[metrics.MeanTPOT] }
	if math.Abs(whole(received)-whole(found)) > 1e-9 {
		t.Errorf("a request takes %v ms, and %v as it is received", whole(found), whole(received))
	}
	if found[metrics.MeanTTFT] != 100 {
		t.Error("what was found changed")
	}
}

// Which runs get 20 tokens at a time, and which hold the start of the server.
func TestProtocolsOfRows(t *testing.T) {
	llama := []string{"backend=trtllm", "model_path=meta-llama/Llama-3.1-70B", "system=b200_sxm", "precision=fp8",
		"isl=1024", "osl=1024", "tp_size=4"}
	for _, c := range []struct {
		name     string
		change   string
		streamed float64
	}{
		{"as published", "id=run", 20}, {"longer output", "osl=8192", 0}, {"longer prompts", "isl=8192", 0},
		{"another version", "backend_version=1.2.0", 0}, {"eight accelerators", "tp_size=8", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := one(t, nil, []string{siliconRow(append(llama, c.change)...)}); got.Streamed != c.streamed {
				t.Errorf("%v tokens at a time, want %v", got.Streamed, c.streamed)
			}
		})
	}
	start := one(t, nil, []string{siliconRow("backend=sglang", "model_path=deepseek-ai/DeepSeek-R1", "system=b200_sxm",
		"precision=fp4", "tp_size=8")})
	if len(start.Measured) != 1 || start.Measured[0].Metric != "silicon_tpot_ms" {
		t.Errorf("compared is %v, want TPOT alone", start.Measured)
	}
}

// Of two runs that are the same but for TPOT the faster one guessed tokens, where the model can.
func TestGuessedTokensAreSkipped(t *testing.T) {
	for _, c := range []struct {
		model, tpot string
		skipped     bool
	}{
		{"deepseek-ai/DeepSeek-R1", "8", false}, {"deepseek-ai/DeepSeek-R1", "7.5", false}, {"deepseek-ai/DeepSeek-R1", "7.2", true},
		{"meta-llama/Llama-3.1-8B-Instruct", "7.2", false},
	} {
		row := func(tpot string) string {
			return siliconRow("model_path="+c.model, "system=b200_sxm", "precision=fp8", "tp_size=8", "silicon_tpot_ms="+tpot)
		}
		cases := read(t, measurements(t, nil, []string{row("8"), row(c.tpot)}))
		if got := cases[1].Skip != ""; got != c.skipped || cases[0].Skip != "" {
			t.Errorf("%s, TPOT of 8 and %s: skipped %q and %q", c.model, c.tpot, cases[0].Skip, cases[1].Skip)
		}
	}
}

func TestVersions(t *testing.T) {
	for _, c := range []struct{ engine, text, want, profile string }{
		{"vLLM", "0.15.1 (a fork)", "vllm 0.15.1", "vllm-v1"}, {"vLLM (llm-d 0.0.4 build)", "May 2025 (0.8.5 era)", "vllm 0.8.5", "vllm-v1"},
		{"sglang", "0.5.1.post1", "sglang 0.5.1.post1", "sglang"}, {"trtllm", "1.0.0rc3", "trtllm 1.0.0rc3", "trtllm-1.0"},
		{"trtllm", "1.2.0rc6.post1", "trtllm 1.2.0rc6.post1", "trtllm"}, {"trtllm", "", "", "trtllm"},
	} {
		if got := version(c.engine, c.text); got != c.want {
			t.Errorf("%s %s is %q, want %q", c.engine, c.text, got, c.want)
		}
		if got := engineProfile(c.engine, c.text); got != c.profile {
			t.Errorf("%s %s has profile %q, want %q", c.engine, c.text, got, c.profile)
		}
	}
}
