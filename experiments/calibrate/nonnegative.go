package calibrate

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

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
