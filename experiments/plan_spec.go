package experiments

import (
	"fmt"

	"kneepoint/experiments/planner"
	"kneepoint/units/badinput"
)

// PlanSpec is the [plan] table: what is to be least, what must be on top of the demand, and
// what there may be at most. Limits of 0 are none.
type PlanSpec struct {
	Objective string `toml:"objective" oneof:"cost accelerators"`

	Headroom       float64 `toml:"headroom" check:"nonnegative"` // share of the demand that the fleet could do beside it
	GrowthPerMonth float64 `toml:"growth_per_month"`             // share by which the demand grows
	Months         int     `toml:"months" check:"nonnegative"`
	Spare          int     `toml:"spare" check:"nonnegative"` // units that may fail

	MaxUSDPerHour       float64 `toml:"max_usd_per_hour" check:"nonnegative"`
	MaxKW               float64 `toml:"max_kw" check:"nonnegative"` // of the accelerators' TDP, or their power cap
	MaxAccelerators     int     `toml:"max_accelerators" check:"nonnegative"`
	WhatIf              bool    `toml:"what_if"` // asks what other prices, twice the demand and a lost node would change
	AcceleratorsPerNode int     `toml:"accelerators_per_node" check:"positive"`

	MaxRequests *int `toml:"max_requests" check:"positive"` // simulated to tell of a number of units, about; nil: the usual

	Available map[string]int `toml:"available"` // accelerators that there are, by name; of others as many as it takes

	Uncertainty *UncertaintySpec `toml:"uncertainty"` // nil: the answer is of the constants as stated
}

// SetDefaults asks for the cheapest fleet.
func (p *PlanSpec) SetDefaults() { p.Objective, p.AcceleratorsPerNode = "cost", usualNode }

// usualNode is how many accelerators most servers have.
const usualNode = 8

// mostGrowth bounds growth and headroom, as shares of the demand.
const mostGrowth = 100

// Validate refuses growth without a time, and what is no growth.
func (p *PlanSpec) Validate() error {
	switch {
	case p.GrowthPerMonth != 0 && p.Months == 0:
		return &badinput.Error{Key: "months", Problem: "missing: growth_per_month is given"}
	case p.Months != 0 && p.GrowthPerMonth == 0:
		return &badinput.Error{Key: "growth_per_month", Problem: "missing: months is given"}
	case !(p.GrowthPerMonth > -1 && p.GrowthPerMonth <= mostGrowth):
		return &badinput.Error{Key: "growth_per_month", Value: p.GrowthPerMonth, Problem: "out of range",
			Allowed: "above -1, a share: 0.1 is 10 %"}
	case p.AcceleratorsPerNode < 1:
		return &badinput.Error{Key: "accelerators_per_node", Value: p.AcceleratorsPerNode, Problem: "must be greater than 0"}
	case p.AcceleratorsPerNode != usualNode && !p.WhatIf:
		return &badinput.Error{Key: "accelerators_per_node", Value: p.AcceleratorsPerNode, Problem: "has no effect without what_if"}
	case p.MaxRequests != nil && *p.MaxRequests > planner.MostKept:
		return &badinput.Error{Key: "max_requests", Value: *p.MaxRequests, Problem: "more than fit in memory",
			Allowed: fmt.Sprintf("up to %d", planner.MostKept)}
	case p.Headroom > mostGrowth:
		return &badinput.Error{Key: "headroom", Value: p.Headroom, Problem: "out of range", Allowed: "a share: 0.2 is 20 %"}
	}
	for name, n := range p.Available {
		if n < 0 {
			return &badinput.Error{Key: fmt.Sprintf("available.%q", name), Value: n, Problem: "must not be negative"}
		}
	}
	return nil
}
