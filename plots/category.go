package plots

import (
	"gonum.org/v1/plot/vg"
)

// categoryWidth is how far the marks of one category are spread, in the distance
// of two categories.
const categoryWidth = 0.36

// dodge is where the i-th of n series is drawn beside a category's middle, so that
// equal values do not cover each other.
func dodge(i, n int) float64 {
	if n < 2 {
		return 0
	}
	return categoryWidth * (float64(i)/float64(n-1) - 0.5)
}

// drawWhiskers draws the interval of every dot as a line. Between categories there
// is nothing, so that no band may join them.
func (p pen) drawWhiskers(c curve, pl plane) {
	for _, d := range c.dots {
		lo, hi := pl.interval(d)
		if !isPoint(lo) || !isPoint(hi) {
			continue
		}
		hi.Y = min(hi.Y, pl.area.Max.Y)
		p.line([]vg.Point{lo, hi}, whiskerWidth, c.look.line)
	}
}
