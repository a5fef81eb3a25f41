package results

import (
	"math"
	"slices"
	"strings"

	"kneepoint/sim/metrics"
)

// Replay is what a run that replays a trace tells of its precision. All replications have
// the same traffic, which is one sample.
type Replay struct {
	Draws []string           `json:"draws,omitempty"` // all that differs between replications
	Block int                `json:"block,omitempty"` // requests of a block of the bootstrap
	Half  map[string]float64 `json:"ci95,omitempty"`  // half widths of 95 % intervals, by metric, where nothing differs
}

// replayed is what the replications of a group say of their precision, as replays of a
// trace; nil where the traffic differs between them. All say the same of what they draw.
func (g *group) replayed() *Replay {
	if len(g.runs) == 0 {
		return nil
	}
	return g.runs[0].Replay
}

// sameTraffic tells whether the replications differ in nothing.
func (g *group) sameTraffic() bool {
	r := g.replayed()
	return r != nil && len(r.Draws) == 0
}

// ofReplay sets the intervals of estimates over replays of a trace that draw nothing: from
// the bootstrap of the run, or none.
func (r *Replay) ofReplay(all map[string]metrics.Estimate) {
	if r == nil || len(r.Draws) > 0 {
		return
	}
	for key, estimate := range all {
		estimate.Half = math.NaN()
		if half, ok := r.Half[key]; ok {
			estimate.Half = half
		}
		all[key] = estimate
	}
}

// replayWarnings say of replays of a trace what their intervals are.
func (p *Plan) replayWarnings(groups []group) []Warning {
	var resampled, bare, drawn []int
	var draws []string
	least, most := math.MaxInt, 0
	for i := range groups {
		switch r := groups[i].replayed(); {
		case r == nil:
		case len(r.Draws) > 0:
			drawn = append(drawn, i)
			for _, draw := range r.Draws {
				if !slices.Contains(draws, draw) {
					draws = append(draws, draw)
				}
			}
		case r.Half == nil:
			bare = append(bare, i)
		default:
			resampled = append(resampled, i)
			least, most = min(least, r.Block), max(most, r.Block)
		}
	}
	var all []Warning
	add := func(of []int, text string) {
		if len(of) > 0 {
			all = append(all, Warning{TraceReplayed, text, p.whereOf(groups, of)})
		}
	}
	add(
		resampled,
		"every replication replays the same trace: intervals are from a bootstrap over its time, in blocks of "+between(
			least,
			most,
		)+" requests, not over seeds",
	)
	add(bare, "every replication replays the same trace: there are no intervals")
	if p.Replications > 1 {
		add(drawn, "every replication replays the same trace: intervals are over "+strings.Join(draws, " and ")+" alone, not over traffic")
	}
	return all
}
