package experiments

import "testing"

// A variable is named by its path, or else by its last word, whatever the strategy.
func TestAxisNames(t *testing.T) {
	for path, want := range map[string][2]string{
		"workload.arrival.rate":       {"request rate", "req/s"},
		"strategy.vllm.kv.block_size": {"block size", "tok"},
		"strategy.vllm.max_num_seqs":  {"max_num_seqs", ""},
		"workload.prefix.tokens":      {"shared prefix", "tok"},
	} {
		if a := newAxis(path, nil); a.Label != want[0] || a.Unit != want[1] {
			t.Errorf("%s is called %q in %q, want %q", path, a.Label, a.Unit, want)
		}
	}
}
