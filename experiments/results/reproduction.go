package results

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"kneepoint/sim/metrics"
)

// Reproduction is how well one figure or table of a paper came out.
type Reproduction struct {
	Figure  string `json:"figure"`
	Numbers int    `json:"numbers"`
	InBand  int    `json:"in_band"` // numbers as near as their bands say

	// Of the relative errors, without sign; nil where nothing has a simulated value. A number
	// without one counts as missed.
	Median *float64 `json:"median_error"`
	Worst  *float64 `json:"worst_error"`

	Orders    Kept `json:"orders"`    // which of two curves is higher at one place
	Crossings Kept `json:"crossings"` // where two curves change places
	Trends    Kept `json:"trends"`    // whether a curve rises or falls from one place to the next

	Verdict ReproductionVerdict `json:"verdict"`
	Why     []string            `json:"why,omitempty"` // what is missed, as the file explains it
}

// Counted says how many numbers are within their bands, and how many orders are lost, if any is.
func (r *Reproduction) Counted() string {
	text := fmt.Sprintf("%d of %d numbers within their bands", r.InBand, r.Numbers)
	if lost := r.Orders.Of - r.Orders.Kept; lost > 0 {
		text += fmt.Sprintf(", %d of %d orders lost", lost, r.Orders.Of)
	}
	return text
}

// Kept is how many features of published curves the simulated ones have, too.
type Kept struct {
	Of   int `json:"of"`
	Kept int `json:"kept"`
}

// Share is the share that was kept; 1 where there is nothing to keep.
func (k Kept) Share() float64 {
	if k.Of == 0 {
		return 1
	}
	return float64(k.Kept) / float64(k.Of)
}

func (k *Kept) count(kept bool) {
	k.Of++
	if kept {
		k.Kept++
	}
}

// ReproductionVerdict is what the comparison amounts to.
type ReproductionVerdict string

// The verdicts. Reproduced: four in five numbers in their bands and every order kept, and with
// the orders every crossing. Shape only: the numbers are not, but orders and nine in ten trends
// are. Missed: neither.
const (
	WasReproduced ReproductionVerdict = "reproduced"
	ShapeOnly     ReproductionVerdict = "shape only"
	WasMissed     ReproductionVerdict = "missed"
)

// What a verdict asks for.
const (
	enoughNumbers = 0.8
	enoughTrends  = 0.9
)

// Reproductions judges every figure, in the order of the file.
func (r *Results) Reproductions() []Reproduction {
	var all []Reproduction
	done := map[string]bool{}
	for i := range r.Reproduced {
		if figure := r.Reproduced[i].Figure; !done[figure] {
			done[figure] = true
			all = append(all, judgeFigure(figure, r.OfFigure(figure)))
		}
	}
	return all
}

// OfFigure are the curves of one figure.
func (r *Results) OfFigure(figure string) []*Reproduced {
	var curves []*Reproduced
	for i := range r.Reproduced {
		if c := &r.Reproduced[i]; c.Figure == figure {
			curves = append(curves, c)
		}
	}
	return curves
}

func judgeFigure(figure string, curves []*Reproduced) Reproduction {
	j := Reproduction{Figure: figure}
	var errors []float64
	for i, c := range curves {
		for k := range c.Points {
			j.Numbers++
			if c.InBand(k) {
				j.InBand++
			}
			if off, ok := c.Error(k); ok {
				errors = append(errors, math.Abs(off))
			}
		}
		if c.Why != "" && !slices.Contains(j.Why, c.Why) { // curves of a figure may share it
			j.Why = append(j.Why, c.Why)
		}
		c.trends(&j)
		for _, other := range curves[:i] {
			if other.Metric == c.Metric && other.Over == c.Over && other.X == c.X && !other.repeats(&c.PublishedCurve) {
				comparePair(&j, curves, other, c)
			}
		}
	}
	if slices.Sort(errors); len(errors) > 0 {
		median, worst := metrics.Quantile(errors, 0.5), metrics.Quantile(errors, 1)
		j.Median, j.Worst = &median, &worst
	}
	j.decide()
	return j
}

// decide sets the verdict.
func (j *Reproduction) decide() {
	shape := j.Orders.Kept == j.Orders.Of
	switch {
	case shape && float64(j.InBand) >= enoughNumbers*float64(j.Numbers):
		j.Verdict = WasReproduced
	case shape && j.Trends.Of > 0 && j.Trends.Share() >= enoughTrends:
		j.Verdict = ShapeOnly
	default:
		j.Verdict = WasMissed
	}
}

