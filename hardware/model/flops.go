package model

import "kneepoint/units"

// MatrixFLOPsPerToken is the arithmetic of one token in all layers' matrices,
// two FLOPs per weight that it meets, without attention and LM head.
func (a *Architecture) MatrixFLOPsPerToken() units.FLOPs {
	return units.FLOPs(2 * a.ActiveWeights())
}

// TokenFLOPs is the arithmetic of one token, whatever its context: of the matrices, and of layers
// with linear attention.
func (a *Architecture) TokenFLOPs() units.FLOPs {
	flops := a.MatrixFLOPsPerToken()
	if a.Linear != nil {
		flops += units.FLOPs(a.Linear.Layers) * a.Linear.FLOPsPerToken()
	}
	return flops
}

// PairFLOPs is the arithmetic of one query attending to one token in one layer:
// 2*heads*(key width + value width), a multiply and an add each. Absorbed latent
// attention does more, which nobody asked for.
func (a *Architecture) PairFLOPs() units.FLOPs {
	return units.FLOPs(2 * float64(a.Heads) * float64(a.HeadDim+a.ValueDim()))
}

// HeadFLOPs is the arithmetic of the LM head for one row of logits.
func (a *Architecture) HeadFLOPs() units.FLOPs {
	return units.FLOPs(2 * a.EmbeddingWeights())
}

// ChunkFLOPs is the arithmetic of a sequence's tokens [from, to), each attending
// to itself and all before it that its layers' windows reach, without LM head.
func (a *Architecture) ChunkFLOPs(from, to int) units.FLOPs {
	pairs := float64(a.FullLayers())*a.FullShare()*CausalPairs(from, to) + float64(a.WindowLayers)*a.WindowShare()*WindowPairs(from, to, a.Window)
	if local := a.Local(); local > 0 {
		pairs += float64(a.Layers) * WindowPairs(from, to, local)
	}
	return units.FLOPs(to-from)*a.TokenFLOPs() + units.FLOPs(pairs)*a.PairFLOPs() + a.indexFLOPs(from, to)
}

// DecodeFLOPs is the arithmetic of one new token that attends to context tokens,
// itself included, with the LM head.
func (a *Architecture) DecodeFLOPs(context int) units.FLOPs {
	return a.ChunkFLOPs(context-1, context) + a.HeadFLOPs()
}

// CausalPairs is the number of (query, key) pairs when the tokens [from, to) of
// a sequence attend causally: from*n + n(n+1)/2 with n = to - from.
func CausalPairs(from, to int) float64 {
	n := float64(to - from)
	return float64(from)*n + n*(n+1)/2
}

// WindowPairs is the number of pairs when each token attends to the last window
// tokens, itself included: the sum over [from, to) of min(t+1, window).
func WindowPairs(from, to, window int) float64 {
	growing := max(from, min(to, window)) // where the window becomes full
	return CausalPairs(from, growing) + float64(to-growing)*float64(window)
}
