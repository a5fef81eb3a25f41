package workloads

import (
	"fmt"
	"math"
	"slices"

	"kneepoint/units/badinput"
)

// LengthSpec is the [workload.input] or [workload.output] table: the law of a
// number of tokens. Zero values mean "not given".
//
// A draw is rounded to whole tokens, halves away from zero, and then moved into
// [Min, Max]; Mean and Std are those of the law before that.
//
//	fixed          Mean
//	uniform        every whole number from Mean·(1-RangeRatio), rounded down, to
//	               Mean·(1+RangeRatio), rounded up, alike; without Mean, from Min to Max
//	normal         Mean, Std
//	lognormal      Mean, Std of the length, not of its logarithm
//	lognormal_mix  Mix
//	exponential    Mean
//	gamma          Mean, Std
//	weibull        Mean, Std
//	zipf           every whole number n from Min to Max with a probability proportional to n^-Exponent
//	empirical      Quantiles, linear between them
type LengthSpec struct {
	Type string `toml:"type" required:"true" oneof:"fixed uniform normal lognormal lognormal_mix gamma weibull exponential zipf empirical"`

	Mean       float64 `toml:"mean" check:"positive" only:"type=fixed,uniform,normal,lognormal,gamma,weibull,exponential"`
	Std        float64 `toml:"std" check:"positive" only:"type=normal,lognormal,gamma,weibull"`
	RangeRatio float64 `toml:"range_ratio" check:"fraction" only:"type=uniform"`

	Exponent float64 `toml:"exponent" check:"positive" only:"type=zipf"`

	Min int `toml:"min" check:"positive"` // 1 when not given
	Max int `toml:"max" check:"positive"` // no limit when not given

	Mix []LognormalPart `toml:"mix" only:"type=lognormal_mix"`

	// Quantiles is the inverse of the distribution function at equal steps of
	// probability from 0 to 1, or at Percentiles (from 0 to 100) where given.
	Quantiles   []float64 `toml:"quantiles" check:"nonnegative" only:"type=empirical"`
	Percentiles []float64 `toml:"percentiles" check:"nonnegative" only:"type=empirical"`

	// Correlation is Spearman's rank correlation of an output with the input of its
	// request. Only laws of outputs have it.
	Correlation float64 `toml:"correlation"`

	// Path is of a file with the quantiles, which the caller reads and puts in their place.
	Path string `toml:"path" only:"type=empirical"`
}

// LognormalPart is one part of a mixture: with probability W, divided by the
// sum over the parts, the logarithm of the length is normal with mean Mu and
// standard deviation Sigma.
type LognormalPart struct {
	W     float64 `toml:"w" check:"positive" required:"true"`
	Mu    float64 `toml:"mu" required:"true"`
	Sigma float64 `toml:"sigma" check:"nonnegative" required:"true"`
}

// mostTokens bounds every length, so that no law runs out of the integers.
const mostTokens = 1 << 30

// SetDefaults fills in what a table that does not say otherwise means.
func (s *LengthSpec) SetDefaults() { s.Min = 1 }

// validateAlone is Validate for a law of anything but outputs.
func (s *LengthSpec) validateAlone() error {
	if s.Correlation != 0 {
		return &badinput.Error{
			Key:     "correlation",
			Value:   s.Correlation,
			Problem: "has no effect here",
			Allowed: "only in the table of an output, as its rank correlation with the input",
		}
	}
	return s.Validate()
}

// Validate reports what is missing or contradictory.
func (s *LengthSpec) Validate() error {
	if !(math.Abs(s.Correlation) <= 1) {
		return &badinput.Error{Key: "correlation", Value: s.Correlation, Problem: "out of range", Allowed: "-1 to 1"}
	}
	if err := s.validateBounds(); err != nil {
		return err
	}
	switch s.Type {
	case "":
		return &badinput.Error{Key: "type", Problem: "missing"}
	case "uniform":
		return s.validateUniform()
	case "fixed", "exponential":
		return s.needs("mean", s.Mean)
	case "normal", "lognormal", "gamma", "weibull":
		if err := s.needs("mean", s.Mean); err != nil {
			return err
		}
		return s.validateSpread()
	case "lognormal_mix":
		return s.validateMix()
	case "zipf":
		return s.validateZipf()
	case "empirical":
		return s.validateEmpirical()
	}
	return &badinput.Error{Key: "type", Value: s.Type, Problem: "unknown value"}
}

func (s *LengthSpec) validateBounds() error {
	if s.Min < 0 || s.Min > mostTokens {
		return &badinput.Error{Key: "min", Value: s.Min, Problem: "out of range", Allowed: "1 to 2^30 tokens"}
	}
	if s.Max < 0 || s.Max > mostTokens {
		return &badinput.Error{Key: "max", Value: s.Max, Problem: "out of range", Allowed: "1 to 2^30 tokens"}
	}
	if s.Max > 0 && s.Max < s.Min {
		return &badinput.Error{Key: "max", Value: s.Max, Problem: fmt.Sprintf("is less than min = %d", s.Min), Allowed: "from min on"}
	}
	return nil
}

