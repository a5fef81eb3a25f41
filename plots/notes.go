package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
)

// notes are what a reader should know of a figure, the most needed first: whether numbers
// are estimated, what they are held against, how sure they are, and what the marks mean;
// then what they come from, and every warning in full.
func notes(res *results.Results, band string, marks ...string) []string {
	var all []string
	if slices.ContainsFunc(res.Warnings, func(w results.Warning) bool { return w.Kind == results.Estimated }) {
		all = append(all, "estimated constants")
	}
	if text := objective(res); text != "" {
		all = append(all, text)
	}
	if text := seedsNote(res); text != "" {
		all = append(all, text)
	}
	if band != "" {
		all = append(all, band+" = 95 % CI")
	}
	if res.Incomplete {
		all = append(all, "interrupted: runs are missing")
	}
	all = append(append(all, marks...), fleetNotes(res)...)
	all = append(all, strings.TrimSpace("kneepoint "+res.Version))
	if res.Title != "" {
		all = append(all, res.Title)
	}
	for _, w := range res.Warnings {
		if w.Kind != results.EnergyEstimated && w.Kind != results.Undecided { // said where energy is shown, and by marks
			all = append(all, w.String())
		}
	}
	return all
}

// fleetNotes say how many replicas serve the strategies that are shown, and in which pools, each fleet once.
func fleetNotes(res *results.Results) []string {
	names := map[string][]string{} // of the strategies that have it
	var fleets []string
	for i, name := range res.Strategies[:min(len(res.Strategies), len(res.Facts.Strategies))] {
		if !slices.ContainsFunc(res.Series, func(s results.Series) bool { return s.Strategy == name }) {
			continue
		}
		fleet := fleetOf(res, i)
		if !slices.Contains(fleets, fleet) {
			fleets = append(fleets, fleet)
		}
		names[fleet] = append(names[fleet], name)
	}
	if len(fleets) == 1 && fleets[0] != "" {
		return []string{"fleet: " + fleets[0]}
	}
	var notes []string
	for _, fleet := range fleets {
		if fleet != "" {
			notes = append(notes, strings.Join(names[fleet], "; ")+": "+fleet)
		}
	}
	return notes
}

// fleetOf is that of a strategy in words; nothing of one replica, and where it is swept, which
// names say.
func fleetOf(res *results.Results, strategy int) string {
	text := res.Facts.Strategies[strategy].Fleet
	for _, at := range res.Points {
		if at.Deployments != nil && at.Deployments[strategy].Fleet != text {
			return ""
		}
	}
	return text
}

// costNotes say what energy and costs rest on, where one of the metrics is about them.
func costNotes(res *results.Results, shown ...measure) []string {
	var all []string
	if res.Prices != nil && slices.ContainsFunc(shown, measure.isCost) {
		all = append(all, res.Prices.Text())
	}
	if !slices.ContainsFunc(shown, measure.isEnergy) {
		return all
	}
	for _, w := range res.Warnings {
		if w.Kind == results.EnergyEstimated {
			all = append(all, w.String())
		}
	}
	return all
}

// isCost tells whether a metric is in dollars, or divided by them.
func (m measure) isCost() bool {
	return strings.Contains(m.key, "usd") || m.per == divisors[results.PerDollar].unit
}

// isEnergy tells whether a metric is energy, or divided by power.
func (m measure) isEnergy() bool {
	return strings.HasPrefix(m.key, "energy_") || strings.HasPrefix(m.key, "gco2_") ||
		m.key == metrics.SitePower || m.key == metrics.MeanPower || m.per == divisors[results.PerWatt].unit
}

// commonSLO is the SLO without the bounds that differ between the points.
func commonSLO(res *results.Results) results.SLO {
	slo := res.SLO
	for key, bound := range map[string]*float64{
		"ttft_ms": &slo.TTFTms, "tpot_ms": &slo.TPOTms, "e2el_ms": &slo.E2ELms, "itl_p99_ms": &slo.ITLp99ms, "attainment": &slo.Attainment,
	} {
		if isSwept(res, "slo."+key) {
			*bound = 0
		}
	}
	return slo
}

// objective is the SLO of one request, as far as it is the same at all points;
// nothing where there is none.
func objective(res *results.Results) string {
	slo := commonSLO(res)
	var bounds []string
	for _, b := range slo.Bounds() {
		bounds = append(bounds, b.Name+" ≤ "+latency(b.MS))
	}
	if res.Facts.Traffic.OwnObjectives {
		bounds = append(bounds, "clients' own")
	}
	if bounds == nil {
		return ""
	}
	return "SLO: " + strings.Join(bounds, ", ")
}

// seedsNote says how many replications there are; nothing where there are none.
func seedsNote(res *results.Results) string {
	switch n := seeds(res); n {
	case 0:
		return ""
	case 1:
		return "1 seed"
	default:
		return strconv.Itoa(n) + " seeds"
	}
}

