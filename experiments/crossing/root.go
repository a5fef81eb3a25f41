package crossing

import (
	"cmp"
	"math"
	"slices"

	"kneepoint/units"
)

// root narrows the place, between two looks, at which a number that is made of looks changes its sign,
// to two looks that are no further apart than the resolution, in ln(x), or are whole numbers next to each other. The steps are
// those of the false position, put a little further on so that the root comes to lie on the near side, and every third one halves.
func (f *finder) root(a, b look, of func(look) float64) (look, look, error) {
	a, b = f.narrowed(a, b, of)
	for step := 1; !f.close(a, b); step++ {
		width, share := math.Log(b.x/a.x), 0.5
		if step%3 != 0 {
			share = of(a) / (of(a) - of(b))
			share += math.Copysign(min(f.resolution()/width/2, 0.25), 0.5-share)
			share = min(max(share, 0.02), 0.98)
		}
		middle, err := f.at(f.possible(a, b, a.x*math.Exp(share*width)))
		if err != nil {
			return a, b, err
		}
		if (of(middle) < 0) == (of(a) < 0) {
			a = middle
		} else {
			b = middle
		}
	}
	return a, b, nil
}

// narrowed is the first pair of neighbours among the looks from a to b between which the sign changes.
func (f *finder) narrowed(a, b look, of func(look) float64) (look, look) {
	var within []look
	for _, l := range f.looks {
		if l.x > a.x && l.x < b.x {
			within = append(within, l)
		}
	}
	slices.SortFunc(within, func(l, m look) int { return cmp.Compare(l.x, m.x) })
	for _, l := range within {
		if (of(l) < 0) != (of(a) < 0) {
			return a, l
		}
		a = l
	}
	return a, b
}

// close tells whether nothing between two looks is worth another one.
func (f *finder) close(a, b look) bool {
	if f.Whole {
		return b.x-a.x <= 1
	}
	return math.Log(b.x/a.x) <= f.resolution()
}

// possible is a value between two looks that the variable may have.
func (f *finder) possible(a, b look, x float64) float64 {
	if !f.Whole {
		return f.readable(x)
	}
	return min(max(math.Round(x), a.x+1), b.x-1)
}

// readable is a value with no more digits than the resolution asks for, which people are shown.
func (f *finder) readable(x float64) float64 {
	return units.Round(x, 3-int(math.Log10(f.resolution())))
}

// resolution is how near to each other, in ln(x), the ends of a root's bracket come: a tenth of the tolerance.
func (f *finder) resolution() float64 { return f.Tolerance / 10 }
