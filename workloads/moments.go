package workloads

import "math"

// Moments are what is known beforehand of requests that come by a renewal process with lengths drawn apart from it.
type Moments struct {
	// Decayed is the mean of exp(-s·gap), of a rate s per second: the Laplace transform of the gaps.
	Decayed func(s float64) float64

	Input, Output             float64 // tokens, in the mean
	InputSquare, OutputSquare float64 // of which the means
	Product                   float64 // of a request's input and output, in the mean
}

// Moments are those of a workload of one stream whose gaps have a transform in closed form and whose inputs and outputs
// are drawn independently, false of any other: there what is drawn depends on the run, on a trace, or on a rate that changes.
func (s *Spec) Moments() (Moments, bool) {
	a := s.arrival()
	gaps := a.decayed()
	if gaps == nil || s.Trace != nil || s.Session != nil || s.Prefix != nil || len(s.Client) > 0 ||
		s.Duration > 0 || s.TooLong == "truncate" || s.Output.Correlation != 0 {
		return Moments{}, false
	}
	input, inputErr := s.Input.Law()
	output, outputErr := s.Output.Law()
	if inputErr != nil || outputErr != nil {
		return Moments{}, false
	}
	m := Moments{Decayed: gaps}
	m.Input, m.InputSquare = input.moments()
	m.Output, m.OutputSquare = output.moments()
	m.Product = m.Input * m.Output
	return m, true
}

// decayed is the transform of the gaps: of gamma gaps of mean 1/rate and shape b it is (1+s/(b·rate))^-b, of which
// exponential ones have b = 1. Nil where the gaps are not independent, or have no such transform.
func (a *ArrivalSpec) decayed() func(s float64) float64 {
	if a.atOnce() || a.Normalize || a.MaxConcurrency > 0 || a.Profile() != "" || a.Modulation != nil && a.Modulation.CV > 0 {
		return nil
	}
	rate, b := float64(a.Rate), a.burstiness()
	switch a.Process {
	case "constant":
		return func(s float64) float64 { return math.Exp(-s / rate) }
	case "poisson":
		return func(s float64) float64 { return rate / (rate + s) }
	case "gamma":
		return func(s float64) float64 { return math.Exp(-b * math.Log1p(s/(b*rate))) }
	}
	return nil
}

// moments are the mean of a length and of its square, after rounding and bounding, over equally likely slices of each
// of the decades of probability that lead to the longest lengths: the far tail has a part in them.
func (l LengthLaw) moments() (mean, square float64) {
	const decades, slices = 12, 500
	from := 0.0
	for d := 1; d <= decades; d++ {
		to := 1 - math.Pow(10, -float64(d))
		if d == decades {
			to = 1
		}
		width := (to - from) / slices
		for i := range slices {
			x := float64(l.AtPlace(from + (float64(i)+0.5)*width))
			mean, square = mean+width*x, square+width*x*x
		}
		from = to
	}
	return mean, square
}
