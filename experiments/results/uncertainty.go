package results

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Uncertainty is what an answer may be where the constants that it rests on are off. In every draw each factor
// has a value, and the options are sized again, with the same requests.
type Uncertainty struct {
	Draws   int               `json:"draws"`
	Factors []UncertainFactor `json:"factors"`
	Options []UncertainOption `json:"options"` // the best, the best of other accelerators, and the next best
	Tornado []TornadoBar      `json:"tornado"` // of the best option, the longest bar first
}

// UncertainFactor is a log-normal multiple, with a median of 1, of constants of one kind.
type UncertainFactor struct {
	Name  string  `json:"name"`
	Of    string  `json:"of,omitempty"` // the accelerator; empty: of all
	Width float64 `json:"width"`        // standard deviation of the logarithm
	Low   float64 `json:"low"`          // 5 % of its values are below
	High  float64 `json:"high"`         // 5 % are above
	Basis string  `json:"basis"`        // what the width rests on
	Plain float64 `json:"uncalibrated_width,omitempty"`
}

// UncertainOption is how many units an option takes in each draw; 0: more than there may be, or than eight times those of
// the plan.
type UncertainOption struct {
	Option   string  `json:"option"`
	Units    []int   `json:"units"`  // by draw
	AsStated int     `json:"stated"` // with all factors at 1, by runs as short as those of the draws
	Low      int     `json:"low"`    // 5 % of the draws take less
	Median   int     `json:"median"`
	High     int     `json:"high"`     // 5 % take more
	Enough   float64 `json:"enough"`   // probability that the units of the plan are
	Cheapest float64 `json:"cheapest"` // probability that no other one of these costs less

	// OverBest is what it costs as a multiple of the best option; nil of that one, and where too many draws have no number of units.
	OverBest *Spread `json:"over_best,omitempty"`
}

// Spread is the median of some values, and between what 90 % of them lie.
type Spread struct {
	Low    float64 `json:"low"`
	Median float64 `json:"median"`
	High   float64 `json:"high"`
}

// NewUncertainOption is an option that takes so many units in each draw.
func NewUncertainOption(name string, planned, stated int, units []int) UncertainOption {
	sorted, enough := make([]float64, len(units)), 0
	for i, n := range units {
		sorted[i] = float64(n)
		if n == 0 {
			sorted[i] = math.Inf(1)
		} else if n <= planned {
			enough++
		}
	}
	slices.Sort(sorted)
	quantile := func(p float64) int {
		n := stat.Quantile(p, stat.Empirical, sorted, nil)
		if math.IsInf(n, 1) {
			return 0
		}
		return int(n)
	}
	return UncertainOption{Option: name, Units: units, AsStated: stated, Low: quantile(0.05), Median: quantile(0.5), High: quantile(0.95),
		Enough: float64(enough) / float64(len(units))}
}

// Probability is the share of the draws in which so many units are enough.
func (o *UncertainOption) Probability(units int) float64 {
	enough := 0
	for _, n := range o.Units {
		if n > 0 && n <= units {
			enough++
		}
	}
	return float64(enough) / float64(len(o.Units))
}

// Compare sets in which share of the draws each option is the cheapest, and what it costs over the best: the price of a unit is
// that of each, and spares come on top.
func (u *Uncertainty) Compare(prices []float64, spare int) {
	price := func(i, draw int) float64 {
		if n := u.Options[i].Units[draw]; n > 0 {
			return prices[i] * float64(n+spare)
		}
		return math.Inf(1)
	}
	over, cheapest := make([][]float64, len(u.Options)), make([]int, len(u.Options))
	for draw := range u.Draws {
		least := math.Inf(1)
		for i := range u.Options {
			least = min(least, price(i, draw))
			over[i] = append(over[i], ratio(price(i, draw), price(0, draw)))
		}
		for i := range u.Options {
			if p := price(i, draw); p <= least*(1+rounding) && !math.IsInf(p, 1) {
				cheapest[i]++
			}
		}
	}
	for i, n := range cheapest {
		u.Options[i].Cheapest = float64(n) / float64(u.Draws)
	}
	for i := 1; i < len(u.Options); i++ {
		u.Options[i].OverBest = spreadOf(over[i])
	}
}

// ratio is that of two prices, of which either may be infinite; 1 where both are.
func ratio(price, of float64) float64 {
	if math.IsInf(price, 1) && math.IsInf(of, 1) {
		return 1
	}
	return price / of
}

// spreadOf is that of values, unless one of its ends is 0 or infinite; it sorts them.
func spreadOf(values []float64) *Spread {
	slices.Sort(values)
	at := func(p float64) float64 { return stat.Quantile(p, stat.Empirical, values, nil) }
	s := &Spread{Low: at(0.05), Median: at(0.5), High: at(0.95)}
	if s.Low == 0 || math.IsInf(s.High, 1) {
		return nil
	}
	return s
}

// TornadoBar is what one factor does to the best option, all others being 1.
type TornadoBar struct {
	Factor string     `json:"factor"`
	Low    TornadoEnd `json:"low"`  // where 5 % of the values are below
	High   TornadoEnd `json:"high"` // where 5 % are above
}

// TornadoEnd is one end of a bar.
type TornadoEnd struct {
	Value      float64  `json:"value"`      // of the factor
	Units      int      `json:"units"`      // that are enough; 0 as of UncertainOption
	Attainment float64  `json:"attainment"` // with the units of the plan
	USDPerHour *float64 `json:"usd_per_hour,omitempty"`
}

// SortTornado puts the factor first that changes the number of units most, of equal ones what changes the attainment most.
func SortTornado(bars []TornadoBar) {
	units := func(n int) float64 {
		if n == 0 {
			return math.Inf(1)
		}
		return float64(n)
	}
	swing := func(b *TornadoBar) float64 {
		if b.Low.Units == b.High.Units {
			return 0
		}
		return math.Abs(units(b.Low.Units) - units(b.High.Units))
	}
	slices.SortStableFunc(bars, func(a, b TornadoBar) int {
		return cmp.Or(cmp.Compare(swing(&b), swing(&a)),
			cmp.Compare(math.Abs(b.Low.Attainment-b.High.Attainment), math.Abs(a.Low.Attainment-a.High.Attainment)))
	})
}
