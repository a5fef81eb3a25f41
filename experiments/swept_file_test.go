package experiments

import "testing"

// TestSweptKeysKeepTheFilesValue: the value that a file has beside a sweep is in the results,
// though no run has it; a key that the file leaves out has none.
func TestSweptKeysKeepTheFilesValue(t *testing.T) {
	const text = `
title = "swept"
[model]
name = "llama-3.1-8b"
[hardware]
accelerator = "h100-sxm"
gpu_memory_utilization = 0.85
[workload]
num_requests = 5
arrival = { rate = 7 }
input = { type = "fixed", mean = 5 }
output = { type = "fixed", mean = 5 }
[[workload.client]]
name = "chat"
share = 1
priority = 3
[[strategy]]
name = "a.b"
order = "priority"
max_num_seqs = 12
[sweep]
"workload.arrival.rate" = [1, 2.5]
"strategy.a.b.max_num_seqs" = [4]
"workload.client.chat.priority" = [1]
"hardware.gpu_memory_utilization" = [0.9]
"hardware.tp" = [1]
`
	e := experiment(t, text)
	want := map[string]any{"workload.arrival.rate": int64(7), "strategy.a.b.max_num_seqs": int64(12), "workload.client.chat.priority": int64(3),
		"hardware.gpu_memory_utilization": 0.85, "hardware.tp": nil}
	for _, axis := range e.Axes {
		if got := axis.File.Any(); got != want[axis.Path] {
			t.Errorf("%s is %v in the file, want %v", axis.Path, got, want[axis.Path])
		}
	}
}
