package validate

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"kneepoint/sim/metrics"
)

// waits is the mean of the steps that requests wait which arrive at a rate per step, under a
// rule that says in each step whether all that wait join: a loop over steps, from the engines' rules.
func waits(rate float64, ranks int, joins func(waiting []int) bool) float64 {
	random := rand.New(rand.NewPCG(1, 2))
	waiting := make([]int, ranks) // prompts, by rank
	steps, requests, next := 0, 0, 0
	for range 100_000 {
		for present := -math.Log(random.Float64()) / rate; present < 1; present -= math.Log(random.Float64()) / rate {
			waiting[next]++
			requests++
			next = (next + 1) % ranks
		}
		if joins(waiting) {
			clear(waiting)
		}
		for _, n := range waiting {
			steps += n
		}
	}
	return float64(steps) / float64(requests)
}

// TestHeldSteps holds the means against the engines' rules, step by step. A step in which a request
// arrives counts as half of one that it waits.
func TestHeldSteps(t *testing.T) {
	var count, waited int
	rules := map[string]func([]int) bool{
		"sglang": func([]int) bool { count++; return count%30 == 0 },
		"batch": func(waiting []int) bool {
			if waiting[0] == 0 {
				return false
			}
			if count < batchWait {
				count++
				return false
			}
			count = 0
			return true
		},
		"balance": func(waiting []int) bool {
			for _, n := range waiting {
				if n == 0 {
					count++
					if count >= balanceTimeout {
						count = 0
						return true
					}
					return false
				}
			}
			count = 0
			if waited < balanceWait {
				waited++
				return false
			}
			waited = 0
			return true
		},
	}
	sglang := map[string]string{"backend": "sglang", "model_path": "deepseek-ai/DeepSeek-R1", "system": "b200_sxm",
		"precision": "fp8", "tp_size": "8"}
	llama := map[string]string{"backend": "trtllm", "model_path": "meta-llama/Llama-3.1-70B", "isl": "1024", "osl": "1024", "tp_size": "4"}
	gptOSS := map[string]string{"backend": "trtllm", "model_path": "openai/gpt-oss-120b"}
	for _, c := range []struct {
		rule    string
		row     map[string]string
		clients float64
		ranks   int
		within  float64
	}{
		{"sglang", sglang, 16, 1, 0.05}, {"sglang", sglang, 256, 1, 0.05},
		{"batch", llama, 4, 1, 0.05}, {"batch", llama, 64, 1, 0.05},
		{"balance", gptOSS, 32, 4, 0.15}, {"balance", gptOSS, 256, 4, 0.15}, {"balance", gptOSS, 256, 2, 0.15},
	} {
		count, waited = 0, 0
		got := heldSteps(c.row, c.clients, 922, float64(c.ranks))
		want := waits(c.clients/922, c.ranks, rules[c.rule])
		t.Logf("%s, %v clients: %.1f steps, by its rule %.1f", c.rule, c.clients, got, want)
		if math.Abs(got-want) > c.within*want+0.5 {
			t.Errorf("%s, %v clients on %d ranks: %.2f steps, by its rule %.2f", c.rule, c.clients, c.ranks, got, want)
		}
	}
}

// Which rows have prompts that wait, in steps of how many tokens, and which hold the start of the server.
func TestProtocolsOfRows(t *testing.T) {
	llama := []string{"backend=trtllm", "model_path=meta-llama/Llama-3.1-70B", "system=b200_sxm", "precision=fp8",
		"isl=1024", "osl=1024", "tp_size=4", "batch_size=16"}
	r1 := []string{"backend=sglang", "backend_version=0.5.9", "model_path=deepseek-ai/DeepSeek-R1", "system=b200_sxm", "precision=fp8",
		"isl=1024", "osl=1024", "tp_size=8", "batch_size=16"}
	gptOSS := []string{"backend=trtllm", "model_path=openai/gpt-oss-120b", "system=b200_sxm", "precision=fp4", "tp_size=1", "batch_size=8"}
	for _, c := range []struct {
		name   string
		row    []string
		change string
		held   bool
		tokens int64
	}{
		{"Llama as published", llama, "id=run", true, 16384}, {"longer output", llama, "osl=8192", false, 16384},
		{"longer prompts", llama, "isl=8192", false, 16384}, {"another version", llama, "backend_version=1.2.0", false, 16384},
		{"eight accelerators", llama, "tp_size=8", false, 16384}, {"vLLM's", llama, "backend=vllm", false, 8192},
		{"R1 as published", r1, "id=run", true, 32768},
		{"on four", r1, "tp_size=4", true, 8192}, {"on H200", r1, "system=h200_sxm", false, 32768},
		{"gpt-oss as published", gptOSS, "attention_dp_size=4", true, 20000}, {"without ranks", gptOSS, "id=run", false, 20000},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := one(t, nil, []string{siliconRow(append(c.row, c.change)...)})
			if (got.Held > 0) != c.held {
				t.Errorf("prompts wait for %v steps", got.Held)
			}
			strategy := got.Tree["strategy"].([]map[string]any)[0]
			if strategy["max_num_batched_tokens"] != c.tokens {
				t.Errorf("steps of %v tokens, want %d", strategy["max_num_batched_tokens"], c.tokens)
			}
		})
	}
	start := one(t, nil, []string{siliconRow("backend=sglang", "model_path=deepseek-ai/DeepSeek-R1", "system=b200_sxm",
		"precision=fp4", "tp_size=8")})
	if len(start.Measured) != 1 || start.Measured[0].Metric != "silicon_tpot_ms" {
		t.Errorf("compared is %v, want TPOT alone", start.Measured)
	}
}

// The recipe of DeepSeek-R1 on four B200 has most of their memory, and polls as often for many clients.
func TestRecipeOnFour(t *testing.T) {
	for _, c := range []struct {
		tp, precision string
		memory        any
		held          float64
	}{{"4", "fp8", 0.95, 5}, {"4", "fp4", nil, 15}, {"8", "fp8", nil, 15}} {
		got := one(t, nil, []string{siliconRow("backend=sglang", "backend_version=0.5.9", "model_path=deepseek-ai/DeepSeek-R1",
			"system=b200_sxm", "precision="+c.precision, "tp_size="+c.tp, "batch_size="+strconv.Itoa(manyClients))})
		if memory := got.Tree["hardware"].(map[string]any)["gpu_memory_utilization"]; memory != c.memory || got.Held != c.held {
			t.Errorf("tp %s in %s: memory %v, %v steps, want %v, %v", c.tp, c.precision, memory, got.Held, c.memory, c.held)
		}
	}
}

// Who waits for some steps has the first token later by as many TPOT, and all else as simulated.
func TestWithHeld(t *testing.T) {
	c := Case{Held: 15}
	found := metrics.Values{metrics.MeanTTFT: 100, metrics.MeanTPOT: 10}
	held := c.withHeld(found)
	if held[metrics.MeanTTFT] != 250 || held[metrics.MeanTPOT] != 10 || found[metrics.MeanTTFT] != 100 {
		t.Errorf("%v of %v", held, found)
	}
}
