package calibrate

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

// The weights of the fit. A prediction is expected to meet a measurement to
// noise, as a share; what misses by more than outlier times that pulls with constant
// force.
const (
	noise   = 0.03
	outlier = 1.5
)

// rounds of the descent at most, and the shares of a scale by which it probes a
// parameter and below which it stops.
const (
	rounds    = 10
	probe     = 0.3
	stillMove = 0.02
)

// problem is a robust least squares problem with a prior: find the shift that
// minimises
//
//	Σ huber(residual/noise) + Σ shift²/2
//
// within bounds. residuals evaluates several shifts at once.
type problem struct {
	low, high shift
	residuals func(ctx context.Context, at []shift) ([][]float64, error)
}

// loss is the sum that is minimised.
func loss(residuals []float64, at shift) float64 {
	var sum float64
	for _, r := range residuals {
		if a := math.Abs(r / noise); a <= outlier {
			sum += a * a / 2
		} else {
			sum += outlier * (a - outlier/2)
		}
	}
	for _, u := range at {
		sum += u * u / 2
	}
	return sum
}

// descend finds the shift by Levenberg and Marquardt's method, with derivatives
// from differences; a parameter that is pushed against a bound stays there for
// that round.
func (p *problem) descend(ctx context.Context) (*minimum, error) {
	m := &minimum{at: make(shift, len(p.low))}
	start, err := p.residuals(ctx, []shift{m.at})
	if err != nil {
		return nil, err
	}
	m.residuals = start[0]
	damping := 1e-3
	for range rounds {
		if m.slopes, err = p.slopes(ctx, m.at); err != nil {
			return nil, err
		}
		next, residuals, err := p.improve(ctx, m, &damping)
		if err != nil {
			return nil, err
		}
		if next == nil {
			break
		}
		moved := furthest(m.at, next)
		m.at, m.residuals = next, residuals
		if moved < stillMove {
			break
		}
	}
	return m, nil
}

// minimum is the best shift so far, with its residuals and the slopes that led
// there.
type minimum struct {
	at        shift
	residuals []float64
	slopes    [][]float64 // by parameter
}

// curvature is the matrix of second derivatives of the loss over some of the
// parameters: the prior's, which is 1, and what the residuals add.
func (m *minimum) curvature(free []int) *mat.SymDense {
	matrix := mat.NewSymDense(len(free), nil)
	for a, j := range free {
		for b := a; b < len(free); b++ {
			var sum float64
			if a == b {
				sum = 1
			}
			for i, r := range m.residuals {
				sum += weight(r) * m.slopes[j][i] * m.slopes[free[b]][i]
			}
			matrix.SetSym(a, b, sum)
		}
	}
	return matrix
}

// spread is how uncertain every parameter is, in scales: 1 where the residuals
// say nothing about it.
func (m *minimum) spread() []float64 {
	free := make([]int, len(m.at))
	for j := range free {
		free[j] = j
	}
	spread := make([]float64, len(free))
	var cholesky mat.Cholesky
	var inverse mat.SymDense
	if !cholesky.Factorize(m.curvature(free)) || cholesky.InverseTo(&inverse) != nil {
		return spread
	}
	for j := range spread {
		spread[j] = math.Sqrt(inverse.At(j, j))
	}
	return spread
}

// furthest is the largest distance between two shifts along one parameter, in scales.
func furthest(from, to shift) float64 {
	var most float64
	for i := range from {
		most = max(most, math.Abs(to[i]-from[i]))
	}
	return most
}

// slopes are the derivatives of the residuals, by parameter, from a probe to
// either side as far as the bounds let it. Latencies jump a little where a
// decision of the scheduler changes: near probes would see nothing else.
func (p *problem) slopes(ctx context.Context, at shift) ([][]float64, error) {
	var probes []shift
	for j := range at {
		for _, to := range []float64{min(p.high[j], at[j]+probe), max(p.low[j], at[j]-probe)} {
			moved := append(shift(nil), at...)
			moved[j] = to
			probes = append(probes, moved)
		}
	}
	found, err := p.residuals(ctx, probes)
	if err != nil {
		return nil, err
	}
	slopes := make([][]float64, len(at))
	for j := range slopes {
		higher, lower := found[2*j], found[2*j+1]
		slopes[j] = make([]float64, len(higher))
		for i := range higher {
			slopes[j][i] = (higher[i] - lower[i]) / (probes[2*j][j] - probes[2*j+1][j])
		}
	}
	return slopes, nil
}

// improve looks for a better shift with more and more damping, which makes steps
// shorter. The shift is nil when five tries find none. Damping is kept for the next
// round.
func (p *problem) improve(ctx context.Context, m *minimum, damping *float64) (shift, []float64, error) {
	before := loss(m.residuals, m.at)
	for range 5 {
		next := p.step(m, *damping)
		residuals, err := p.residuals(ctx, []shift{next})
		if err != nil {
			return nil, nil, err
		}
		if loss(residuals[0], next) < before {
			*damping /= 5
			return next, residuals[0], nil
		}
		*damping = max(10**damping, 0.05)
	}
	return nil, nil, nil
}

// step solves the damped normal equations of the reweighted residuals, for the
// parameters that are not pushed against a bound.
func (p *problem) step(m *minimum, damping float64) shift {
	gradient, free := append([]float64(nil), m.at...), []int(nil)
	for j, u := range m.at {
		for i, r := range m.residuals {
			gradient[j] += weight(r) * r * m.slopes[j][i]
		}
		if !(u <= p.low[j] && gradient[j] > 0 || u >= p.high[j] && gradient[j] < 0) {
			free = append(free, j)
		}
	}
	next := append(shift(nil), m.at...)
	if len(free) == 0 {
		return next
	}
	normal, right := m.curvature(free), mat.NewVecDense(len(free), nil)
	for a, j := range free {
		right.SetVec(a, -gradient[j])
		normal.SetSym(a, a, normal.At(a, a)*(1+damping))
	}
	var cholesky mat.Cholesky
	var move mat.VecDense
	if !cholesky.Factorize(normal) || cholesky.SolveVecTo(&move, right) != nil {
		return next
	}
	for a, j := range free {
		next[j] = min(p.high[j], max(p.low[j], m.at[j]+move.AtVec(a)))
	}
	return next
}

// weight is the weight of a residual in the reweighted least squares problem, whose
// gradient is that of the robust loss.
func weight(r float64) float64 {
	return min(1, outlier*noise/math.Abs(r)) / (noise * noise)
}
