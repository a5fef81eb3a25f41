package main

import (
	"kneepoint/experiments/results"
	"kneepoint/hardware"
	"kneepoint/hardware/estimate"
	"kneepoint/units/badinput"
)

// pricedReport is an answer with the prices that its costs rest on; nil: there is none of the
// accelerator.
type pricedReport struct {
	estimate.Report
	Prices *results.Prices `json:"prices,omitempty"`
}

// pricesOf is the price of an accelerator by the flags; nil where there is none.
func (f *estimateFlags) pricesOf(a hardware.Accelerator) (*results.Prices, error) {
	look := hardware.LookupPriceBasis
	if hardware.IsProfilePath(f.basis) {
		look = hardware.LoadPriceBasis
	}
	b, err := look(f.basis)
	if err != nil {
		return nil, badinput.At("prices", err)
	}
	p := &results.Prices{Basis: b.Name, Title: b.Title, Date: b.Date, Source: b.Source}
	for _, text := range f.prices {
		name, usd, err := parsePrice(text)
		switch {
		case err != nil:
			return nil, err
		case name != a.Name:
			return nil, &badinput.Error{Key: "--price", Value: text, Problem: "is the price of another accelerator",
				Allowed: a.Name + "=USD"}
		}
		p.Accelerators = []results.AcceleratorPrice{{Name: name, USDPerHour: usd, Given: true}}
	}
	owned := hardware.UsualOwnership()
	if usd, ok := b.PerHour(a.Name, (a.TDPWatts+hardware.UsualServerWatts)/1000, &owned); ok && p.Accelerators == nil {
		p.Accelerators = []results.AcceleratorPrice{{Name: a.Name, USDPerHour: usd}}
	}
	if p.Accelerators == nil {
		return nil, nil
	}
	return p, nil
}
