package experiments

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/experiments/scenario"
	"kneepoint/hardware"
	"kneepoint/units/badinput"
)

// priceBasis is the basis that the file names, of the catalog or of a file. Keys that concern
// what is bought are refused where accelerators are rented.
func (s *Spec) priceBasis(common *shared) (hardware.PriceBasis, error) {
	key, name, look := "prices.basis", cmp.Or(s.Prices.Basis, hardware.DefaultPriceBasis), hardware.LookupPriceBasis
	if s.Prices.File != "" {
		key, name, look = "prices.file", s.path(s.Prices.File), hardware.LoadPriceBasis
	}
	b, known := common.prices[name]
	if !known {
		var err error
		if b, err = look(name); err != nil {
			return b, badinput.At(key, err)
		}
		common.prices[name] = b
	}
	if b.Buys() {
		return b, nil
	}
	for _, k := range s.Prices.owning(&hardware.Ownership{}) {
		if k.given != nil {
			return b, &badinput.Error{Key: "prices." + k.key, Value: *k.given,
				Problem: "has no effect: accelerators are rented on " + b.Name, Allowed: "leave it out, or a basis of purchases"}
		}
	}
	return b, nil
}

// price sets what an hour of the accelerator costs: the file's price of it, its own where it is a
// custom one, or that of the basis. 0 where there is none.
func (s *Spec) price(a *hardware.Accelerator, common *shared) error {
	b, err := s.priceBasis(common)
	if err != nil {
		return err
	}
	if given, ok := s.Prices.USDPerHour[a.Name]; ok {
		a.USDPerHour = given
	}
	if a.USDPerHour == 0 {
		a.USDPerHour, _ = s.basisPrice(&b, a)
	}
	return nil
}

// priced are the accelerators of a scenario's pools; nil where nothing is known of them.
func priced(x *scenario.Scenario) []*hardware.Accelerator {
	var all []*hardware.Accelerator
	for i := range x.Pools {
		if d := x.Pools[i].Deployment.Roofline; d != nil {
			all = append(all, &d.Accelerator)
		}
	}
	return all
}

// priceWarnings name the accelerators that have no price, so that costs have no value.
func (s *Spec) priceWarnings(x *scenario.Scenario) []results.Warning {
	var all []results.Warning
	for _, a := range priced(x) {
		if a.USDPerHour > 0 {
			continue
		}
		w := results.Warning{Kind: results.NoPrice, Text: fmt.Sprintf("no price of %s in %s, so costs have no value "+
			"(%s; prices.usd_per_hour.%s and --price state one)", a.Name, s.basisName(), hardware.PricedIn(a.Name), a.Name)}
		if !slices.ContainsFunc(all, func(other results.Warning) bool { return other.Text == w.Text }) {
			all = append(all, w)
		}
	}
	return all
}

// basisName is how people find the basis.
func (s *Spec) basisName() string {
	return cmp.Or(s.Prices.File, s.Prices.Basis, hardware.DefaultPriceBasis)
}

// checkPriced refuses a price of an accelerator that no replica has.
func (e *Experiment) checkPriced() error {
	used := map[string]bool{}
	for i := range e.cells {
		for _, a := range priced(&e.cells[i].scenario) {
			used[a.Name] = true
		}
	}
	return checkPrices(e.Spec.Prices.USDPerHour, used)
}

// checkPrices refuses a price that is given of an accelerator that is not used.
func checkPrices(given map[string]float64, used map[string]bool) error {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !used[name] {
			names := slices.Sorted(maps.Keys(used))
			return &badinput.Error{Key: "prices.usd_per_hour." + name, Value: given[name], Problem: "no replica has this accelerator",
				Allowed: strings.Join(names, ", "), Nearest: badinput.Nearest(name, names)}
		}
	}
	return nil
}

// prices are those of the accelerators at the first point.
func (e *Experiment) prices() *results.Prices {
	var all []*hardware.Accelerator
	for i := range e.Spec.Strategies {
		all = append(all, priced(&e.cells[i].scenario)...)
	}
	return e.Spec.pricesOf(all, e.common)
}

// pricesOf are the prices of accelerators, and where they come from; nil where none has a price.
func (s *Spec) pricesOf(all []*hardware.Accelerator, common *shared) *results.Prices {
	b, err := s.priceBasis(common)
	if err != nil { // found when the cells were resolved
		return nil
	}
	p := &results.Prices{Basis: b.Name, Title: b.Title, Date: b.Date, Source: b.Source}
	for _, a := range all {
		of, known := s.basisPrice(&b, a)
		own := results.AcceleratorPrice{Name: a.Name, USDPerHour: a.USDPerHour, Given: !known || of != a.USDPerHour}
		if own.USDPerHour > 0 && !slices.Contains(p.Accelerators, own) {
			p.Accelerators = append(p.Accelerators, own)
		}
	}
	if len(p.Accelerators) == 0 {
		return nil
	}
	slices.SortFunc(p.Accelerators, func(x, y results.AcceleratorPrice) int {
		return cmp.Or(strings.Compare(x.Name, y.Name), cmp.Compare(x.USDPerHour, y.USDPerHour))
	})
	return p
}

// basisPrice is the price of an hour of an accelerator on a basis; false where it has none.
func (s *Spec) basisPrice(b *hardware.PriceBasis, a *hardware.Accelerator) (float64, bool) {
	owned := s.Prices.ownership()
	return b.PerHour(a.Name, (a.TDPWatts+s.Prices.ServerWatts)/1000, &owned)
}
