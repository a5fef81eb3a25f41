package results

import (
	"slices"
	"testing"
)

// TestWarnings: each kind is said once, with the points that it concerns.
func TestWarnings(t *testing.T) {
	plan := twoByThree()
	outcomes := outcomesOf(plan)
	outcomes["C"].Metrics["unfinished"] = 12 // of b at a rate of 1
	var got []string
	all := Aggregate(plan, ByKey(outcomes)).Warnings
	for _, w := range all {
		got = append(got, w.String())
	}
	want := []string{
		"requests were rejected, being longer than the context or the KV cache: more would fit with model.max_model_len, hardware.kv_tokens or" +
			" hardware.gpu_memory_utilization, and workload.too_long = \"truncate\" cuts them, at most 1 a run: " +
			"b, request rate = 1; a, request rate = 1e+08", // the others were turned away by a full queue
		"requests were rejected, finding the queue full (strategy.max_waiting), at most 2 a run: a, request rate = 1; b, request rate = 1; 4 more points",
		"estimated: kernels", // what was refused comes before it
		"requests had not ended when the run did, at most 12 a run: b, request rate = 1",
		"fewer than 300 requests completed in some runs: their p99 rests on the few largest values",
	}
	if !slices.Equal(got, want) {
		t.Errorf("they are %q, want %q", got, want)
	}
	if w := all[3]; w.Kind != Unfinished || len(w.Where) != 1 || w.Where[0].Strategy != "b" || !w.Where[0].Point["workload.arrival.rate"].Same(ValueOf(1)) {
		t.Errorf("the fourth is %+v", w)
	}
	if w := all[4]; w.Where != nil {
		t.Errorf("what concerns everything names %d places", len(w.Where))
	}
}
