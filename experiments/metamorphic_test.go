package experiments

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kneepoint/sim/metrics"
)

// Relations between the results of two files, of which neither's need be known.

// runsOf are the metrics of all runs of a file, by strategy, swept rate and replication.
func runsOf(t *testing.T, text string) map[string]metrics.Values {
	t.Helper()
	res, err := experiment(t, text).Run(t.Context(), Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]metrics.Values{}
	for i := range res.Runs {
		r := &res.Runs[i]
		all[fmt.Sprintf("%s at %v, replication %d", r.Strategy, r.Point["workload.arrival.rate"], r.Replication)] = r.Metrics
	}
	return all
}

// sameRuns demands that every run of part is in whole, with the same metrics to the last bit.
func sameRuns(t *testing.T, whole, part map[string]metrics.Values) {
	t.Helper()
	for name, want := range part {
		got, found := whole[name]
		if !found {
			t.Errorf("there is no run of %s", name)
			continue
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestOthersChangeNothing: a run depends on its strategy, point and replication alone, whatever
// else is in the file and in which order.
func TestOthersChangeNothing(t *testing.T) {
	const a, b, c = "[[strategy]]\nname = \"a\"\n", "[[strategy]]\nname = \"b\"\nmax_num_seqs = 1\n", "[[strategy]]\nname = \"c\"\nbatching = \"static\"\nmax_num_seqs = 4\n"
	file := func(strategies, rates string, replications int) string {
		return strings.NewReplacer(a, "", b, strategies, "[1, 2]", rates, "replications = 2", fmt.Sprintf("replications = %d", replications)).Replace(small)
	}
	whole := runsOf(t, file(a+b+c, "[1, 2, 40]", 3))
	if len(whole) != 27 {
		t.Fatalf("%d runs", len(whole))
	}
	for name, text := range map[string]string{
		"in another order":   file(c+a+b, "[40, 2, 1]", 3),
		"one strategy":       file(b, "[1, 2, 40]", 3),
		"another one":        file(c, "[1, 2, 40]", 3),
		"one point":          file(a+b+c, "[2]", 3),
		"fewer replications": file(b+a, "[2, 40]", 2),
		"one run":            file(c, "[40]", 1),
	} {
		t.Run(name, func(t *testing.T) { sameRuns(t, whole, runsOf(t, text)) })
	}
}

// TestLooserObjectives: with looser bounds more requests meet them, in every run, and nothing
// else changes. A bound of 0 is none.
func TestLooserObjectives(t *testing.T) {
	bounds := []string{"ttft_ms = 11\ntpot_ms = 10.5\ne2el_ms = 60", "ttft_ms = 14\ntpot_ms = 10.5\ne2el_ms = 70",
		"ttft_ms = 14\ntpot_ms = 1000\ne2el_ms = 70", "ttft_ms = 40\ne2el_ms = 90", "ttft_ms = 0\ne2el_ms = 90", "e2el_ms = 1e9"}
	var before map[string]metrics.Values
	var raised int
	for _, bound := range bounds {
		found := runsOf(t, strings.Replace(small, "[[strategy]]", "[slo]\n"+bound+"\n[[strategy]]", 1))
		for name, v := range found {
			was, ok := before[name]
			if !ok {
				continue
			}
			for _, key := range []string{metrics.Attainment, metrics.Goodput} {
				if v[key] < was[key] {
					t.Errorf("%s, %q: %s is %v, under the bound before it %v", name, bound, key, v[key], was[key])
				}
				if v[key] > was[key] {
					raised++
				}
			}
			same := cmpopts.IgnoreMapEntries(func(key string, _ float64) bool {
				return key == metrics.Goodput || strings.HasSuffix(key, "_attainment") || strings.HasSuffix(key, "_at_goodput")
			})
			if diff := cmp.Diff(was, v, same, cmpopts.EquateNaNs()); diff != "" {
				t.Errorf("%s, %q: %s", name, bound, diff)
			}
		}
		before = found
	}
	for name, v := range before {
		if v[metrics.Attainment] != 1 {
			t.Errorf("%s: attainment %v under a bound that nobody misses", name, v[metrics.Attainment])
		}
	}
	if raised == 0 {
		t.Error("no bound was missed under one and met under the next")
	}
}

// TestScaledUnits: four times the rate on steps of a quarter of the time is the same
// queue in another unit of time: latencies are a quarter, rates four times as large, shares
// the same.
func TestScaledUnits(t *testing.T) {
	const factor = 4
	slow := strings.Replace(small, "[[strategy]]", "[slo]\nttft_ms = 14\n[[strategy]]", 1)
	fast := strings.NewReplacer(`"10ms"`, `"2.5ms"`, "[1, 2]", "[4, 8]", "ttft_ms = 14", "ttft_ms = 3.5").Replace(slow)
	want, got := runsOf(t, slow), runsOf(t, fast)
	for rate, scaled := range map[string]string{"1": "4", "2": "8"} {
		for _, strategy := range []string{"a", "b"} {
			for replication := range 2 {
				a := want[fmt.Sprintf("%s at %s, replication %d", strategy, rate, replication)]
				b := got[fmt.Sprintf("%s at %s, replication %d", strategy, scaled, replication)]
				if len(a) == 0 || len(a) != len(b) {
					t.Fatalf("%d metrics, %d when scaled", len(a), len(b))
				}
				for key, x := range a {
					switch {
					case strings.HasSuffix(key, "_ms") || key == metrics.Duration:
						x /= factor
					case strings.HasSuffix(key, "_throughput") || strings.HasSuffix(key, "goodput") || key == metrics.OfferedRate:
						x *= factor
					}
					if math.Abs(b[key]-x) > 1e-9*math.Abs(x) && !strings.Contains(key, "itl") || strings.Contains(key, "itl") && math.Abs(b[key]-x) > 3*metrics.HistogramResolution*x {
						t.Errorf("%s at %s: %s is %v, scaled %v", strategy, rate, key, x, b[key])
					}
				}
			}
		}
	}
}
