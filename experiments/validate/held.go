package validate

import "strings"

// Servers of some campaigns let prompts join only now and then, by options of the InferenceMAX
// recipes that no column says (SemiAnalysisAI/InferenceX, benchmarks/dsr1_fp8_b200.sh,
// dsr1_fp4_b200.sh, 70b_fp8_b200_trt_slurm.sh and gptoss_fp4_b200_trt.sh). A prompt then waits for a
// number of decode steps, which the engines' own code fixes, and the engine simulated here does not.
const (
	// SGLang looks for new requests after so many decode steps, and at once after a step with
	// prompts (scheduler_recv_interval; managers/scheduler_recv_skipper.py).
	pollOfFew, pollOfMany = 10, 30 // with fewer than manyClients, and from there on
	manyClients           = 16

	// TensorRT-LLM waits for so many steps after the first prompt for others
	// (batch_wait_timeout_iters; _torch/pyexecutor/py_executor.py, _waiting_requests).
	batchWait = 20

	// Its attention ranks wait for each other's prompts: every balanceTimeout steps prompts go
	// ahead, or balanceWait steps after every rank has one (attention_dp_config.enable_balance with
	// the defaults of timeout_iters and batching_wait_iters; _balance_adp_requests).
	balanceTimeout, balanceWait = 50.0, 10.0
)

// heldSteps is how many decode steps a row's prompts wait in the mean where so many clients get
// so many tokens each, so that clients/tokens requests arrive in a step. Polled every n steps a
// request waits for n/2; with others that come in the meantime it waits
//
//	(w + a*w*w/2) / (1 + a*w)    for w steps after the first, a arrivals a step,
//	(ranks/a + balanceWait) / 2  until each rank has a prompt, or balanceTimeout/2.
func heldSteps(row map[string]string, clients, tokens, ranks float64) float64 {
	arrivals := clients / tokens
	switch {
	case polled(row):
		if clients < manyClients || onFour(row) {
			return pollOfFew / 2
		}
		return pollOfMany / 2
	case batched(row):
		others := arrivals * batchWait
		return batchWait * (1 + others/2) / (1 + others)
	case balanced(row, ranks):
		return min(balanceTimeout, ranks/arrivals+balanceWait) / 2
	}
	return 0
}

// polled tells whether a row's server polled: SGLang's recipes of DeepSeek-R1 on B200.
func polled(row map[string]string) bool {
	return row["backend"] == "sglang" && strings.Contains(row["model_path"], "DeepSeek-R1") && row["system"] == "b200_sxm"
}

// onFour tells whether a row is of DeepSeek-R1 in fp8 on four B200, which has a recipe of its own:
// most of the memory, and polls as often as with few clients.
func onFour(row map[string]string) bool {
	return polled(row) && row["tp_size"] == "4" && row["precision"] == "fp8"
}

// batched tells whether a row's server waited for other prompts: TensorRT-LLM's recipe of
// Llama-3.1-70B for 1,024 tokens in and out on fewer than eight accelerators.
func batched(row map[string]string) bool {
	return row["backend"] == "trtllm" && row["backend_version"] == "" && strings.HasSuffix(row["model_path"], "Llama-3.1-70B") &&
		row["isl"] == "1024" && row["osl"] == "1024" && row["tp_size"] != "8"
}

// balanced tells whether a row's attention ranks waited for each other's prompts:
// TensorRT-LLM's recipe of gpt-oss.
func balanced(row map[string]string, ranks float64) bool {
	return row["backend"] == "trtllm" && isGPTOSS(row["model_path"]) && ranks > 1
}
