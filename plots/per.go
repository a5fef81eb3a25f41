package plots

import (
	"maps"
	"math"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// divisor is what a rate is divided by: how it is said, how it is written in a unit, and which
// metric of a point it is.
type divisor struct{ words, unit, key string }

// divisors are those of results.PlotUnits.
var divisors = map[string]divisor{
	results.PerAccelerator: {" per accelerator", "/accelerator", metrics.Accelerators},
	results.PerDollar:      {" per $/h", "/($/h)", metrics.PricePerHour},
	results.PerWatt:        {" per watt", "/W", metrics.MeanPower},
}

// divided is a point with its rates, and those of its classes, divided by the accelerators
// of the deployment, by their price or by their power. Where that is not known, rates have
// no value.
func divided(p results.Point, per string) results.Point {
	if per == "" {
		return p
	}
	by := estimate(p, divisors[per].key).Mean
	if !(by > 0) {
		by = math.NaN()
	}
	p.Metrics = quotients(p.Metrics, by)
	clients := make([]results.ClientPoint, len(p.Clients))
	for i, c := range p.Clients {
		clients[i] = results.ClientPoint{Name: c.Name, Metrics: quotients(c.Metrics, by)}
	}
	p.Clients = clients
	return p
}

// quotients are metrics with the rates among them divided by a number.
func quotients(all map[string]metrics.Estimate, by float64) map[string]metrics.Estimate {
	divided := maps.Clone(all)
	for key, e := range divided {
		if d, _ := metrics.Lookup(key); d.IsRate() {
			e.Mean, e.Half = e.Mean/by, e.Half/by
			divided[key] = e
		}
	}
	return divided
}

// measure is how a metric of the figure is shown.
func (r *request) measure(key string) measure {
	m := measureOf(r.res, key)
	if d, _ := metrics.Lookup(key); r.Per != "" && d.IsRate() {
		per := divisors[r.Per]
		m.title, m.brief, m.what, m.per = m.title+per.words, m.brief+per.words, m.what+per.words, per.unit
	}
	return m
}

// acceleratorsDiffer tells whether points are of deployments that differ in the number of
// accelerators.
func acceleratorsDiffer(res *results.Results) bool {
	return differ(res, func(p results.Point) float64 { return estimate(p, metrics.Accelerators).Mean })
}

// pricesDiffer tells whether an accelerator of one point costs more than that of another.
func pricesDiffer(res *results.Results) bool {
	return differ(res, func(p results.Point) float64 {
		return estimate(p, metrics.PricePerHour).Mean / estimate(p, metrics.Accelerators).Mean
	})
}

// differ tells whether a value is known at all points, and differs between them by more
// than rounding.
func differ(res *results.Results, of func(results.Point) float64) bool {
	least, most := math.Inf(1), math.Inf(-1)
	for _, s := range res.Series {
		for _, p := range s.Points {
			v := of(p)
			least, most = min(least, v), max(most, v) // NaN stays
		}
	}
	return most > least*(1+1e-6)
}
