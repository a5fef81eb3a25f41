package workloads

import (
	"math"
	"testing"
)

// TestMoments: what is said of a stream beforehand is what its draws have, within 5 standard errors.
func TestMoments(t *testing.T) {
	const n, far = 40_000, 5
	for name, c := range map[string]Spec{
		"poisson, normal and lognormal": {Arrival: &ArrivalSpec{Process: "poisson", Rate: 3},
			Input: &LengthSpec{Type: "normal", Mean: 500, Std: 100}, Output: &LengthSpec{Type: "lognormal", Mean: 200, Std: 300}},
		"gamma, gamma and mixture": {Arrival: &ArrivalSpec{Process: "gamma", Rate: 0.2, CV: 2},
			Input:  &LengthSpec{Type: "gamma", Mean: 500, Std: 600, Max: 2000},
			Output: &LengthSpec{Type: "lognormal_mix", Mix: []LognormalPart{{1, 3, 0.3}, {3, 6, 0.5}}}},
		"constant, uniform and fixed": {Arrival: &ArrivalSpec{Process: "constant", Rate: 10},
			Input: &LengthSpec{Type: "uniform", Mean: 100, RangeRatio: 1}, Output: &LengthSpec{Type: "fixed", Mean: 64}},
	} {
		c.NumRequests = n
		m, ok := c.Moments()
		traffic, err := New(c, nil, 1, 0)
		if !ok || err != nil {
			t.Fatalf("%s: known %v, %v", name, ok, err)
		}
		decay := float64(c.Arrival.Rate)
		values, before := make([][]float64, 6), 0.0
		for r, more := traffic.Pop(); more; r, more = traffic.Pop() {
			in, out := float64(r.Input), float64(r.Output)
			for i, x := range []float64{math.Exp(-decay * (float64(r.Arrival) - before)), in, out, in * in, out * out, in * out} {
				values[i] = append(values[i], x)
			}
			before = float64(r.Arrival)
		}
		for i, want := range []float64{m.Decayed(decay), m.Input, m.Output, m.InputSquare, m.OutputSquare, m.Product} {
			mean, std := meanAndStd(values[i])
			if slack := far*std/math.Sqrt(n) + 1e-9*want; math.Abs(mean-want) > slack {
				t.Errorf("%s: moment %d is %g, draws have %g ± %g", name, i, want, mean, slack)
			}
		}
	}
}

// TestUnknownMoments: nothing is said of a stream whose draws depend on the run, on each other or on the time.
func TestUnknownMoments(t *testing.T) {
	for name, change := range map[string]func(*Spec){
		"clients that wait": func(s *Spec) { s.Arrival.Process, s.Arrival.Concurrency = "closed", 4 },
		"no transform":      func(s *Spec) { s.Arrival.Process = "weibull" },
		"phases":            func(s *Spec) { s.Arrival.Process = "onoff" },
		"all at once":       func(s *Spec) { s.Arrival.Rate = infinite },
		"normalized":        func(s *Spec) { s.Arrival.Normalize = true },
		"held back":         func(s *Spec) { s.Arrival.MaxConcurrency = 8 },
		"stages":            func(s *Spec) { s.Arrival.Stages = []StageSpec{{}} },
		"drift":             func(s *Spec) { s.Arrival.Modulation = &ModulationSpec{CV: 0.2, Tau: 60} },
		"trace":             func(s *Spec) { s.Trace = &TraceSpec{} },
		"conversations":     func(s *Spec) { s.Session = &SessionSpec{} },
		"prefixes":          func(s *Spec) { s.Prefix = &PrefixSpec{} },
		"classes":           func(s *Spec) { s.Client = make([]ClientSpec, 1) },
		"duration":          func(s *Spec) { s.Duration = 60 },
		"cut requests":      func(s *Spec) { s.TooLong = "truncate" },
		"correlated":        func(s *Spec) { s.Output.Correlation = 0.5 },
	} {
		s := Spec{Arrival: &ArrivalSpec{Process: "poisson", Rate: 3}, Input: &LengthSpec{Type: "fixed", Mean: 9},
			Output: &LengthSpec{Type: "exponential", Mean: 9}}
		if _, ok := s.Moments(); !ok {
			t.Fatal("nothing is known of a plain stream")
		}
		if change(&s); known(&s) {
			t.Errorf("%s: the moments are known", name)
		}
	}
}

func known(s *Spec) bool {
	_, ok := s.Moments()
	return ok
}
