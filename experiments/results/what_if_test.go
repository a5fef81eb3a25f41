package results

import (
	"fmt"
	"slices"
	"testing"
)

// The ranking with other prices is that of the products.
func TestWhatIfPrices(t *testing.T) {
	option := func(name, accelerator string, units int, usd float64) Option {
		return Option{Name: name, Units: units, Unit: Unit{Accelerators: 1, Accelerator: accelerator, USDPerHour: &usd}}
	}
	a := Answer{Least: "cost", Demand: Demand{Spare: 1},
		Options: []Option{option("a, slow", "a", 1, 5), option("a, fast", "a", 2, 4), option("b", "b", 3, 3.5), option("c", "c", 1, 20)}}
	want := []struct {
		what, best string
		usd        float64
		unchanged  bool
	}{
		{"a 30% cheaper", "a, slow", 7, true},
		{"a 30% dearer", "a, slow", 13, true}, // 2 units of 6.5, below 14
		{"b 30% cheaper", "b", 9.8, false},
		{"c 30% cheaper", "a, slow", 10, true},
	}
	got := a.WhatIfPrices(0, nil)
	if len(got) != len(want) {
		t.Fatalf("%d answers, want %d", len(got), len(want))
	}
	for i, w := range want {
		if g := got[i]; g.What != w.what || g.Best != w.best || *g.USD < w.usd-1e-9 || *g.USD > w.usd+1e-9 || g.Unchanged != w.unchanged {
			t.Errorf("%+v for %v, want %+v", g, *g.USD, w)
		}
	}
	a.Least = "accelerators"
	if got := a.WhatIfPrices(0, nil); got != nil {
		t.Errorf("prices matter where accelerators are counted: %v", got)
	}
}

// A budget holds at other prices, too: what is dearer then is no answer, and what it shuts out today may be one.
func TestWhatIfPricesKeepTheBudget(t *testing.T) {
	option := func(name string, usd float64) Option {
		return Option{Name: name, Units: 1, Unit: Unit{Accelerators: 1, Accelerator: name, USDPerHour: &usd}}
	}
	a := Answer{Least: "cost", Options: []Option{option("a", 10)}}
	var got []string
	for _, w := range a.WhatIfPrices(12, []Option{option("b", 13)}) {
		got = append(got, w.What+": "+w.Best)
	}
	if want := []string{"a 30% cheaper: a", "a 30% dearer: ", "b 30% cheaper: b"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Between two options the price of each accelerator decides at the multiple at which both cost the same.
func TestPriceBreakEvens(t *testing.T) {
	a := Answer{Least: "cost", Demand: Demand{Spare: 1}}
	option := func(units int, parts ...Part) Option {
		o := Option{Units: units - 1, Unit: Unit{Of: parts}}
		total := 0.0
		for _, p := range parts {
			total += p.USDPerHour
		}
		o.Unit.USDPerHour = &total
		return o
	}
	h100, a100 := Part{"h100", 1, 10}, Part{"a100", 2, 8}
	for _, c := range []struct {
		best, other Option
		want        []PriceBreakEven
	}{
		{option(3, h100), option(5, a100), []PriceBreakEven{{"h100", 4. / 3}, {"a100", 3. / 4}}},
		{option(2, h100, a100), option(5, h100), []PriceBreakEven{{"h100", 16. / 30}, {"a100", 30. / 16}}},
		{option(2, h100), option(2, h100, a100), nil},                                                                      // has all of the best, and more
		{option(2, h100, a100), option(3, h100, a100), []PriceBreakEven{}},                                                 // costs more at all prices
		{option(2, h100, a100), option(2, h100, Part{"b200", 1, 9}), []PriceBreakEven{{"a100", 9. / 8}, {"b200", 8. / 9}}}, // the H100 are as many
	} {
		got := a.PriceBreakEvens(&c.best, &c.other)
		if !slices.EqualFunc(got, c.want, func(x, y PriceBreakEven) bool {
			return x.Accelerator == y.Accelerator && Compare(x.Factor, y.Factor) == 0
		}) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}

// Every accelerator of the best option is asked both ways, and those of others only lower.
func TestWhatIfPricesOfMixes(t *testing.T) {
	usd, other := 18.0, 20.0
	a := Answer{Least: "cost", Options: []Option{
		{Name: "mixed", Units: 1, Unit: Unit{Accelerator: "a + b", USDPerHour: &usd, Of: []Part{{"a", 2, 8}, {"b", 1, 10}}}},
		{Name: "c", Units: 1, Unit: Unit{Accelerator: "c", Accelerators: 1, USDPerHour: &other}}}}
	var got []string
	for _, w := range a.WhatIfPrices(0, nil) {
		got = append(got, fmt.Sprintf("%s: %s %.4g", w.What, w.Best, *w.USD))
	}
	want := []string{"a 30% cheaper: mixed 15.6", "a 30% dearer: c 20", "b 30% cheaper: mixed 15", "b 30% dearer: c 20", "c 30% cheaper: c 14"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