func (s *LengthSpec) needs(key string, value float64) error {
	if value == 0 {
		return &badinput.Error{Key: key, Problem: fmt.Sprintf("missing with type = %q", s.Type),
			Allowed: "a number of tokens greater than 0"}
	}
	if !nonnegative(value) || value > mostTokens {
		return &badinput.Error{Key: key, Value: value, Problem: "out of range", Allowed: "greater than 0, at most 2^30 tokens"}
	}
	if key == "mean" {
		return s.validateMean()
	}
	return nil
}

// validateMean refuses a mean that draws cannot have: most of them would be the bound.
func (s *LengthSpec) validateMean() error {
	switch {
	case s.Mean < 1: // each draw is at least 1
		return &badinput.Error{Key: "mean", Value: s.Mean, Problem: "less than one", Allowed: "from 1 on"}
	case s.Mean < float64(s.Min):
		return &badinput.Error{Key: "mean", Value: s.Mean, Problem: fmt.Sprintf("is less than min = %d", s.Min), Allowed: "from min on"}
	case s.Max > 0 && s.Mean > float64(s.Max):
		return &badinput.Error{Key: "mean", Value: s.Mean, Problem: fmt.Sprintf("is more than max = %d", s.Max), Allowed: "at most max"}
	}
	return nil
}

// validateSpread keeps the standard deviation where the solvers for shapes work.
func (s *LengthSpec) validateSpread() error {
	if err := s.needs("std", s.Std); err != nil {
		return err
	}
	if cv := s.Std / s.Mean; cv < 1e-3 || cv > 100 {
		return &badinput.Error{Key: "std", Value: s.Std, Problem: "out of range",
			Allowed: "0.001 to 100 times the mean, or type = \"fixed\""}
	}
	return nil
}

func (s *LengthSpec) validateUniform() error {
	switch {
	case s.Mean != 0:
		if s.RangeRatio < 0 || s.RangeRatio > 1 {
			return &badinput.Error{Key: "range_ratio", Value: s.RangeRatio, Problem: "must be between 0 and 1"}
		}
		return s.needs("mean", s.Mean)
	case s.RangeRatio != 0:
		return s.needs("mean", s.Mean)
	case s.Max == 0:
		return &badinput.Error{Key: "mean", Problem: `missing with type = "uniform"`,
			Allowed: "mean with range_ratio, or min and max"}
	}
	return nil
}

// mostZipf bounds the lengths of a law of Zipf, whose probabilities are summed up one by one.
const mostZipf = 1 << 20

func (s *LengthSpec) validateZipf() error {
	switch {
	case !(s.Exponent > 0) || !nonnegative(s.Exponent):
		return &badinput.Error{Key: "exponent", Problem: `missing with type = "zipf"`, Allowed: "a number greater than 0"}
	case s.Max == 0:
		return &badinput.Error{Key: "max", Problem: `missing with type = "zipf"`, Allowed: "the greatest length"}
	case s.Max-s.Min >= mostZipf:
		return &badinput.Error{Key: "max", Value: s.Max, Problem: "too large", Allowed: fmt.Sprintf("at most %d more than min", mostZipf-1)}
	}
	return nil
}

func (s *LengthSpec) validateMix() error {
	if len(s.Mix) == 0 {
		return &badinput.Error{Key: "mix", Problem: `missing with type = "lognormal_mix"`,
			Allowed: "a list of tables { w, mu, sigma }"}
	}
	for i, part := range s.Mix {
		if !(part.W > 0) || !nonnegative(part.W) || !nonnegative(part.Sigma) || !nonnegative(part.Mu*part.Mu) {
			return &badinput.Error{Key: fmt.Sprintf("mix[%d]", i), Problem: "out of range",
				Allowed: "w greater than 0, finite mu, sigma not negative"}
		}
	}
	return nil
}

func (s *LengthSpec) validateEmpirical() error {
	if s.Path != "" {
		return &badinput.Error{Key: "path", Value: s.Path, Problem: "its file was not read", Allowed: "the quantiles"}
	}
	if len(s.Quantiles) < 2 {
		return &badinput.Error{Key: "quantiles", Problem: "too few", Allowed: "a list of at least 2 numbers of tokens"}
	}
	for i, q := range s.Quantiles {
		if !nonnegative(q) || q > mostTokens {
			return &badinput.Error{Key: fmt.Sprintf("quantiles[%d]", i), Value: q, Problem: "out of range", Allowed: "0 to 2^30 tokens"}
		}
	}
	if !slices.IsSorted(s.Quantiles) {
		return &badinput.Error{Key: "quantiles", Problem: "must not decrease"}
	}
	p := s.Percentiles
	if p == nil {
		return nil
	}
	if len(p) != len(s.Quantiles) {
		return &badinput.Error{Key: "percentiles", Problem: fmt.Sprintf("has %d values for %d quantiles", len(p), len(s.Quantiles))}
	}
	for i := 1; i < len(p); i++ {
		if !(p[i] > p[i-1]) {
			return &badinput.Error{Key: fmt.Sprintf("percentiles[%d]", i), Value: p[i], Problem: "must be greater than the one before"}
		}
	}
	if p[0] != 0 || p[len(p)-1] != 100 {
		return &badinput.Error{Key: "percentiles", Problem: "must run from 0 to 100"}
	}
	return nil
}
