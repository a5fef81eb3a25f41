package experiments

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"kneepoint/internal/effort"
)

// breakdowns is an M/M/1 queue whose server breaks down at a rate f while it is up, is
// repaired at a rate r, and goes on where it was. Tokens are an exponential number that take
// their time, and the step that computes them again has the next one.
const breakdowns = `title = "breakdowns"
replications = 6
[hardware]
cost_model = "synthetic"
kv_tokens = 10000000
[hardware.synthetic]
per_decode_row = "1ms"
per_prefill_chunk = "1ms"
[workload]
num_requests = REQUESTS
[workload.arrival]
rate = LOAD
[workload.input]
type = "fixed"
mean = 1
[workload.output]
type = "exponential"
mean = 1000
[measure]
warmup = 0.1
[fleet.queue]
max_in_flight = 1
[fleet.startup]
cold_start = "0s"
[[fleet.failure]]
mtbf = "MTBF"
repair = "REPAIR"
repair_distribution = "exponential"
[[strategy]]
name = "one"
max_num_batched_tokens = 10000000
`

// TestBreakdownsOfAFile: E[T] = (μf + (f+r)²) / ((f+r)(rμ - λ(f+r))).
func TestBreakdownsOfAFile(t *testing.T) {
	for _, c := range []struct{ load, f, r float64 }{{.3, .02, .2}, {.5, .1, 1}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			n := effort.Times(t, 20000)
			text := strings.NewReplacer("REQUESTS", fmt.Sprint(n), "LOAD", fmt.Sprint(c.load),
				"MTBF", fmt.Sprintf("%gs", 1/c.f), "REPAIR", fmt.Sprintf("%gs", 1/c.r)).Replace(breakdowns)
			res, err := experiment(t, text).Run(context.Background(), Options{})
			if err != nil {
				t.Fatal(err)
			}
			var sum, squares float64
			for i := range res.Runs {
				mean := res.Runs[i].Steady.Get("mean_e2el_ms") / 1e3
				sum, squares = sum+mean, squares+mean*mean
			}
			runs := float64(len(res.Runs))
			got := sum / runs
			se := math.Sqrt(max(0, squares/runs-got*got) / (runs - 1))
			want := (c.f + (c.f+c.r)*(c.f+c.r)) / ((c.f + c.r) * (c.r - c.load*(c.f+c.r)))
			t.Logf("E[T] %.4f ± %.4f, in theory %.4f", got, se, want)
			if math.Abs(got-want) > max(0.02*want, 4*se) {
				t.Errorf("E[T] is %v ± %v, not %v", got, se, want)
			}
		})
	}
}
