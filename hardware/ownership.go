package hardware

import "math"

// Ownership is what it costs to have accelerators of one's own.
type Ownership struct {
	Years       float64 // until they are sold
	Residual    float64 // share of the price that is got back then
	Interest    float64 // a year
	Maintenance float64 // share of the price, a year

	USDPerKWh            float64 // of electricity
	PUE                  float64 // electricity of the site over that of the servers
	SiteUSDPerKWPerMonth float64 // rent of the place, by the servers' power
}

// UsualServerWatts is what a server with eight accelerators draws beside them, for each: 250 to
// 300 W of the wall power in MLPerf's logs (see docs/accuracy.md, Power).
const UsualServerWatts = 275

// UsualOwnership is four years, 15 % got back, 10 % interest, 5 % a year for repairs, cheap
// electricity, and a place at 130 dollars a kW and month, in a site between a hyperscaler's PUE (1.1
// to 1.2) and the mean of all (1.55 to 1.58, Uptime Institute). Assumptions, all of them.
func UsualOwnership() Ownership {
	return Ownership{Years: 4, Residual: 0.15, Interest: 0.10, Maintenance: 0.05, USDPerKWh: 0.09, PUE: 1.25, SiteUSDPerKWPerMonth: 130}
}

// hoursPerYear is that of a year of 365 days.
const hoursPerYear = 8760

// PerHour is what an accelerator of a price costs by the hour, used or not, whose share of a
// server draws so many kW:
//
//	[(C - R*C/(1+i)^n) * i/(1-(1+i)^-n) + m*C]/8760 + kW*(PUE*$/kWh + 12*site/8760)
//
// with the annuity of the price less what is got back in the end: the engineer's capital recovery
// with salvage value. Without interest it is the price less the rest, over the years.
func (o *Ownership) PerHour(price, kilowatts float64) float64 {
	years := (price*(1-o.Residual/math.Pow(1+o.Interest, o.Years))*o.annuity() + o.Maintenance*price) / hoursPerYear
	return years + kilowatts*(o.PUE*o.USDPerKWh+12*o.SiteUSDPerKWPerMonth/hoursPerYear)
}

// annuity is the yearly payment for a debt of 1 over the years: i/(1-(1+i)^-n), in a form that
// stays exact where the interest or the time is next to nothing.
func (o *Ownership) annuity() float64 {
	if o.Interest == 0 {
		return 1 / o.Years
	}
	return -o.Interest / math.Expm1(-o.Years*math.Log1p(o.Interest))
}
