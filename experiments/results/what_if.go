package results

import (
	"cmp"
	"slices"
)

// WhatIf is the answer to a plan of which one thing is different.
type WhatIf struct {
	What      string     `json:"what"`            // in words
	Best      string     `json:"best,omitempty"`  // name of the candidate that is then the best; empty: none serves the demand
	Units     int        `json:"units,omitempty"` // of it that are enough, without spares; where a node is lost, those that are left
	Fleet     int        `json:"fleet,omitempty"` // its accelerators, spares included
	USD       *float64   `json:"usd_per_hour,omitempty"`
	Judged    *Judgement `json:"judged,omitempty"`    // of the fleet that the plan has, where that is what is asked
	Unchanged bool       `json:"unchanged,omitempty"` // the best candidate and its units stay
}

// priceSwing is by which share prices change.
const priceSwing = 0.3

// WhatIfPrices ranks the answers anew with the price of the best one's accelerator a share lower and higher, and with those of others
// lower: higher, they change nothing. No simulation is needed: the best of every accelerator is among them.
func (a *Answer) WhatIfPrices() []WhatIf {
	if a.Least != "cost" || len(a.Options) == 0 {
		return nil
	}
	var all []WhatIf
	for i, accelerator := range a.accelerators() {
		all = append(all, a.whatIfPrice(accelerator, 1-priceSwing, "30% cheaper"))
		if i == 0 {
			all = append(all, a.whatIfPrice(accelerator, 1+priceSwing, "30% dearer"))
		}
	}
	return all
}

// whatIfPrice ranks the answers with the price of an accelerator times a factor.
func (a *Answer) whatIfPrice(accelerator string, factor float64, what string) WhatIf {
	best := slices.MinFunc(a.Options, func(x, y Option) int {
		return cmp.Compare(a.priceWith(&x, accelerator, factor), a.priceWith(&y, accelerator, factor))
	})
	return a.whatIf(accelerator+" "+what, &best, a.priceWith(&best, accelerator, factor))
}

// accelerators are those of the answers, in their order.
func (a *Answer) accelerators() []string {
	var names []string
	for i := range a.Options {
		if name := a.Options[i].Unit.Accelerator; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// priceWith is what an option costs if its accelerator's price is multiplied.
func (a *Answer) priceWith(o *Option, accelerator string, factor float64) float64 {
	if o.Unit.Accelerator != accelerator {
		factor = 1
	}
	return factor * a.value(o, "usd_per_hour")
}

func (a *Answer) whatIf(what string, o *Option, usd float64) WhatIf {
	first := &a.Options[0]
	return WhatIf{What: what, Best: o.Name, Units: o.Units, Fleet: int(a.value(o, "accelerators")), USD: &usd,
		Unchanged: o.Name == first.Name && o.Units == first.Units}
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
