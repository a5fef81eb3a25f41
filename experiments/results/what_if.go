package results

import "slices"

// WhatIf is the answer to a plan of which one thing is different.
type WhatIf struct {
	What      string     `json:"what"`            // in words
	Best      string     `json:"best,omitempty"`  // name of the candidate that is then the best; empty: none serves the demand
	Units     int        `json:"units,omitempty"` // of it that are enough, without spares; where a node is lost, those that are left
	Fleet     int        `json:"fleet,omitempty"` // its accelerators, spares included
	USD       *float64   `json:"usd_per_hour,omitempty"`
	KW        float64    `json:"kw,omitempty"`        // TDP of all its accelerators, or their power cap, where that has a limit which none is within
	Judged    *Judgement `json:"judged,omitempty"`    // of the fleet that the plan has, where that is what is asked
	Lost      string     `json:"lost,omitempty"`      // the accelerator of a lost node, where units have others, too, which all stay
	Unchanged bool       `json:"unchanged,omitempty"` // the best candidate and its units stay
	Beyond    []string   `json:"beyond,omitempty"`    // limits below [plan] that the fleet is not within, since none is; without a best, that leave none
}

// PriceSwing is by which share prices change.
const PriceSwing = 0.3

// WhatIfPrices ranks the answers anew with the price of each of the best one's accelerators a share lower and higher, and with those of
// others lower: higher, they change nothing. The best of every mix of accelerators is among the answers, but for the fleets that a budget
// shuts out at the prices that there are: those that a lower price lets in are given. A budget of 0 is none.
func (a *Answer) WhatIfPrices(budget float64, shutOut []Option) []WhatIf {
	if a.Least != "cost" || len(a.Options) == 0 {
		return nil
	}
	var all []WhatIf
	options := slices.Concat(a.Options, shutOut)
	for _, accelerator := range accelerators(options) {
		all = append(all, a.whatIfPrice(options, accelerator, 1-PriceSwing, budget))
		if options[0].Unit.price(accelerator) > 0 {
			all = append(all, a.whatIfPrice(options, accelerator, 1+PriceSwing, budget))
		}
	}
	return all
}

// whatIfPrice ranks options within a budget with the price of an accelerator times a factor.
func (a *Answer) whatIfPrice(options []Option, accelerator string, factor, budget float64) WhatIf {
	what := accelerator + " 30% cheaper"
	if factor > 1 {
		what = accelerator + " 30% dearer"
	}
	options = slices.DeleteFunc(slices.Clone(options), func(o Option) bool {
		return budget > 0 && a.priceWith(&o, accelerator, factor) > budget*(1+rounding)
	})
	if len(options) == 0 {
		return WhatIf{What: what, Beyond: []string{"max_usd_per_hour"}}
	}
	best := slices.MinFunc(options, func(x, y Option) int {
		return Compare(a.priceWith(&x, accelerator, factor), a.priceWith(&y, accelerator, factor))
	})
	return a.whatIf(what, &best, a.priceWith(&best, accelerator, factor))
}

// accelerators are those of options, in their order.
func accelerators(options []Option) []string {
	var names []string
	for i := range options {
		for _, part := range options[i].Unit.Parts() {
			if !slices.Contains(names, part.Accelerator) {
				names = append(names, part.Accelerator)
			}
		}
	}
	return names
}

// priceWith is what an option costs if the price of an accelerator is multiplied.
func (a *Answer) priceWith(o *Option, accelerator string, factor float64) float64 {
	return a.value(o, "usd_per_hour") + (factor-1)*a.priceOf(o, accelerator)
}

// priceOf is what the accelerators of a name cost in an option, spares included.
func (a *Answer) priceOf(o *Option, accelerator string) float64 {
	return float64(o.Units+a.Demand.Spare) * o.Unit.price(accelerator)
}

// PriceBreakEven is a multiple of the price of an accelerator at which two options cost the same, all other prices being what they are.
type PriceBreakEven struct {
	Accelerator string
	Factor      float64
}

// PriceBreakEvens are those between the best option and another one, of each accelerator whose price decides. Above a factor over 1 the
// other one is cheaper, and below one under 1.
func (a *Answer) PriceBreakEvens(best, other *Option) []PriceBreakEven {
	var all []PriceBreakEven
	gap := a.value(other, "usd_per_hour") - a.value(best, "usd_per_hour")
	for _, name := range accelerators([]Option{*best, *other}) {
		more := a.priceOf(best, name) - a.priceOf(other, name)
		if factor := 1 + gap/more; factor > 0 && measurable(factor) && Compare(factor, 1) != 0 {
			all = append(all, PriceBreakEven{name, factor})
		}
	}
	return all
}

func (a *Answer) whatIf(what string, o *Option, usd float64) WhatIf {
	unchanged := len(a.Options) > 0 && o.Name == a.Options[0].Name && o.Units == a.Options[0].Units
	return WhatIf{What: what, Best: o.Name, Units: o.Units, Fleet: int(a.value(o, "accelerators")), USD: &usd, Unchanged: unchanged}
}

// WhatIfDemand is what serves another demand best, of what was found for it.
func (a *Answer) WhatIfDemand(what string, found []Option) WhatIf {
	if len(found) == 0 {
		return WhatIf{What: what}
	}
	w := a.whatIf(what, &found[0], a.value(&found[0], "usd_per_hour"))
	if found[0].Unit.USDPerHour == nil {
		w.USD = nil
	}
	return w
}