// ofOneRun are notes without the number of replications, of which a figure shows one.
func ofOneRun(notes []string, res *results.Results) []string {
	return slices.DeleteFunc(notes, func(note string) bool { return note == seedsNote(res) })
}

// seeds is the largest number of replications behind a value.
func seeds(res *results.Results) int {
	n := 0
	for _, s := range res.Series {
		for _, p := range s.Points {
			for _, e := range p.Metrics {
				n = max(n, e.N)
			}
		}
	}
	return n
}

// curveNotes explains the marks of a figure of curves.
func curveNotes(res *results.Results, curves []curve, s sweep) []string {
	notes := zipped(res)
	if hasKneeMark(curves, chart.Circle) {
		notes = append(
			notes,
			fmt.Sprintf("large circle: knee, the largest %s at which %s of the requests meet the SLO", s.amount(), shares(res)),
		)
	}
	if slices.ContainsFunc(curves, func(c curve) bool { return c.knee != nil && finite(c.knee.low) }) {
		notes = append(notes, "bar: its 95 % interval, where wider than the circle, from a search in runs of its own")
	}
	if hasKneeMark(curves, chart.Square) {
		notes = append(notes, "large square: knee, the largest throughput / latency")
	}
	if names := neverMet(res); len(names) > 0 {
		notes = append(notes, "SLO not met at any point: "+strings.Join(names, ", "))
	}
	hollow := "hollow, dashed"
	if s.categories != nil {
		hollow = "hollow"
	}
	notes = append(notes, saturationNotes(hollow, func(answer results.Finding) bool { return anySaturated(curves, answer) })...)
	for _, c := range curves {
		if !hasDots(c) {
			notes = append(notes, c.name+": no values")
		}
	}
	return notes
}

// saturationNotes explains how saturated values look, and those of runs that are too
// short to tell; has says whether a figure has such.
func saturationNotes(hollow string, has func(results.Finding) bool) []string {
	var notes []string
	if has(results.Yes) {
		notes = append(notes, hollow+": saturated, latency grows with run length")
	}
	if has(results.Unknown) {
		notes = append(notes, "pale: runs too short to tell whether saturated")
	}
	return notes
}

// offLog names the curves of which a logarithmic axis shows nothing, since they
// are zero.
func offLog(curves []curve, x, y bool) []string {
	var notes []string
	for _, c := range curves {
		shown := slices.ContainsFunc(c.dots, func(d dot) bool { return (!x || d.x > 0) && (!y || d.y > 0) })
		if hasDots(c) && !shown {
			notes = append(notes, c.name+": 0, off the scale")
		}
	}
	return notes
}

// hiddenCurves names, for every curve that hides an earlier one from the first value of
// the sweep on, the one that it hides most of.
func hiddenCurves(curves []curve, s sweep) []string {
	if s.categories != nil {
		return nil
	}
	var notes []string
	for i, above := range curves {
		note, most := "", 1
		for _, below := range curves[:i] {
			n := commonDots(above.dots, below.dots)
			if n <= most {
				continue
			}
			note, most = above.name+" lies on "+below.name, n
			if n < len(above.dots) {
				note += " up to " + s.quantity(exact(above.dots[n-1].swept))
			}
		}
		if note != "" {
			notes = append(notes, note)
		}
	}
	return notes
}

// commonDots is the number of dots that two curves have in common from the first one
// on. Equal but for rounding is equal: it cannot be seen.
func commonDots(a, b []dot) int {
	near := func(x, y float64) bool { return math.Abs(x-y) <= 1e-6*math.Abs(x) }
	n := 0
	for n < min(len(a), len(b)) && near(a[n].x, b[n].x) && near(a[n].y, b[n].y) {
		n++
	}
	return n
}

// zipped says which variables go together with the first swept one, value by
// value; those that name curves stand in the curves' names.
func zipped(res *results.Results) []string {
	if !res.Zipped {
		return nil
	}
	var notes []string
	names := res.CurveAxes()
	for _, axis := range res.Sweep[1:] {
		if slices.ContainsFunc(names, func(a results.Axis) bool { return a.Path == axis.Path }) {
			continue
		}
		values := make([]string, len(axis.Values))
		for i, v := range axis.Values {
			values[i] = valueName(v)
		}
		note := "along with it, " + cmp.Or(axis.Label, axis.Path) + " " + strings.Join(values, ", ") + " " + axis.Unit
		notes = append(notes, strings.TrimSpace(note))
	}
	return notes
}

// neverMet names the series that meet the objective nowhere.
func neverMet(res *results.Results) []string {
	var names []string
	for _, s := range res.Series {
		if s.Knee != nil && s.Knee.Kind == results.KneeBelow {
			names = append(names, seriesName(s))
		}
	}
	return names
}

// hasKneeMark tells whether a curve's knee is marked by a shape, which is then explained.
func hasKneeMark(curves []curve, s chart.Shape) bool {
	return slices.ContainsFunc(curves, func(c curve) bool { return c.knee != nil && c.knee.shape == s })
}
