package validate

import "testing"

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
