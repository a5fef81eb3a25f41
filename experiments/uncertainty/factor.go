package uncertainty

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"kneepoint/experiments/scenario"
	"kneepoint/hardware"
)

// The factors, by what they multiply.
const (
	Compute    = "compute"    // the efficiency of kernels that compute
	Memory     = "memory"     // that of kernels that read memory
	Links      = "links"      // the share of a link's bandwidth that collectives reach
	Host       = "host"       // the engine's times beside kernels: of a step, a sequence and a request
	Acceptance = "acceptance" // the probability that a guess is accepted
	Input      = "input"      // the lengths of prompts
	Output     = "output"     // the lengths of answers
	Demand     = "demand"     // the load
)

// Names are those of all factors, in the order in which they are told.
var Names = []string{Compute, Memory, Links, Host, Acceptance, Input, Output, Demand}

// Factor is one number that is not known exactly.
type Factor struct {
	Name  string
	Of    string  // the accelerator; empty: common to all scenarios
	Width float64 // standard deviation of its logarithm
	Basis string  // what the width rests on
	Plain float64 // its width without calibration; 0: it is not calibrated
}

// Quantile is the value that the factor is below with a probability.
func (f *Factor) Quantile(p float64) float64 {
	if f.Width == 0 {
		return 1
	}
	return distuv.LogNormal{Sigma: f.Width}.Quantile(p)
}

// Text names the factor.
func (f *Factor) Text() string {
	if f.Of == "" {
		return f.Name
	}
	return f.Name + " of " + f.Of
}

// Ends are the values that 5 % are below, and above.
func (f *Factor) Ends() (low, high float64) { return f.Quantile(0.05), f.Quantile(0.95) }

// width is one of the defaults.
type width struct {
	value float64
	basis string
}

// Default widths. A median absolute error of m is that of a normal distribution with a standard deviation of m/0.6745:
// models that were left out of the fit have 4.4 % in TPOT under open loads and 7.1 % in closed loops, which memory
// decides, and 6.7 % in TTFT, which computing does (docs/accuracy.md, "The error on what was left out"). Where kernels
// were measured on an accelerator of the family, or on none, a spread of 0.10 and of 0.15 comes on top, that of the
// fitted efficiencies over accelerators (median over operators 0.08 to 0.16).
var (
	ofKernels = map[string]map[hardware.KernelBasis]width{
		Compute: {hardware.KernelsMeasured: {0.10, "error of TTFT on models that were left out"},
			hardware.KernelsOfFamily: {0.14, "the same, and kernels measured on another accelerator of the family"},
			hardware.KernelsOfClass:  {0.18, "the same, and no kernels measured"}},
		Memory: {hardware.KernelsMeasured: {0.08, "error of TPOT on models that were left out"},
			hardware.KernelsOfFamily: {0.13, "the same, and kernels measured on another accelerator of the family"},
			hardware.KernelsOfClass:  {0.17, "the same, and no kernels measured"}},
	}
	ofOthers = map[string]width{
		Links:      {0.4, "spread of the measured shares of links over accelerators"},
		Host:       {0.5, "spread of the engine's constants over refits"},
		Acceptance: {0.1, "assumed: it differs between workloads"},
	}
)

// What own measurements leave is assumed: half of what is left where kernels were measured, and two
// fifths of what the engine's constants leave. Errors of calibrated profiles on runs that were held back would say.
const (
	calibrated      = 0.04
	calibratedHost  = 0.2
	calibratedBasis = "assumed: calibrated on own measurements"
)

// Of are the factors of some scenarios: those whose constants they have, with the default widths or those that are given by
// name.
func Of(all []scenario.Scenario, given map[string]float64) []Factor {
	var factors []Factor
	add := func(f Factor) {
		if w, ok := given[f.Name]; ok {
			f.Width, f.Basis, f.Plain = w, "given", 0
		}
		known := func(other Factor) bool { return other.Name == f.Name && other.Of == f.Of }
		if f.Width > 0 && !slices.ContainsFunc(factors, known) {
			factors = append(factors, f)
		}
	}
	for _, name := range Names {
		for i := range all {
			for _, f := range ofScenario(&all[i], name) {
				add(f)
			}
		}
	}
	return factors
}

// ofScenario are a scenario's factors of a name.
func ofScenario(s *scenario.Scenario, name string) []Factor {
	switch name {
	case Input, Output:
		return ofWorkload(name, s.Traffic.Trace != nil)
	case Demand:
		return ofWorkload(name, s.Traffic.TraceTimes())
	}
	var factors []Factor
	for i := range s.Pools {
		pool := &s.Pools[i]
		if f, ok := ofPool(pool, name); ok {
			factors = append(factors, f)
		}
	}
	return factors
}

// ofWorkload are the factors of a workload by a name: none where a trace has what it multiplies.
func ofWorkload(name string, traced bool) []Factor {
	if traced {
		return nil
	}
	return []Factor{{Name: name}} // as stated, unless a width is given
}

// ofPool is the factor of a pool's replicas; false where they have no such constants.
func ofPool(p *scenario.Pool, name string) (Factor, bool) {
	d := p.Deployment.Roofline
	switch {
	case name == Acceptance:
		w := ofOthers[name]
		return Factor{Name: name, Width: w.value, Basis: w.basis}, p.Strategy.Speculation != nil && p.Strategy.Speculation.Tokens > 0
	case d == nil: // synthetic steps are exact, and measured ones without a model are of no accelerator
		return measuredFactor(p, name, "")
	case name == Host:
		w := ofOthers[name]
		return calibratedFactor(p, Factor{Name: name, Width: w.value, Basis: w.basis}), true
	case name == Links:
		w := ofOthers[name]
		joined := len(d.Constants.Collectives)+len(d.Constants.Networks) > 0
		return Factor{Name: name, Of: d.Accelerator.Name, Width: w.value, Basis: w.basis}, joined
	}
	if p.Deployment.Measured != nil {
		return measuredFactor(p, name, d.Accelerator.Name)
	}
	w := ofKernels[name][hardware.KernelBasisOf(&d.Accelerator)]
	return calibratedFactor(p, Factor{Name: name, Of: d.Accelerator.Name, Width: w.value, Basis: w.basis}), true
}

// measuredFactor is that of steps that were fitted to measured ones.
func measuredFactor(p *scenario.Pool, name, of string) (Factor, bool) {
	f := Factor{Name: name, Of: of, Width: calibrated, Basis: calibratedBasis, Plain: ofKernels[name][hardware.KernelsMeasured].value}
	return f, p.Deployment.Measured != nil && (name == Compute || name == Memory)
}

// calibratedFactor is a factor with the width that a calibrated profile of the engine leaves.
func calibratedFactor(p *scenario.Pool, f Factor) Factor {
	if !hardware.IsProfilePath(p.Deployment.Roofline.Engine.Name) {
		return f
	}
	narrow := calibrated
	if f.Name == Host {
		narrow = calibratedHost
	}
	f.Plain, f.Width, f.Basis = f.Width, math.Min(f.Width, narrow), calibratedBasis
	return f
}
