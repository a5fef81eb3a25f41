package roofline

import (
	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/units"
)

// A compressed layer keeps a vector of several tokens, and vectors of the last tokens one by one. All rows count as
// if they had so many tokens before them, so that attention stays affine in what sequences attend to.

// compressedProjections are the matrices of a layer with compression: those into latent vectors and the compressor are not split,
// the output's go by groups of heads.
func (d *Deployment) compressedProjections(s *shard) []widths {
	a, tp := &d.Architecture, float64(d.TP)
	l, c := a.Latent, a.Compression
	all := []widths{{s.hidden, float64(l.QueryRank + l.Width())}, {float64(l.QueryRank), s.queryWidth}}
	if width := a.CompressorWidth(); width > 0 {
		all = append(all, widths{s.hidden, float64(width)})
	}
	ranks := float64(c.Groups*c.OutputRank) / tp
	return append(all, widths{float64(a.Heads * l.ValueDim / c.Groups), ranks}, widths{ranks, s.hidden})
}

// outputProducts is how many of the projections are the output's.
func (d *Deployment) outputProducts() int {
	if d.Architecture.Compression != nil {
		return 2
	}
	return 1
}

// lastVectors is what a number of layers keep of a sequence's last tokens on one accelerator.
func (d *Deployment) lastVectors(s *shard, layers int) units.Bytes {
	return units.Bytes(layers*d.Architecture.Local()) * s.kvBytes
}

// keptOf is how many vectors rows attend to in a layer of either kind, given the tokens that they attend to.
func (m *Model) keptOf(rows, context, windowed float64) (full, window float64) {
	a := &m.deployment.Architecture
	local := rows * float64(a.Local())
	return context*a.FullShare() + local, windowed*a.WindowShare() + local
}

// keptReach is the same of the reach of chunks.
func (m *Model) keptReach(full, windowed reach) (reach, reach) {
	a := &m.deployment.Architecture
	if a.Compression == nil {
		return full, windowed
	}
	return full.kept(a.FullShare()), windowed.kept(a.WindowShare())
}

// kept is the reach with a share of a vector for each token, and those of the last tokens.
func (r reach) kept(share float64) reach {
	r.pairs, r.keys, r.context = r.pairs*share+r.last.pairs, r.keys*share+r.last.keys, r.context*share+r.last.context
	return r
}

// lastOf is what a chunk attends to of each token's last ones.
func lastOf(c hardware.Chunk, local int) last {
	seen := min(c.Context, local-1)
	return last{pairs: model.WindowPairs(c.Context, c.Context+c.Tokens, local), keys: float64(seen + c.Tokens), context: float64(seen)}
}

// last is what chunks attend to of last tokens, summed over them.
type last struct{ pairs, keys, context float64 }

func (l *last) add(o last) {
	l.pairs += o.pairs
	l.keys += o.keys
	l.context += o.context
}

func (l last) share(n float64) last { return last{l.pairs / n, l.keys / n, l.context / n} }
