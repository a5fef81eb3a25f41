package sim

import (
	"math"
	"math/bits"

	"kneepoint/hardware"
	"kneepoint/units"
)

// curves keep what steps of sequences that guess cost, by their context: between two contexts the
// cost follows a polynomial, which is asked for instead of the cost model. Every engine takes costs
// from here, so that they agree to the last bit, and a curve is the same whoever asks for it first.
//
// The time of such a step is smooth in its context but where another resource becomes the one
// that it waits for, so that a cubic through four of a short range is as good as the model; where it
// is not at others in between, the model is asked for each step.
type curves struct {
	known map[curveKey]*curve
	last  *curve // that was asked last
	key   curveKey
}

// costOf is the cost of a step.
func (m *machine) costOf(w *hardware.Work) hardware.Cost { return m.fleet.curves.of(m.pool, w) }

// curveKey is steps that differ in the context alone, whose context begins with the same bits.
type curveKey struct {
	pool                      *Pool
	rows, drafts, passes, own int   // own: rows of logits
	offset                    int64 // of the context of guesses from that many times the context
	begins                    int64
	digits                    int // bits that follow
}

// curve is a cubic for each part of a cost, by the context beyond the first one of its range; exact is set
// where there is none.
type curve struct {
	exact bool
	from  float64
	until int64 // its range ends before
	parts [costParts]polynomial
}

// polynomial is the coefficients of a cubic, that of the constant first.
type polynomial [4]float64

const (
	curveBits      = 4     // that contexts of a range have in common
	curveTolerance = 1e-12 // relative deviation up to which a cubic counts as the cost
	narrowest      = 4     // bits of a range that is worth a curve
	costParts      = 7
)

// of is the cost of a step.
func (c *curves) of(pool *Pool, w *hardware.Work) hardware.Cost {
	return c.along(pool, w).cost(pool, w)
}

// cost is that of a step along a curve; of nil, the model's.
func (c *curve) cost(pool *Pool, w *hardware.Work) hardware.Cost {
	if c == nil {
		return pool.Cost.Step(w)
	}
	return c.at(w.DecodeContext)
}

// along is the curve that the cost of a step is on, and of steps with more context as far as it goes; nil: none.
func (c *curves) along(pool *Pool, w *hardware.Work) *curve {
	if w.DraftRows == 0 || len(w.Prefill) > 0 || w.DecodeWindowContext > 0 || w.PaddingRows > 0 || w.PaddingContext > 0 {
		return nil
	}
	digits := bits.Len64(uint64(w.DecodeContext)) - curveBits
	if digits < narrowest {
		return nil
	}
	k := curveKey{pool: pool, rows: w.DecodeRows, drafts: w.DraftRows, passes: w.DraftPasses, own: w.LogitRows,
		offset: w.DraftContext - w.DecodeContext*int64(w.DraftRows/w.DecodeRows), begins: w.DecodeContext >> digits, digits: digits}
	if c.last == nil || c.key != k {
		c.last, c.key = c.find(&k), k
	}
	if c.last.exact {
		return nil
	}
	return c.last
}

func (c *curves) find(k *curveKey) *curve {
	found := c.known[*k]
	if found == nil {
		if c.known == nil {
			c.known = map[curveKey]*curve{}
		}
		found = k.fit()
		c.known[*k] = found
	}
	return found
}

// cost is the model's at a context.
func (k *curveKey) cost(context int64) [costParts]float64 {
	w := hardware.Work{DecodeRows: k.rows, DecodeContext: context, DraftRows: k.drafts, DraftPasses: k.passes, LogitRows: k.own,
		DraftContext: context*int64(k.drafts/k.rows) + k.offset}
	return partsOf(k.pool.Cost.Step(&w))
}

func partsOf(c hardware.Cost) [costParts]float64 {
	return [costParts]float64{float64(c.Time), float64(c.Draft), float64(c.Bytes), float64(c.FLOPs), float64(c.DraftFLOPs),
		float64(c.LinkBytes), c.Energy}
}

// fit is the curve through the first and the last context of the range and those at its thirds.
func (k *curveKey) fit() *curve {
	from, width := k.begins<<k.digits, int64(1)<<k.digits
	c := &curve{from: float64(from), until: from + width}
	var x [4]float64
	var y [4][costParts]float64
	for i := range x {
		context := from + int64(i)*(width-1)/3
		x[i], y[i] = float64(context-from), k.cost(context)
	}
	for part := range c.parts {
		c.parts[part] = cubic(x, [4]float64{y[0][part], y[1][part], y[2][part], y[3][part]})
	}
	for _, share := range []int64{1, 5, 10, 14} {
		at := from + (width*share/16 | 1) // odd: whole tokens of a sequence, of several, are no multiples of it
		is, should := partsOf(c.at(at)), k.cost(at)
		for part := range is {
			if math.Abs(is[part]-should[part]) > curveTolerance*math.Abs(should[part]) {
				c.exact = true
			}
		}
	}
	return c
}

// cubic is the coefficients of the polynomial through four points, by Newton's divided differences.
func cubic(x, y [4]float64) (c polynomial) {
	d := y
	for order := 1; order < 4; order++ {
		for i := 3; i >= order; i-- {
			d[i] = (d[i] - d[i-1]) / (x[i] - x[i-order])
		}
	}
	c[0] = d[3]
	for i := 2; i >= 0; i-- { // times x - x[i], plus d[i]
		for j := 3; j > 0; j-- {
			c[j] = c[j-1] - x[i]*c[j]
		}
		c[0] = d[i] - x[i]*c[0]
	}
	return c
}

// at is the cost at a context.
func (c *curve) at(context int64) hardware.Cost {
	x, p := float64(context)-c.from, &c.parts
	return hardware.Cost{Time: units.Seconds(p[0].at(x)), Draft: units.Seconds(p[1].at(x)), Bytes: units.Bytes(p[2].at(x)),
		FLOPs: units.FLOPs(p[3].at(x)), DraftFLOPs: units.FLOPs(p[4].at(x)), LinkBytes: units.Bytes(p[5].at(x)), Energy: p[6].at(x)}
}

func (p *polynomial) at(x float64) float64 { return p[0] + x*(p[1]+x*(p[2]+x*p[3])) }
