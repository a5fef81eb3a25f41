package metrics

import (
	"math"

	"kneepoint/hardware"
	"kneepoint/units"
)

// Why says where the time of the requests of a run went, and what kept it from
// being less.
type Why struct {
	Bottleneck Bottleneck `json:"bottleneck"`
	TTFT       Split      `json:"ttft"`
	E2EL       Split      `json:"e2el"`
}

// Split is the parts of a latency, by statistic: "mean", "p50", "p90", … Those of
// a statistic sum to it.
type Split map[string]Parts

// splitAt are the percentiles of which the parts are given.
var splitAt = append([]float64{50}, Percentiles...)

// SplitStatistics are the statistics of a Split in order.
func SplitStatistics() []string {
	all := []string{"mean"}
	for _, p := range splitAt {
		all = append(all, PercentileName(p))
	}
	return all
}

// PercentileName is the name of a percentile among the statistics.
func PercentileName(p float64) string { return "p" + units.Shortest(p) }

// Explain splits the latencies of a whole run and names its bottleneck. costs are the
// cost models of its pools, in their order. With window the latencies are those of the
// requests inside the measuring window. A streamed run has the parts of means
// alone, since its requests are gone; a run that completed none has no parts.
func Explain(rec *Record, slo Objective, costs []hardware.CostModel, window bool) *Why {
	w := &Why{TTFT: Split{}, E2EL: Split{}}
	w.Bottleneck = bottleneck(rec, rec.tally(slo, false), costs)
	t := rec.tally(slo, window)
	if t.completed == 0 {
		return w
	}
	w.TTFT.setMean(t.ttft, &t.ttftParts)
	w.E2EL.setMean(t.e2el, &t.e2elParts)
	if rec.Stream == nil {
		w.TTFT.setPercentiles(rec, window, t.ttft.(*exactValues), (*Request).TTFT, (*Request).TTFTParts)
		w.E2EL.setPercentiles(rec, window, t.e2el.(*exactValues), (*Request).E2EL, (*Request).E2ELParts)
	}
	return w
}

// setMean sets the mean parts, given their sums.
func (s Split) setMean(d distribution, sums *Parts) {
	s["mean"] = sums.scaled(units.Seconds(d.mean()))
}

// neighbourhood is how far, in percentiles, requests may be from a percentile to count
// for its parts.
const neighbourhood = 1

// setPercentiles sets the parts of percentiles: a percentile is one request's
// time, or lies between two, so its shares are those of the requests around it,
// from the percentile before to the one behind.
func (s Split) setPercentiles(
	rec *Record,
	window bool,
	values *exactValues,
	latency func(*Request) units.Seconds,
	parts func(*Request) Parts,
) {
	type neighbours struct {
		low, high units.Seconds
		sum       Parts
	}
	near := make([]neighbours, len(splitAt))
	for i, p := range splitAt {
		near[i].low, near[i].high = values.around(p)
	}
	for id := range rec.Requests {
		r := &rec.Requests[id]
		if r.State != Completed || window && !r.InWindow {
			continue
		}
		for i := range near {
			if l := latency(r); near[i].low <= l && l <= near[i].high {
				q := parts(r)
				near[i].sum.Add(&q, 1)
			}
		}
	}
	for i, p := range splitAt {
		s[PercentileName(p)] = near[i].sum.scaled(units.Seconds(values.quantile(p / 100)))
	}
}

// around is the values between which requests are around a percentile; at least one value is among them.
func (e *exactValues) around(percentile float64) (low, high units.Seconds) {
	last := float64(len(e.values) - 1)
	first := math.Floor(math.Max(0, percentile-neighbourhood) / 100 * last)
	end := math.Ceil(math.Min(100, percentile+neighbourhood) / 100 * last)
	return units.Seconds(e.at(int(first))), units.Seconds(e.at(int(end)))
}
