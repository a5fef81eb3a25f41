package model

import "math"

// Experts is a mixture of experts in place of the MLP of all layers but
// DenseLayers of them: a router sends each token to Active of Count experts;
// shared experts take every token.
type Experts struct {
	Count       int `toml:"count" check:"nonnegative"`
	Active      int `toml:"active" check:"nonnegative"`
	FFN         int `toml:"ffn" check:"nonnegative"`        // inner width of one expert
	SharedFFN   int `toml:"shared_ffn" check:"nonnegative"` // of all shared experts together; 0: none
	DenseLayers int `toml:"dense_layers" check:"nonnegative"`
}

// Distinct is the expected number of different experts that a number of tokens
// are sent to, when each picks Active of Count uniformly and independently:
//
//	Count*(1 - (1 - Active/Count)^tokens)
//
// Trained routers are skewed and touch fewer; the measured constants of the
// expert kernels are fitted with this very formula.
func (e *Experts) Distinct(tokens float64) float64 {
	if tokens <= 0 {
		return 0
	}
	count := float64(e.Count)
	return -count * math.Expm1(tokens*math.Log1p(-float64(e.Active)/count))
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
