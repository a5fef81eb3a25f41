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

// normalize makes the diagonal of a Gram matrix 1, and returns what its columns
// were multiplied with; an empty column stays empty.
func normalize(gram *mat.SymDense) []float64 {
	n := gram.SymmetricDim()
	scale := make([]float64, n)
	for j := range n {
		if d := gram.At(j, j); d > 0 {
			scale[j] = 1 / math.Sqrt(d)
		}
	}
	for j := range n {
		for k := j; k < n; k++ {
			gram.SetSym(j, k, gram.At(j, k)*scale[j]*scale[k])
		}
	}
	return scale
}

// nonNegative minimises x·G·x/2 - b·x over x ≥ 0 by the active set method of
// Lawson and Hanson (Solving Least Squares Problems, 1974, chapter 23). A column
// that depends on those that are free already stays at 0.
func nonNegative(gram *mat.SymDense, b []float64) []float64 {
	n := len(b)
	x, free, refused := make([]float64, n), make([]bool, n), make([]bool, n)
	for range 10 * n {
		j := steepest(gram, b, x, free, refused)
		if j < 0 {
			break
		}
		free[j] = true
		if !minimizeFree(gram, b, x, free) {
			free[j], refused[j] = false, true
		}
	}
	return x
}

// steepest is the column at its bound along which the loss falls most; -1 for
// none.
func steepest(gram *mat.SymDense, b, x []float64, free, refused []bool) int {
	best, most := -1, 1e-10
	for j := range x {
		if free[j] || refused[j] || gram.At(j, j) == 0 {
			continue
		}
		slope := b[j]
		for k := range x {
			slope -= gram.At(j, k) * x[k]
		}
		if slope > most {
			best, most = j, slope
		}
	}
	return best
}

// minimizeFree moves x to the minimum over the free columns, and fixes those that
// reach 0 on the way. It is false when the free columns depend on each other: there is
// no single minimum.
func minimizeFree(gram *mat.SymDense, b, x []float64, free []bool) bool {
	for {
		z, ok := solveFree(gram, b, free)
		if !ok {
			return false
		}
		step, first := 1.0, -1
		for j := range x {
			if free[j] && z[j] <= 0 {
				if share := x[j] / (x[j] - z[j]); first < 0 || share < step {
					step, first = share, j
				}
			}
		}
		for j := range x {
			if free[j] {
				x[j] += step * (z[j] - x[j])
			}
		}
		if first < 0 {
			return true
		}
		x[first], free[first] = 0, false
	}
}

// dependent is the condition number from which columns count as dependent.
const dependent = 1e13

// solveFree solves G·z = b over the free columns; z is 0 at the others. It is false when
// they depend on each other.
func solveFree(gram *mat.SymDense, b []float64, free []bool) ([]float64, bool) {
	var index []int
	for j, is := range free {
		if is {
			index = append(index, j)
		}
	}
	z := make([]float64, len(b))
	if len(index) == 0 {
		return z, true
	}
	part, rhs := mat.NewSymDense(len(index), nil), mat.NewVecDense(len(index), nil)
	for p, j := range index {
		rhs.SetVec(p, b[j])
		for q := p; q < len(index); q++ {
			part.SetSym(p, q, gram.At(j, index[q]))
		}
	}
	var cholesky mat.Cholesky
	if !cholesky.Factorize(part) || cholesky.Cond() > dependent {
		return nil, false
	}
	var solution mat.VecDense
	if err := cholesky.SolveVecTo(&solution, rhs); err != nil {
		return nil, false
	}
	for p, j := range index {
		z[j] = solution.AtVec(p)
	}
	return z, true
}
