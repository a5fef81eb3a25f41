package search

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"kneepoint/workloads"
)

// Control variates: what the requests of a run bring by chance explains a part of how many of them meet the objective, and
// what they bring in the mean is known. See Lavenberg and Welch, A perspective on the use of control variables, 1981.
//
// The controls are the work that a request finds, if what each brings fades with time constant d: shot noise,
//
//	W = exp(-gap/d) (W + w)
//
// from one request to the next, of output and of input tokens w. Of it and of its squares the means follow by the same
// recursion from the transform of the gaps and the moments of the lengths.
const controls = 5

// offered is the traffic of a run: of every request how long it came after the one before, in seconds, and its tokens.
type offered struct {
	gaps, inputs, outputs []float64
	stay                  float64 // seconds that a request was in the system, in the mean; 0: none was served
	moments               *workloads.Moments
}

// fading is the expectation of the work that the next request finds.
type fading struct {
	output, input                    float64 // in the mean
	outputSquare, inputSquare, cross float64
}

// next is that of the request behind.
func (f fading) next(m *workloads.Moments, once, twice float64) fading {
	return fading{
		output: once * (f.output + m.Output), input: once * (f.input + m.Input),
		outputSquare: twice * (f.outputSquare + 2*f.output*m.Output + m.OutputSquare),
		inputSquare:  twice * (f.inputSquare + 2*f.input*m.Input + m.InputSquare),
		cross:        twice * (f.cross + f.output*m.Input + f.input*m.Output + m.Product),
	}
}

// spreads are the standard deviations of output and input, and their covariance.
func (f fading) spreads() (output, input, cross float64) {
	return spread(f.output, f.outputSquare), spread(f.input, f.inputSquare), f.cross - f.output*f.input
}

// spread is the standard deviation of what has a mean and a mean square; 0 where it is rounding alone.
func spread(mean, square float64) float64 {
	const rounding = 1e-12
	if variance := square - mean*mean; variance > rounding*square {
		return math.Sqrt(variance)
	}
	return 0
}

// batch is the mean over requests of a run that follow each other: of whether they met the objective, and of the controls, each less
// its expectation.
type batch struct {
	attained float64
	controls [controls]float64
}

// batches cuts a run behind its warm-up into batches. What it brings fades with a time constant in seconds.
func (s *sample) batches(warmUp, count int, fade float64) []batch {
	o, n := s.offered, len(s.attained)-warmUp
	once, twice := o.moments.Decayed(1/fade), o.moments.Decayed(2/fade)
	all := make([]batch, count)
	var expected fading
	output, input := 0.0, 0.0
	for i := range s.attained {
		if i > 0 {
			decay := math.Exp(-o.gaps[i] / fade)
			output, input = decay*(output+o.outputs[i-1]), decay*(input+o.inputs[i-1])
			expected = expected.next(o.moments, once, twice)
		}
		if i < warmUp {
			continue
		}
		b := &all[(i-warmUp)*count/n]
		b.attained += s.attained[i]
		b.add(output-expected.output, input-expected.input, expected)
	}
	for k := range all {
		size := float64((n*(k+1)+count-1)/count - (n*k+count-1)/count)
		all[k].attained /= size
		for c := range all[k].controls {
			all[k].controls[c] /= size
		}
	}
	return all
}

// add adds the controls of a request, which finds so much more work than expected, in standard deviations of it.
func (b *batch) add(output, input float64, expected fading) {
	so, si, cross := expected.spreads()
	if so > 0 {
		output /= so
		b.controls[0] += output
		b.controls[1] += output*output - 1
	}
	if si > 0 {
		input /= si
		b.controls[2] += input
		b.controls[3] += input*input - 1
	}
	if so > 0 && si > 0 {
		b.controls[4] += output*input - cross/(so*si)
	}
}

// crossed are the sums over batches that coefficients are made of.
type crossed struct {
	n, y float64
	x    [controls]float64
	xy   [controls]float64
	xx   [controls][controls]float64
}

