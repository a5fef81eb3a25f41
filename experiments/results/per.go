package results

import "kneepoint/sim/metrics"

// perKeys are the metrics that rates are divided by, and how much of them a unit is.
var perKeys = map[string]struct {
	key   string
	units float64
}{
	PerAccelerator: {metrics.Accelerators, 1},
	PerDollar:      {metrics.PricePerHour, 3600}, // tokens/s over $/s are tokens/$
	PerWatt:        {metrics.MeanPower, 1},       // tokens/s over W are tokens/J
}

// Per is a rate of the point per accelerator, dollar or watt (one of PlotUnits): over the
// mean of what it is divided by, which is the same in all replications but for the power. It
// has no value where either has none.
func (p *Point) Per(rate, unit string) metrics.Estimate {
	by := perKeys[unit]
	e, divisor := p.Metrics[rate], p.Metrics[by.key]
	if e.N == 0 || divisor.N == 0 {
		return metrics.NewEstimate(nil)
	}
	factor := by.units / divisor.Mean
	return metrics.Estimate{Mean: e.Mean * factor, Half: e.Half * factor, N: e.N}
}
