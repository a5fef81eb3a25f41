package main

import (
	"math"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// poolMetrics are those of the table by pool, as far as any pool has them: what it did, how much
// of it was used, and what it took.
var poolMetrics = []struct {
	metric string
	spare  int // as in a head
}{
	{metrics.Replicas, 0}, {metrics.RoutedRequests, 2}, {metrics.PromptThroughput, 0}, {metrics.GenerationThroughput, 0},
	{metrics.BusyFraction, 0}, {metrics.IdleShare, 6}, {metrics.MBU, 1}, {metrics.MFU, 1}, {metrics.MeanKVUtilization, 0},
	{metrics.MeanWaiting, 3}, {metrics.Preemptions, 4}, {metrics.PrefixHitRate, 0}, {metrics.LoadImbalance, 5}, {metrics.MeanPower, 7},
	{metrics.PricePerHour, 4},
}

// renderPools writes a table by pool of replicas of all curves that have several.
func renderPools(p page, res *results.Results) {
	var rows []poolRow
	for i := range res.Series {
		rows = append(rows, poolRows(res, &res.Series[i])...)
	}
	if rows == nil {
		return
	}
	p.heading("by pool of replicas")
	poolSheet(res, rows).print(p)
}

// poolRow is a pool at a point of a curve.
type poolRow struct {
	curve, load string
	results.PoolPoint
}

func poolRows(res *results.Results, s *results.Series) []poolRow {
	var rows []poolRow
	for k := range s.Points {
		for _, pool := range s.Points[k].Pools {
			rows = append(rows, poolRow{s.Label, s.Points[k].Value.String(), pool})
		}
	}
	// Pool by pool, since a pool is looked at over the loads.
	slices.SortStableFunc(rows, func(a, b poolRow) int { return index(s, a.Name) - index(s, b.Name) })
	return rows
}

// index is the place of a pool among those of a curve.
func index(s *results.Series, pool string) int {
	return slices.IndexFunc(s.Points[0].Pools, func(p results.PoolPoint) bool { return p.Name == pool })
}

func poolSheet(res *results.Results, rows []poolRow) *sheet {
	heads := []head{{title: "strategy", name: isName}, {title: "pool", name: isName}}
	if len(res.Sweep) > 0 {
		heads = append(heads, axisHead(&res.Sweep[0]))
	}
	cells := make([]table.Row, len(rows))
	for i, r := range rows {
		cells[i] = table.Row{r.curve, r.Name}
		if len(res.Sweep) > 0 {
			cells[i] = append(cells[i], r.load)
		}
	}
	for _, m := range poolMetrics {
		values, seen := make([]float64, len(rows)), false
		for i := range rows {
			values[i] = meanOf(rows[i].Metrics, m.metric)
			seen = seen || math.Abs(values[i]) > 0
		}
		if !seen {
			continue
		}
		scale := scaleOf(m.metric, values)
		heads = append(heads, head{title: scale.title(columnTitle(m.metric)), spare: m.spare})
		for i := range rows {
			cells[i] = append(cells[i], known(values[i], scale.write))
		}
	}
	t := newSheet(heads...)
	t.AppendRows(cells)
	return t
}