func crossedOf(batches []batch) (c crossed) {
	for i := range batches {
		b := &batches[i]
		c.n, c.y = c.n+1, c.y+b.attained
		for j, x := range b.controls {
			c.x[j] += x
			c.xy[j] += x * b.attained
			for k, z := range b.controls {
				c.xx[j][k] += x * z
			}
		}
	}
	return c
}

// plus adds the sums of others, so many times.
func (c crossed) plus(o *crossed, times float64) crossed {
	c.n, c.y = c.n+times*o.n, c.y+times*o.y
	for j := range controls {
		c.x[j] += times * o.x[j]
		c.xy[j] += times * o.xy[j]
		for k := range controls {
			c.xx[j][k] += times * o.xx[j][k]
		}
	}
	return c
}

// coefficients are those of least squares, of the attainment over the controls. Controls that never vary have none.
func (c *crossed) coefficients() (b [controls]float64) {
	const never, ridge = 1e-12, 1e-6
	a, y := mat.NewSymDense(controls, nil), mat.NewVecDense(controls, nil)
	for j := range controls {
		for k := range j + 1 {
			a.SetSym(j, k, c.xx[j][k]-c.x[j]*c.x[k]/c.n)
		}
		y.SetVec(j, c.xy[j]-c.x[j]*c.y/c.n)
	}
	for j := range controls {
		if v := a.At(j, j); v > never*c.n {
			a.SetSym(j, j, v*(1+ridge))
			continue
		}
		for k := range controls {
			a.SetSym(j, k, 0)
		}
		a.SetSym(j, j, 1)
		y.SetVec(j, 0)
	}
	var factors mat.Cholesky
	var found mat.VecDense
	if !factors.Factorize(a) || factors.SolveVecTo(&found, y) != nil {
		return b
	}
	copy(b[:], found.RawVector().Data)
	return b
}

// controlled is the attainment of runs without what their traffic explains, and the share of its variance that this is: nothing where it
// is hardly any. The coefficients of a run are those of all others: it had no part in them, and its
// expectation is that of the attainment whatever they are.
func controlled(runs []sample, warmUp int) (shares []float64, explained float64) {
	const each, worthwhile = 8, 0.1
	fade, ok := stayOf(runs)
	if !ok {
		return nil, 0
	}
	batches, own := make([][]batch, len(runs)), make([]crossed, len(runs))
	var all crossed
	for r := range runs {
		batches[r] = runs[r].batches(warmUp, each, fade)
		own[r] = crossedOf(batches[r])
		all = all.plus(&own[r], 1)
	}
	var raw, left []float64
	for r := range runs {
		others := all.plus(&own[r], -1)
		b := others.coefficients()
		share := stat.Mean(runs[r].attained[warmUp:], nil)
		for j := range b {
			share -= b[j] * own[r].x[j] / own[r].n
		}
		shares = append(shares, share)
		for _, batch := range batches[r] {
			raw, left = append(raw, batch.attained), append(left, batch.without(&b))
		}
	}
	explained = 1 - stat.Variance(left, nil)/stat.Variance(raw, nil)
	if !(explained > worthwhile) {
		return nil, 0
	}
	return shares, explained
}

// without is the attainment of a batch without what its traffic explains.
func (b *batch) without(coefficients *[controls]float64) float64 {
	left := b.attained
	for j, c := range coefficients {
		left -= c * b.controls[j]
	}
	return left
}

// stayOf is how long requests were in the system, in the mean over runs; false where their traffic has no known moments, or a run is
// too short to be cut.
func stayOf(runs []sample) (seconds float64, ok bool) {
	for i := range runs {
		o := runs[i].offered
		if o == nil || len(o.gaps) < len(runs[i].attained) {
			return 0, false
		}
		seconds += o.stay / float64(len(runs))
	}
	return seconds, seconds > 0
}