// trends counts from point to point whether the simulated values rise and fall with the published
// ones. Over strategies these are orders.
func (r *Reproduced) trends(j *Reproduction) {
	if r.X == ByStrategy {
		for k := range r.Points {
			for i := range k {
				if sign := r.ownDifference(k, i); sign != 0 {
					j.Orders.count(simulatedSign(r, k, r, i) == sign)
				}
			}
		}
		return
	}
	for k := 1; k < len(r.Points); k++ {
		if sign := r.ownDifference(k, k-1); sign != 0 {
			j.Trends.count(simulatedSign(r, k, r, k-1) == sign)
		}
	}
}

// comparePair counts the orders of two curves of a figure where both have points, and the places
// between which they change them. Places at which the order is not known are left out, so that a crossing is
// between the nearest two at which it is: as far apart as the curves' slopes and how they are known allow it to be.
func comparePair(j *Reproduction, figure []*Reproduced, a, b *Reproduced) {
	var published, simulated []int // signs of b over a, where they are known
	for i := range a.Points {
		for k := range b.Points {
			if !a.Points[i].X.Same(b.Points[k].X) {
				continue
			}
			if sign := publishedSign(figure, b, k, a, i); sign != 0 {
				got := simulatedSign(b, k, a, i)
				j.Orders.count(got == sign)
				published, simulated = append(published, sign), append(simulated, got)
			}
		}
	}
	for i := 1; i < len(published); i++ {
		if published[i] != published[i-1] {
			j.Crossings.count(crosses(simulated, i, published[i]))
		}
	}
}

// crosses tells whether signs change to the given one between the places i-1 and i, or one place
// before or after.
func crosses(signs []int, i, to int) bool {
	for k := max(1, i-1); k <= min(len(signs)-1, i+1); k++ {
		if signs[k] == to && signs[k-1] == -to {
			return true
		}
	}
	return false
}

// publishedSign is the sign of a published value of b less one of a; 0 where other published
// values of the same two quantities are in another order, or may be equal.
func publishedSign(figure []*Reproduced, b *Reproduced, k int, a *Reproduced, i int) int {
	sign := b.difference(k, a, i)
	for _, x := range figure {
		for _, y := range figure {
			if x.alsoOf(a) && y.alsoOf(b) && !agree(x, y, a.Points[i].X, sign) {
				return 0
			}
		}
	}
	return sign
}

// alsoOf tells whether a curve is of the quantity that another one is of.
func (r *Reproduced) alsoOf(other *Reproduced) bool {
	return r.Metric == other.Metric && r.Over == other.Over && r.X == other.X && r.repeats(&other.PublishedCurve)
}

// agree tells whether all published values of two curves at a place have the given order.
func agree(a, b *Reproduced, place Value, sign int) bool {
	for i := range a.Points {
		for k := range b.Points {
			if a.Points[i].X.Same(place) && b.Points[k].X.Same(place) && b.difference(k, a, i) != sign {
				return false
			}
		}
	}
	return true
}

// difference is the sign of a published value less another one; 0 where they may be equal, by how
// they were read off a drawing and how measurements repeat.
func (r *Reproduced) difference(k int, other *Reproduced, i int) int {
	x, y := r.Points[k].Y, other.Points[i].Y
	if math.Abs(x-y) <= r.uncertainty(k)+other.uncertainty(i) {
		return 0
	}
	return cmp.Compare(x, y)
}

// ownDifference is the same of two values of one curve; 0 at one place, where they are what was published of one quantity.
func (r *Reproduced) ownDifference(k, i int) int {
	if r.Points[k].X.Same(r.Points[i].X) {
		return 0
	}
	return r.difference(k, r, i)
}

// uncertainty is by how much a published value may be off.
func (r *Reproduced) uncertainty(k int) float64 {
	return (r.Reading + r.Points[k].Noise) * r.Points[k].Y
}

// simulatedSign is the same of simulated values; 0 where one is missing.
func simulatedSign(a *Reproduced, k int, b *Reproduced, i int) int {
	if a.Simulated[k] == nil || b.Simulated[i] == nil {
		return 0
	}
	return cmp.Compare(*a.Simulated[k], *b.Simulated[i])
}
