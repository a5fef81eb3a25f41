package validate

import (
	"fmt"
	"strings"

	"kneepoint/units"
)

// protocol is what closed_loop.csv does not say of how a row was measured, and
// TTFT depends on: with lengths that are all the same, clients that start
// together stay together, and every prompt waits for all others.
type protocol struct {
	waves    int64   // requests of each client
	spread   float64 // lengths are uniform in [(1 - spread)·stated, stated]
	oneByOne bool    // a step has room for one prompt and the decodes of the batch
	queued   int64   // requests in flight beyond the engine's slots
}

// stepTokens is the size of a step in the InferenceMAX recipes: 8192 tokens for vLLM, more for
// the models of others (max_num_tokens of TensorRT-LLM, chunked_prefill_size of SGLang).
func stepTokens(row map[string]string) int64 {
	model := row["model_path"]
	switch {
	case row["backend"] == "trtllm" && isGPTOSS(model):
		return 20000
	case row["backend"] == "trtllm" && strings.Contains(model, "Llama-3.1-70B"):
		return 16384
	case row["backend"] == "sglang" && strings.Contains(model, "DeepSeek-R1") && row["precision"] == "fp4":
		return 16384
	case row["backend"] == "sglang" && strings.Contains(model, "DeepSeek-R1") && row["tp_size"] == "8":
		return 32768
	}
	return 8192
}

// usualProtocol is that of the InferenceMAX benchmarks, from which most rows
// come: ten requests per client, --random-range-ratio 0.8.
var usualProtocol = protocol{waves: 10, spread: 0.2}

// protocols are those of campaigns whose TTFT shows that they were measured in
// another way. All prompts came at once, and once; or lengths were as stated and
// prompts passed one by one, so that clients follow each other for good: TTFT is
// then that of three steps with a prompt each, whatever the concurrency. Of the
// 8B model one request more than there were slots was in flight, which waits for a
// request's time over the concurrency.
//
// TensorRT-LLM's has twenty requests a client, as bench_run.sh of ai-dynamo/aiconfigurator sends
// (BENCH_MULTI_ROUND; its eval command sends ten). The first of each come together and wait for half
// of the others, which weighs a twentieth: with ten the mean TTFT of one accelerator would grow twice as
// fast with the number of clients as it does, with either model.
var protocols = map[string]protocol{
	"sglang 0.5.1.post1": {waves: 1},
	"trtllm 1.0.0rc3":    {waves: 20, oneByOne: true},
	"trtllm 1.0.0rc3 meta-llama/Llama-3.1-8B-Instruct": {waves: 20, oneByOne: true, queued: 1},
}

// protocolOf is how a row was measured.
func protocolOf(row map[string]string) protocol {
	campaign := row["backend"] + " " + row["backend_version"]
	for _, key := range []string{campaign + " " + row["model_path"], campaign} {
		if p, special := protocols[key]; special {
			return p
		}
	}
	return usualProtocol
}

// startsInTheMean tells whether the mean TTFT of a row holds the start-up of the server: in
// one campaign of SGLang it is 0.4 to 12 s, up to 600 TPOT, without relation to the load.
func startsInTheMean(row map[string]string) bool {
	return row["backend"] == "sglang" && row["backend_version"] == "" && row["precision"] == "fp4"
}

// leastWithout is the least TPOT, as a share of that of a run that is the same in all columns, of which
// a run is taken to have guessed no tokens. It was chosen on the 13 pairs of such runs that there are, of which
// the faster one takes 0.67 to 0.95 of the slower one's TPOT.
const leastWithout = 0.92

// skipSpeculated skips runs that had their tokens guessed, which no column says: those of models
// with modules for multi-token prediction whose TPOT is well below that of the same run.
func skipSpeculated(cases []Case, t *table) {
	slowest := map[string]float64{}
	for pass := range 2 {
		for i := range cases {
			tpot, key := t.rows[i]["silicon_tpot_ms"], sameRun(t.rows[i])
			x, given := units.ParseDecimal(tpot)
			if !given || cases[i].Skip != "" || !strings.Contains(key, "DeepSeek") {
				continue
			}
			if pass == 0 {
				slowest[key] = max(slowest[key], x)
			} else if x < leastWithout*slowest[key] {
				cases[i].Skip = "its TPOT shows that tokens were guessed, with an acceptance that is not recorded"
			}
		}
	}
}

// sameRun is what a run's columns say of how it was measured, but for versions.
func sameRun(row map[string]string) string {
	return fmt.Sprint(row["backend"], row["model_path"], row["system"], row["precision"], row["mode"],
		row["isl"], row["osl"], row["batch_size"], row["tp_size"], row["attention_dp_size"], row["moe_ep_size"])
}

// workload is that of clients who send one request after another.
func (p protocol) workload(clients, input, output int64) map[string]any {
	return map[string]any{
		"num_requests": clients * p.waves,
		"arrival":      map[string]any{"process": "closed", "concurrency": clients, "start": "at_once"},
		"input":        p.lengths(input),
		"output":       p.lengths(output),
	}
}

// strategy is the [[strategy]] table of a run with prompts of a number of tokens, steps of as many
// at most, and a number of slots for requests in flight.
func (p protocol) strategy(prompt, step, slots int64) map[string]any {
	strategy := map[string]any{"name": "measured", "max_num_seqs": max(slots, 256), "max_num_batched_tokens": step}
	if p.queued > 0 {
		strategy["max_num_seqs"] = slots
	}
	if p.oneByOne {
		strategy["max_num_batched_tokens"] = prompt + slots
	}
	return strategy
}

// lengths is the law of a stated length in tokens.
func (p protocol) lengths(stated int64) map[string]any {
	if p.spread == 0 {
		return map[string]any{"type": "fixed", "mean": stated}
	}
	return map[string]any{"type": "uniform", "min": int64((1 - p.spread) * float64(stated)), "max": stated}
}
