package search

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"kneepoint/workloads"
)

// streamOf are runs of requests at rate 2 with exponential outputs of mean 3 and inputs of 1 or 5, alike often, of which each meets its
// objective by a function of its number and the work that it finds.
func streamOf(random *rand.Rand, runs, requests int, fade float64, met func(i int, output, input float64) float64) []sample {
	moments := &workloads.Moments{Decayed: func(s float64) float64 { return 2 / (2 + s) },
		Output: 3, OutputSquare: 18, Input: 3, InputSquare: 13, Product: 9}
	all := make([]sample, runs)
	for r := range all {
		o := &offered{moments: moments, stay: fade}
		output, input := 0.0, 0.0
		for i := range requests {
			gap := random.ExpFloat64() / 2
			if i > 0 {
				decay := math.Exp(-gap / fade)
				output, input = decay*(output+o.outputs[i-1]), decay*(input+o.inputs[i-1])
			}
			o.gaps, o.outputs, o.inputs = append(o.gaps, gap), append(o.outputs, 3*random.ExpFloat64()), append(o.inputs, 1+4*float64(random.IntN(2)))
			all[r].attained = append(all[r].attained, met(i, output, input))
		}
		all[r].offered = o
	}
	return all
}

// TestControlsHaveNoMean: from an empty system on, the expectation of every control is zero.
func TestControlsHaveNoMean(t *testing.T) {
	const n, far = 20_000, 5
	for _, run := range []struct{ warmUp, requests int }{{0, 4}, {3, 12}, {30, 38}} {
		var values [controls][]float64
		for _, s := range streamOf(rand.New(rand.NewPCG(1, 1)), n, run.requests, 1.5, func(int, float64, float64) float64 { return 1 }) {
			for c, x := range s.batches(run.warmUp, 1, 1.5)[0].controls {
				values[c] = append(values[c], x)
			}
		}
		for c := range values {
			mean, std := stat.MeanStdDev(values[c], nil)
			if math.Abs(mean) > far*std/math.Sqrt(n) || std == 0 {
				t.Errorf("control %d of requests %d to %d is %.4f ± %.4f", c, run.warmUp, run.requests, mean, far*std/math.Sqrt(n))
			}
		}
	}
}

// TestControlledIsUnbiased: of short runs, from which coefficients are hardly known, the attainment has the mean that it
// has without controls.
func TestControlledIsUnbiased(t *testing.T) {
	const n, far = 1000, 5
	random := rand.New(rand.NewPCG(2, 2))
	var apart, raw, left []float64
	for range n {
		runs := streamOf(random, 4, 408, 1.5, func(_ int, output, input float64) float64 {
			if output+input > 25 {
				return 0
			}
			return 1
		})
		l := newLook(1, 0, runs, 8)
		raw, left = append(raw, stat.Mean(l.shares, nil)), append(left, stat.Mean(l.known(), nil))
		apart = append(apart, left[len(left)-1]-raw[len(raw)-1])
	}
	mean, std := stat.MeanStdDev(apart, nil)
	if slack := far * std / math.Sqrt(float64(len(apart))); math.Abs(mean) > slack {
		t.Errorf("the attainment is off by %.5f ± %.5f", mean, slack)
	}
	if ratio := stat.Variance(left, nil) / stat.Variance(raw, nil); ratio > 0.7 {
		t.Errorf("%.2f of the variance is left", ratio)
	}
}

// TestTrafficExplains: of a queue, whose waits the work of the last requests makes, more than half of the variance goes; of
// requests that fail by chance nothing does, and of traffic of which nothing is known.
func TestTrafficExplains(t *testing.T) {
	q := queue{service: exponential, square: 2, bound: 5}
	runs, err := q.sample(context.Background(), 0.55, 4000, 0, 20)
	if err != nil {
		t.Fatal(err)
	}
	if l := newLook(0.55, 0, runs, 100); l.explained < 0.5 || stat.StdDev(l.known(), nil) > 0.8*stat.StdDev(l.shares, nil) {
		t.Errorf("%.2f of the variance is explained, deviation %.4f of %.4f", l.explained, stat.StdDev(l.known(), nil), stat.StdDev(l.shares, nil))
	}
	chance := streamOf(rand.New(rand.NewPCG(3, 3)), 10, 2000, 1.5, func(i int, _, _ float64) float64 { return float64(i % 2) })
	if shares, explained := controlled(chance, 0); shares != nil || explained != 0 {
		t.Errorf("%.2f of pure chance is explained", explained)
	}
	runs[7].offered = nil
	if l := newLook(0.55, 0, runs, 100); l.adjusted != nil || l.unexplained() != 1 || !slices.Equal(l.known(), l.shares) {
		t.Errorf("%.2f is explained of traffic of which nothing is known", l.explained)
	}
}

// TestConstantTraffic: controls that never vary explain nothing, and spoil nothing.
func TestConstantTraffic(t *testing.T) {
	runs := streamOf(rand.New(rand.NewPCG(4, 4)), 6, 400, 1.5, func(i int, _, _ float64) float64 { return float64(i % 3 / 2) })
	for r := range runs {
		o := runs[r].offered
		o.moments = &workloads.Moments{Decayed: func(s float64) float64 { return math.Exp(-s) }, Output: 2, OutputSquare: 4}
		for i := range o.gaps {
			o.gaps[i], o.outputs[i], o.inputs[i] = 1, 2, 0
		}
	}
	if shares, explained := controlled(runs, 0); shares != nil || explained != 0 {
		t.Errorf("%.2f is explained by what never varies", explained)
	}
}
