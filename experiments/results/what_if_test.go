package results

import (
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
