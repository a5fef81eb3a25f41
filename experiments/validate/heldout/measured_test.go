package heldout

import (
	"context"
	"os"
	"testing"

	"kneepoint/experiments/validate"
	"kneepoint/internal/effort"
)

const measuredFolder = "../../../../shared/measured"

// What the measured runs say of constants that were chosen with them in view: models that
// were left out of a refit are predicted nearly as well as those that were not. With a
// higher effort, since it takes minutes.
func TestMeasuredRuns(t *testing.T) {
	if effort.Times(t, 1) < 10 {
		t.Skip("takes minutes")
	}
	if _, err := os.Stat(measuredFolder); err != nil {
		t.Skip("needs ../shared/measured")
	}
	cases, err := validate.Read(measuredFolder)
	if err != nil {
		t.Fatal(err)
	}
	rows, _, err := validate.Run(context.Background(), cases, 2, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Study(t.Context(), cases, rows, Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	atMost := map[string]float64{"tpot_mean_ms": 6, "e2e_mean_ms": 6, "ttft_mean_ms": 12}
	for _, e := range r.Errors {
		if limit, ok := atMost[e.Metric]; ok && e.Of == Model && e.Left == "" {
			t.Logf("%s: %.1f %% of %d runs", e.Metric, e.HeldOut.MedianAPE, e.HeldOut.N)
			if !(e.HeldOut.MedianAPE <= limit) {
				t.Errorf("%s of models that were left out: median error %.1f %%, at most %.0f %%", e.Metric, e.HeldOut.MedianAPE, limit)
			}
		}
	}
}
