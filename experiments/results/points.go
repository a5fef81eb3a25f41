package results

import (
	"cmp"
	"encoding/csv"
	"io"
	"math"

	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// pointColumns are the columns of points.csv behind those that say where a row is.
var pointColumns = []string{"class", "pool", "metric", "unit", "mean", "low", "high", "n", "period", "kind"}

// What the value of a row is of.
const (
	wholeRun     = "whole"
	steadyWindow = "steady"
	mixedWindows = "mixed" // a closed loop of which some runs are too short for a steady state
)

// pointRow is one value of a point or of a curve.
type pointRow struct {
	class           string // of clients; empty: all requests
	pool            string // of replicas; empty: all of them
	metric, unit    string
	mean, low, high float64 // NaN: none
	n               int     // replications that have a value; 0: not known
	window          string
	kind            string // of a knee how it was found, of a bottleneck which one, of an attainment the scale
}

// WritePoints writes points.csv: one row a point and metric, then the parts of its latencies
// and its bottleneck, and behind the points of a curve its knee. A value that is not there has
// no row, and a cell without a value is empty. Errors are those of w.
func (r *Results) WritePoints(w io.Writer) error {
	table := csv.NewWriter(w)
	header := []string{"experiment", "strategy", "curve"}
	for i := range r.Sweep {
		header = append(header, r.Sweep[i].Path)
	}
	if err := table.Write(append(header, pointColumns...)); err != nil {
		return err
	}
	for i := range r.Series {
		s := &r.Series[i]
		for k := range s.Points {
			if err := r.writeRows(table, s, r.SettingOf(s, &s.Points[k]), s.Points[k].rows()); err != nil {
				return err
			}
		}
		if err := r.writeRows(table, s, s.Fixed, r.kneeRows(s)); err != nil {
			return err
		}
	}
	table.Flush()
	return table.Error()
}

// writeRows writes the rows of a curve at a setting. An axis that does not concern the
// strategy has no value there.
func (r *Results) writeRows(table *csv.Writer, s *Series, at Setting, rows []pointRow) error {
	where := []string{r.Name, s.Strategy, s.Label}
	for i := range r.Sweep {
		axis, cell := &r.Sweep[i], ""
		if v, there := at[axis.Path]; there && r.Concerns(*axis, s.Strategy) {
			cell = axis.cell(v)
		}
		where = append(where, cell)
	}
	for i := range rows {
		if err := table.Write(append(where[:len(where):len(where)], rows[i].cells()...)); err != nil {
			return err
		}
	}
	return nil
}

func (r *pointRow) cells() []string {
	return []string{r.class, r.pool, r.metric, r.unit, numberCell(r.mean), numberCell(r.low), numberCell(r.high), countCell(r.n), r.window, r.kind}
}

// numberCell is a number as the CSV files have it. A cell without a value is empty, since a
// zero would be averaged.
func numberCell(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return units.Shortest(x)
}

// rows are the values of a point: metrics, those of a measuring window, those of the classes and
// of the pools, the attainment by the scale of the objective, parts, the bottleneck.
func (p *Point) rows() []pointRow {
	closed := p.group.window(func(run *Run) bool { return run.SteadyState != nil })
	shown := func(key string) string { return p.group.window(func(run *Run) bool { return run.showsSteady(key) }) }
	rows := metricRows(p.Metrics, p.group.samples((*Run).Shown), shown)
	rows = append(rows, metricRows(p.Steady, p.group.samples((*Run).windowed), func(string) string { return steadyWindow })...)
	rows = append(rows, p.classRows(closed)...)
	rows = append(rows, p.poolRows()...)
	for _, x := range p.ByScale {
		d := metrics.Definition{Key: "attainment_by_scale", Kind: metrics.Ratio}
		low, high := intervalOf(d, x.Attainment, nil)
		rows = append(rows, pointRow{metric: d.Key, mean: x.Attainment.Mean, low: low, high: high, n: x.Attainment.N, window: closed,
			kind: numberCell(x.Scale)})
	}
	rows = append(rows, p.partRows("ttft", func(w *metrics.Why) metrics.Split { return w.TTFT }, closed)...)
	rows = append(rows, p.partRows("e2el", func(w *metrics.Why) metrics.Split { return w.E2EL }, closed)...)
	if p.Why.Bottleneck != "" {
		none := math.NaN()
		rows = append(rows, pointRow{metric: "bottleneck", mean: none, low: none, high: none, window: wholeRun, kind: string(p.Why.Bottleneck)})
	}
	return rows
}

// classRows are the values of the classes of clients.
func (p *Point) classRows(window string) []pointRow {
	var all []pointRow
	for class, client := range p.Clients {
		for _, row := range metricRows(client.Metrics, p.group.samples(ofClass(class)), func(string) string { return window }) {
			row.class = client.Name
			all = append(all, row)
		}
	}
	return all
}

// poolRows are the values of the pools of replicas.
func (p *Point) poolRows() []pointRow {
	var all []pointRow
	for pool, of := range p.Pools {
		for _, row := range metricRows(of.Metrics, p.group.samples(ofPool(pool)), func(string) string { return wholeRun }) {
			row.pool = of.Name
			all = append(all, row)
		}
	}
	return all
}

// metricRows are estimates in the order of metrics.Definitions.
func metricRows(all map[string]metrics.Estimate, samples []metrics.Values, window func(key string) string) []pointRow {
	var rows []pointRow
	for _, d := range metrics.Definitions {
		estimate, there := all[d.Key]
		if !there {
			continue
		}
		low, high := intervalOf(d, estimate, valuesOf(samples, d.Key))
		rows = append(rows, pointRow{metric: d.Key, unit: d.Unit, mean: estimate.Mean, low: low, high: high, n: estimate.N, window: window(d.Key)})
	}
	return rows
}

// partRows are the parts of a latency, statistic by statistic, under keys like those of its
// metrics: p99_ttft_queue_ms is part of p99_ttft_ms.
func (p *Point) partRows(latency string, split func(*metrics.Why) metrics.Split, window string) []pointRow {
	var rows []pointRow
	for _, statistic := range metrics.SplitStatistics() {
		parts, there := split(p.Why)[statistic]
		if !there {
			continue
		}
		prefix := cmp.Or(map[string]string{"p50": "median"}[statistic], statistic) + "_" + latency + "_"
		for part, t := range parts {
			d := metrics.Definition{Key: prefix + metrics.PartKeys[part] + "_ms", Unit: "ms"}
			values := p.group.partValues(split, statistic, part)
			estimate := metrics.NewEstimate(values)
			low, high := intervalOf(d, metrics.Estimate{Mean: t.Milliseconds(), Half: estimate.Half}, values)
			rows = append(rows, pointRow{metric: d.Key, unit: d.Unit, mean: t.Milliseconds(), low: low, high: high, n: estimate.N, window: window})
		}
	}
	return rows
}

// partValues are the milliseconds of a part in each replication that has it, as samples.
func (g *group) partValues(split func(*metrics.Why) metrics.Split, statistic string, part int) []float64 {
	if g == nil || g.sameTraffic() {
		return nil
	}
	var values []float64
	for _, run := range g.runs {
		if parts, there := split(run.Why)[statistic]; there {
			values = append(values, parts[part].Milliseconds())
		}
	}
	return values
}

// kneeRows are the knee of a curve, in the unit of the first swept variable. low and high are
// its interval, or where its kind is not searched the loads that it lies between.
func (r *Results) kneeRows(s *Series) []pointRow {
	if s.Knee == nil {
		return nil
	}
	k, window := s.Knee, wholeRun
	if k.Basis == SteadyState {
		window = steadyWindow
	}
	rows := []pointRow{{metric: "knee", unit: r.Sweep[0].Unit, mean: k.Value, low: orNaN(k.Low), high: orNaN(k.High), window: window,
		kind: string(k.Kind)}}
	if s.KneeOffered != nil {
		rows = append(rows, pointRow{metric: "knee_offered", unit: "req/s", mean: *s.KneeOffered, low: math.NaN(), high: math.NaN(), window: wholeRun})
	}
	return rows
}

func orNaN(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

// window says what runs show of something: whole runs, or steady states where isSteady.
func (g *group) window(isSteady func(*Run) bool) string {
	steady := 0
	if g != nil {
		for _, run := range g.runs {
			if isSteady(run) {
				steady++
			}
		}
	}
	switch {
	case steady == 0:
		return wholeRun
	case steady == len(g.runs):
		return steadyWindow
	}
	return mixedWindows
}
