package model

import (
	"fmt"
	"math"

	"kneepoint/units/badinput"
)

// Experts is a mixture of experts in place of the MLP of all layers but
// DenseLayers of them: a router sends each token to Active of Count experts;
// shared experts take every token.
type Experts struct {
	Count       int `toml:"count" check:"nonnegative"`
	Active      int `toml:"active" check:"nonnegative"`
	FFN         int `toml:"ffn" check:"nonnegative"`        // inner width of one expert
	SharedFFN   int `toml:"shared_ffn" check:"nonnegative"` // of all shared experts together; 0: none
	DenseLayers int `toml:"dense_layers" check:"nonnegative"`

	// Skew is the coefficient of variation of how often experts are sent to. 0: all alike, or as the
	// measured kernels have it, see Distinct.
	Skew float64 `toml:"skew" check:"nonnegative"`
}

// MaxSkew is the coefficient of variation that Skew is below: where some experts are sent to by every token, and
// the others by none.
func (e *Experts) MaxSkew() float64 { return math.Sqrt(float64(e.Count)/float64(e.Active) - 1) }

// SetSkew sets how unlike the loads of the experts are, or returns a *badinput.Error of the key "expert_skew" where none are as
// unlike as that. Without experts nothing is set.
func (a *Architecture) SetSkew(skew float64) error {
	if a.Experts == nil || skew == 0 {
		return nil
	}
	experts := *a.Experts
	if most := experts.MaxSkew(); skew >= most {
		return &badinput.Error{Key: "expert_skew", Value: skew, Problem: fmt.Sprintf("every token has %d of %d experts", experts.Active, experts.Count),
			Allowed: fmt.Sprintf("less than %.3g", most)}
	}
	experts.Skew = skew
	a.Experts = &experts
	return nil
}

// Distinct is the expected number of different experts that a number of tokens
// are sent to, when each picks Active of Count independently, with Skew = 0 uniformly:
//
//	Count*(1 - (1 - Active/Count)^tokens)
//
// Trained routers are skewed and touch fewer; the measured constants of the
// expert kernels are fitted with this very formula. Otherwise the probabilities with which a
// token is sent to the experts follow a beta law with the mean p = Active/Count:
//
//	Count*(1 - B(a, b+tokens)/B(a, b)), a = p*s, b = (1-p)*s, s = (1-p)/(p*Skew^2) - 1
func (e *Experts) Distinct(tokens float64) float64 {
	if tokens <= 0 {
		return 0
	}
	count, p := float64(e.Count), float64(e.Active)/float64(e.Count)
	if e.Skew == 0 {
		return -count * math.Expm1(tokens*math.Log1p(-p))
	}
	s := (1-p)/(p*e.Skew*e.Skew) - 1
	b := (1 - p) * s
	return -count * math.Expm1(logRising(b, tokens)-logRising(s, tokens))
}

// logRising is log(Γ(x+n)/Γ(x)). Logarithms of large x are so large that nothing would be left of their difference: there it
// is that of Stirling's series, whose next term is below 1/(360x³).
func logRising(x, n float64) float64 {
	if x < 1e3 {
		from, _ := math.Lgamma(x)
		to, _ := math.Lgamma(x + n)
		return to - from
	}
	return n*(math.Log(x+n)-1) + (x-0.5)*math.Log1p(n/x) + (1/(x+n)-1/x)/12
}

// ExpertLayers is the number of layers with experts.
func (a *Architecture) ExpertLayers() int {
	if a.Experts == nil {
		return 0
	}
	return a.Layers - a.Experts.DenseLayers
}

// DenseLayers is the number of layers whose MLP takes every token.
func (a *Architecture) DenseLayers() int { return a.Layers - a.ExpertLayers() }
