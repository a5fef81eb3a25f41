package experiments_test

import (
	"context"
	"testing"

	"kneepoint/experiments"
)

// TestGuessesTakeNoCachedBlocksOfOthers: of requests that are preempted some find their own
// blocks again, as free ones, in a step in which others guess and take free blocks before
// them.
func TestGuessesTakeNoCachedBlocksOfOthers(t *testing.T) {
	file, err := experiments.Parse("guesses.toml", `title = "guesses beside cached blocks"
seed = 3
replications = 10
[hardware]
cost_model = "synthetic"
kv_tokens = 2191
synthetic = { step_fixed = "8ms", per_context_token = "6us" }
[workload]
num_requests = 25
arrival = { process = "closed", concurrency = 10, start = "at_once" }
input = { type = "empirical", quantiles = [1, 140.9, 500] }
output = { type = "lognormal", mean = 43, std = 17 }
[[strategy]]
name = "s"
scheduler = "sarathi"
max_num_seqs = 14
speculation = { method = "ngram", num_speculative_tokens = 2, acceptance = [0.4, 0.2] }
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, seed := range []string{"seed=3", "seed=4", "seed=5"} {
		if err := file.Override([]string{seed}); err != nil {
			t.Fatal(err)
		}
		e, err := file.Check()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Run(context.Background(), experiments.Options{}); err != nil {
			t.Errorf("%s: %.300v", seed, err)
		}
	}
}
