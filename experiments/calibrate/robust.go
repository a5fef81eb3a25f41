package calibrate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"kneepoint/sim/metrics"
)

// linear is a linear model of targets that are all 1: row·theta ≈ 1. Rows that
// were divided by what was measured make its residuals relative errors.
type linear struct {
	columns int
	rows    []float64 // one after the other
}

// row is the i-th row, in place.
func (l *linear) row(i int) []float64 { return l.rows[i*l.columns : (i+1)*l.columns] }

// n is the number of rows.
func (l *linear) n() int { return len(l.rows) / l.columns }

// huber is where a residual, in robust standard deviations, stops counting in
// full: 95 % efficiency on normal errors.
const huber = 1.345

// fitRobust returns the theta ≥ 0 that minimises Huber's loss of the residuals, by
// iteratively reweighted least squares; their scale is 1.4826 times the median
// absolute residual.
func (l *linear) fitRobust() []float64 {
	weights := make([]float64, l.n())
	for i := range weights {
		weights[i] = 1
	}
	theta := l.fitWeighted(weights)
	residuals, sorted := make([]float64, l.n()), make([]float64, l.n())
	for range 20 {
		for i := range residuals {
			residuals[i] = math.Abs(dot(l.row(i), theta) - 1)
		}
		copy(sorted, residuals)
		slices.Sort(sorted)
		limit := huber * 1.4826 * metrics.Quantile(sorted, 0.5)
		if limit < 1e-12 {
			break
		}
		for i, r := range residuals {
			weights[i] = 1 / max(1, r/limit)
		}
		next := l.fitWeighted(weights)
		done := mostChange(theta, next) < 1e-6
		theta = next
		if done {
			break
		}
	}
	return theta
}

// dot is the inner product of vectors of equal length.
func dot(a, b []float64) float64 {
	var sum float64
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// mostChange is the largest relative change from a to b.
func mostChange(a, b []float64) float64 {
	var most float64
	for i := range a {
		most = max(most, math.Abs(b[i]-a[i])/(math.Abs(a[i])+math.SmallestNonzeroFloat64))
	}
	return most
}

// fitWeighted solves the weighted least squares problem with theta ≥ 0. Columns
// are scaled to the same length first: they differ by many powers of ten.
func (l *linear) fitWeighted(weights []float64) []float64 {
	gram, rhs := mat.NewSymDense(l.columns, nil), make([]float64, l.columns)
	for i, w := range weights {
		row := l.row(i)
		for j, x := range row {
			rhs[j] += w * x
			for k := j; k < l.columns; k++ {
				gram.SetSym(j, k, gram.At(j, k)+w*x*row[k])
			}
		}
	}
	scale := normalize(gram)
	for j := range rhs {
		rhs[j] *= scale[j]
	}
	theta := nonNegative(gram, rhs)
	for j := range theta {
		theta[j] *= scale[j]
	}
	return theta
}
