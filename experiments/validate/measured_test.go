package validate

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"kneepoint/sim/metrics"
)

const measuredFolder = "../../../shared/measured"

// repeatAll simulates all measured runs, once for all tests.
var repeatAll = sync.OnceValues(func() (repeated, error) {
	cases, err := Read(measuredFolder)
	if err != nil {
		return repeated{}, err
	}
	rows, skipped, err := Run(context.Background(), cases, 2, func(int, int) {})
	return repeated{cases, rows, skipped}, err
})

type repeated struct {
	cases   []Case
	rows    []Row
	skipped []Skipped
}

// allRepeated is what came of all measured runs; without -short, since that takes
// seconds.
func allRepeated(t *testing.T) repeated {
	t.Helper()
	if testing.Short() {
		t.Skip("long")
	}
	if !exists(measuredFolder) {
		t.Skip("needs ../shared/measured")
	}
	all, err := repeatAll()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// medianError is the median of the absolute errors of a metric over the rows
// that a label marks, in percent; any value will do for an empty label.
func medianError(rows []Row, metric, label, value string) (median float64, n int) {
	var all []Row
	for _, r := range rows {
		if r.Metric == metric && (label == "" || r.Labels[label] == value) {
			all = append(all, r)
		}
	}
	return Summarize(all).MedianAPE, len(all)
}

// The errors over all measured runs stay within what the project sets itself;
// docs/accuracy.md explains what they rest on.
//
// The TTFT of closed-loop runs rests on the public recipes of their campaigns (see held.go).
// Prompts of mixtures of experts are predicted too fast.
func TestAccuracyTargets(t *testing.T) {
	all := allRepeated(t)
	for _, c := range []struct {
		metric, label, value string
		atMost               float64 // percent
		runs                 int     // at least
	}{
		{"tpot_mean_ms", "", "", 4, 55},
		{"e2e_mean_ms", "", "", 4, 55},
		{"e2e_p99_ms", "", "", 6.5, 55},
		{"ttft_mean_ms", "prefill", "computed", 4, 7},
		{"ttft_mean_ms", "prefill", "cached", 6.5, 40},
		{"silicon_tpot_ms", "kind", "dense", 6.2, 700},
		{"silicon_tpot_ms", "kind", "MoE", 5.5, 300},
		{"silicon_ttft_ms", "kind", "dense", 13, 700},
		{"silicon_ttft_ms", "kind", "MoE", 20, 280},
	} {
		median, n := medianError(all.rows, c.metric, c.label, c.value)
		t.Logf("%-16s %-8s %-8s %5d runs: %5.2f %% (at most %.1f %%)", c.metric, c.label, c.value, n, median, c.atMost)
		if !(median <= c.atMost) || n < c.runs {
			t.Errorf("%s %s %s: median error %.2f %% of %d runs, want at most %.1f %% of %d", c.metric, c.label, c.value, median, n, c.atMost, c.runs)
		}
	}
	checkComplete(t, all.cases, all.rows, all.skipped)
}

// TestReadmeSaysTheErrors: the errors in the README are those of the runs.
func TestReadmeSaysTheErrors(t *testing.T) {
	all := allRepeated(t)
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := strings.Join(strings.Fields(string(text)), " ")
	together := slices.DeleteFunc(slices.Clone(all.rows), func(r Row) bool { return strings.Contains(r.ID, "disagg") })
	of := func(metric, value string) string {
		median, _ := medianError(together, metric, map[bool]string{true: "kind"}[value != ""], value)
		return fmt.Sprintf("%.0f", median)
	}
	for _, want := range []string{
		"TPOT " + of("tpot_mean_ms", "") + " %, end-to-end latency " + of("e2e_mean_ms", "") + " %, its 99th percentile " +
			of("e2e_p99_ms", "") + " %, TTFT " + of("ttft_mean_ms", "") + " %;",
		"TPOT " + of("silicon_tpot_ms", "dense") + " % for dense models and " + of("silicon_tpot_ms", "MoE") +
			" % for mixtures of experts, TTFT " + of("silicon_ttft_ms", "dense") + " and " + of("silicon_ttft_ms", "MoE") + " %.",
	} {
		if !strings.Contains(readme, want) {
			t.Errorf("the README does not say: %s", want)
		}
	}
}

// checkComplete fails unless every run has rows or a reason, and every number of
// a run that was simulated has a prediction.
func checkComplete(t *testing.T, cases []Case, rows []Row, skipped []Skipped) {
	t.Helper()
	reasons := map[string]string{}
	for _, s := range skipped {
		reasons[s.ID] = s.Reason
	}
	predicted := map[string]int{}
	for _, r := range rows {
		predicted[r.ID]++
		if !(r.Predicted > 0) {
			t.Errorf("%s: %s of %v", r.ID, r.Metric, r.Predicted)
		}
	}
	for _, c := range cases {
		if want := len(c.Measured); reasons[c.ID] == "" && predicted[c.ID] != want {
			t.Errorf("%s has %d predictions of %d, and no reason", c.ID, predicted[c.ID], want)
		}
	}
}

// The errors of every campaign of closed-loop runs: engine and version, model,
// accelerator and precision.
func TestCampaigns(t *testing.T) {
	rows := slices.Clone(allRepeated(t).rows)
	rows = slices.DeleteFunc(rows, func(r Row) bool { return !strings.HasPrefix(r.Metric, "silicon_") })
	byCampaign := map[string]map[string][]Row{}
	var names []string
	for _, r := range rows {
		name := strings.Join([]string{r.Labels["engine"], r.Labels["model"], r.Labels["accelerator"], r.Labels["precision"]}, " ")
		if byCampaign[name] == nil {
			byCampaign[name] = map[string][]Row{}
			names = append(names, name)
		}
		byCampaign[name][r.Metric] = append(byCampaign[name][r.Metric], r)
	}
	slices.Sort(names)
	for _, name := range names {
		tpot, ttft := Summarize(byCampaign[name]["silicon_tpot_ms"]), Summarize(byCampaign[name]["silicon_ttft_ms"])
		t.Logf("%-60s %4d  TPOT %5.1f %% (%+.1f)  TTFT %5.1f %% (%+.1f)", name, tpot.N, tpot.MedianAPE, medianBias(byCampaign[name]["silicon_tpot_ms"]),
			ttft.MedianAPE, medianBias(byCampaign[name]["silicon_ttft_ms"]))
		if tpot.N >= 20 && tpot.MedianAPE > 20 {
			t.Errorf("%s: median error of TPOT %.1f %%, at most 20 %%", name, tpot.MedianAPE)
		}
	}
}

// medianBias is the median of the signed errors, in percent.
func medianBias(rows []Row) float64 {
	signed := make([]float64, len(rows))
	for i := range rows {
		signed[i] = 100 * rows[i].Error()
	}
	slices.Sort(signed)
	return metrics.Quantile(signed, 0.5)
}
