package crossing

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// look is the paired differences at a value of the variable: their mean, and half its 95 % interval.
type look struct {
	x, mean, half float64
}

// newLook looks at differences.
func newLook(x float64, differences []float64) look {
	n := float64(len(differences))
	t := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975)
	return look{x: x, mean: stat.Mean(differences, nil), half: t * stat.StdDev(differences, nil) / math.Sqrt(n)}
}

// sign is that of the difference, where it is known: 0 where its interval holds 0.
func (l look) sign() float64 {
	if math.Abs(l.mean) <= l.half {
		return 0
	}
	return math.Copysign(1, l.mean)
}

// mean is the mean difference.
func mean(l look) float64 { return l.mean }

// bound is an end of the interval: that in the direction of side.
func bound(side float64) func(look) float64 {
	return func(l look) float64 { return l.mean + side*l.half }
}

// known is positive where the sign of the difference is known.
func known(l look) float64 { return math.Abs(l.sign()) - 0.5 }
