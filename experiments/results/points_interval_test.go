package results

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// TestPointsIntervals: intervals stay within what a metric can be, those of times are of the
// logarithm where there is one, and replications that are all alike have none.
func TestPointsIntervals(t *testing.T) {
	values := map[string][]float64{metrics.Duration: {10, 100, 1000}, metrics.KVExposedTime: {0, 1, 2},
		metrics.Saturated: {1, 1, 0}, metrics.Steps: {1, 2, 3}}
	for name, c := range map[string]struct {
		replay *Replay
		want   map[string]string // low and high
	}{
		"drawn": {nil, map[string]string{metrics.Duration: "1.2 112920", metrics.KVExposedTime: "0 3.484", metrics.Saturated: "0 1",
			metrics.Steps: "0 4.484", "mean_ttft_queue_ms": "2.953 737.4", metrics.P99TTFT: "25.26 142.5"}},
		"replayed": {&Replay{Half: map[string]float64{metrics.Duration: 37, metrics.P99TTFT: 37}},
			map[string]string{metrics.Duration: "335 408.9", metrics.Saturated: " ", "mean_ttft_queue_ms": " ", metrics.P99TTFT: " "}},
	} {
		t.Run(name, func(t *testing.T) {
			p := &Plan{Strategies: []string{"a"}, Replications: 3, Points: []PlannedPoint{{}}}
			p.Cells = p.AllCells()
			outcomes := map[string]*Outcome{}
			for i := range p.Cells {
				p.Cells[i].Key = fmt.Sprint(i)
				x := float64(i + 1)
				o := &Outcome{Metrics: metrics.Values{}, Steady: metrics.Values{metrics.P99TTFT: 20 * (x + 1)}, Replay: c.replay,
					Why: &metrics.Why{TTFT: metrics.Split{"mean": {metrics.Queue: units.Seconds(x * x * 1e-2)}}}}
				for key, of := range values {
					o.Metrics[key] = of[i]
				}
				outcomes[p.Cells[i].Key] = o
			}
			res := Aggregate(p, ByKey(outcomes))
			_, rows := rowsOf(t, func(b *bytes.Buffer) error { return res.WritePoints(b) })
			found := 0
			for _, r := range rows {
				if want, asked := c.want[r["metric"]]; asked {
					found++
					checkEnds(t, r, want)
				}
			}
			if found != len(c.want) {
				t.Errorf("%d of %d metrics are there", found, len(c.want))
			}
		})
	}
}

// checkEnds compares low and high of a row with "low high", to some digits.
func checkEnds(t *testing.T, r row, want string) {
	t.Helper()
	low, high, _ := strings.Cut(want, " ")
	for cell, want := range map[string]string{r["low"]: low, r["high"]: high} {
		x, err := strconv.ParseFloat(cell, 64)
		w, _ := strconv.ParseFloat(want, 64)
		if (cell == "") != (want == "") || cell != "" && (err != nil || math.Abs(x-w) > 0.02*w) {
			t.Errorf("%s is from %q to %q, want %s to %s", r["metric"], r["low"], r["high"], low, high)
		}
	}
}
