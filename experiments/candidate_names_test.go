package experiments

import "testing"

// Candidates are called by the values of lists, of lists of one, too: tables that differ in these alone have names of their own.
func TestListsOfOneNameCandidates(t *testing.T) {
	f, err := Parse("names", `
[plan]
[model]
name = "llama-3.1-8b"
[workload]
arrival = { process = "poisson", rate = 1 }
input = { type = "fixed", mean = 100 }
output = { type = "fixed", mean = 10 }
[slo]
ttft_ms = 1000
[[strategy]]
name = "one"
[[candidate]]
hardware.accelerator = ["h100-sxm"]
model.weights = ["bf16"]
[[candidate]]
hardware.accelerator = ["h100-sxm"]
model.weights = ["fp8"]
model.activations = "fp8"
`)
	if err != nil {
		t.Fatal(err)
	}
	all, err := f.candidates()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 || all[0].name != "h100-sxm, bf16" || all[1].name != "h100-sxm, fp8" {
		t.Errorf("%+v", all)
	}
}
