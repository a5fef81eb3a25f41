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

// TestRunsWithoutFailures: a run that ended before a failure struck is told with its place.
func TestRunsWithoutFailures(t *testing.T) {
	plan := twoByThree()
	outcomes := outcomesOf(plan)
	outcomes["C"].Spared = 1
	all := Aggregate(plan, ByKey(outcomes)).Warnings
	at := slices.IndexFunc(all, func(w Warning) bool { return w.Kind == Spared })
	if at < 0 || len(all[at].Where) != 1 || all[at].Where[0].Strategy != "b" {
		t.Errorf("warnings are %v, want one of strategy b", all)
	}
}

// TestRunsWithoutMeaning: a run without requests says so, and one so long that the digits of
// its latencies are rounding.
func TestRunsWithoutMeaning(t *testing.T) {
	for name, c := range map[string]struct {
		change map[string]float64
		kind   Kind
	}{
		"empty":           {map[string]float64{"completed": 0, "rejected": 0, "unfinished": 0}, Empty},
		"a short latency": {map[string]float64{"duration": 3e7, "mean_ttft_ms": 6, "mean_tpot_ms": 8}, Inexact},
		"a long one":      {map[string]float64{"duration": 3e7, "mean_ttft_ms": 7, "mean_tpot_ms": 8}, ""},
		"none at all":     {map[string]float64{"duration": 3e7, "mean_ttft_ms": 0, "mean_tpot_ms": 0}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			plan := twoByThree()
			outcomes := outcomesOf(plan)
			for key, x := range c.change {
				outcomes["C"].Metrics[key] = x
			}
			var found Kind
			for _, w := range Aggregate(plan, ByKey(outcomes)).Warnings {
				if w.Kind != Empty && w.Kind != Inexact {
					continue
				}
				found = w.Kind
				if len(w.Where) != 1 || w.Where[0].Strategy != "b" {
					t.Errorf("%v names %+v", w.Kind, w.Where)
				}
			}
			if found != c.kind {
				t.Errorf("%q, want %q", found, c.kind)
			}
		})
	}
}
