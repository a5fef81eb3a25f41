package results

import (
	"math"
	"testing"

	"kneepoint/sim/metrics"
)

// TestReplayedIntervals: of a replay that draws nothing the intervals are those of its
// bootstrap, or none; where something is drawn they are over the replications.
func TestReplayedIntervals(t *testing.T) {
	values := []metrics.Values{{"p99_ttft_ms": 10, "mbu": 1}, {"p99_ttft_ms": 10, "mbu": 1}, {"p99_ttft_ms": 10, "mbu": 1}}
	for _, c := range []struct {
		name       string
		replay     *Replay
		ttft, used float64 // half widths
	}{
		{"other traffic", nil, 0, 0},
		{"nothing drawn", &Replay{Block: 3, Half: map[string]float64{"p99_ttft_ms": 2}}, 2, math.NaN()},
		{"streamed", &Replay{}, math.NaN(), math.NaN()},
		{"guesses drawn", &Replay{Draws: []string{"accepted guesses"}}, 0, 0},
	} {
		g, base := group{}, group{}
		for i, v := range values {
			g.runs = append(g.runs, &Run{Replication: i, Outcome: Outcome{Metrics: v, Replay: c.replay}})
			base.runs = append(base.runs, &Run{Replication: i, Outcome: Outcome{Metrics: v, Replay: c.replay}})
		}
		all := g.estimates((*Run).Shown)
		for key, want := range map[string]float64{"p99_ttft_ms": c.ttft, "mbu": c.used} {
			if got := all[key].Half; got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s: %s ± %v, want %v", c.name, key, got, want)
			}
		}
		p := &Plan{Strategies: []string{"a", "b"}, Points: []PlannedPoint{{}}}
		base.strategy, g.strategy = "a", "b"
		half := p.differences([]group{base, g})[0].Absolute["p99_ttft_ms"].Half
		if none := c.replay != nil && len(c.replay.Draws) == 0; math.IsNaN(half) != none {
			t.Errorf("%s: the difference has ± %v", c.name, half)
		}
	}
}
