package validate

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A row whose prompts and answers have workers of their own becomes a fleet of two pools,
// with as many clients as the workers that decode have slots.
func TestDisaggregatedRowsBecomeFleets(t *testing.T) {
	type table = map[string]any
	row := disaggregatedRow("prefill_num_workers=5", "decode_num_workers=2", "decode_tp_size=4", "decode_batch_size=48", "isl=4000")
	c := read(t, measurements(t, nil, []string{row}))[0]
	want := table{
		"pool": []table{
			{"name": "prefill", "role": "prefill", "replicas": int64(5), "hardware": table{"tp": int64(1)},
				"strategy": table{"max_num_seqs": int64(1), "max_num_batched_tokens": int64(4000)}},
			{"name": "decode", "role": "decode", "replicas": int64(2), "hardware": table{"tp": int64(4)}, "strategy": table{"max_num_seqs": int64(48)}},
		},
		"transfer": table{"bandwidth": "49.5GB/s"},
	}
	if diff := cmp.Diff(want, c.Tree["fleet"]); diff != "" || c.Skip != "" {
		t.Errorf("skip %q, -want +got:\n%s", c.Skip, diff)
	}
	if clients := c.Tree["workload"].(table)["arrival"].(table)["concurrency"]; clients != int64(96) {
		t.Errorf("%v clients, want those of two workers with 48 slots", clients)
	}
	rows, skipped := simulated(t, []Case{c})
	if len(rows) != 2 || len(skipped) > 0 {
		t.Errorf("%v, skipped %v", rows, skipped)
	}
}
