package roofline

import (
	"kneepoint/hardware"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// A step may be computed as two halves of its tokens, one of which uses what the other leaves
// idle: while the kernels of one half run, the accelerators exchange what the other has computed.
// Every half reads the weights, and has launches of its own.
//
// With what the parts of a step need of each resource, it takes
//
//	longest + (sum - longest)/(2*layers)
//
// where sum is the time of all parts one after another, and longest that of the busiest
// resource: all but the first of the pieces into which halves and layers divide a step is hidden. That is the most
// that overlap gains: parts that run at the same time do not slow each other down, unless they share the
// multiprocessors, see besideEachOther.
//
// Sources: docs/design/dbo.md of vllm-project/vllm (two halves, exchanges beside kernels);
// Zhu et al., "NanoFlow", arXiv 2408.12757 (kernels beside kernels).

// microBatches is the number of parts.
const microBatches = 2

// What runs side by side, as hardware.Engine.MicroBatchOverlap has it.
const (
	overlapExchanges = "exchanges"
	overlapAll       = "all"
	overlapShared    = "shared"
)

// overlaps tells whether the engine computes steps as halves.
func (d *Deployment) overlaps() bool {
	switch d.Engine.MicroBatchOverlap { // is asked for in every step
	case overlapExchanges, overlapAll, overlapShared:
		return true
	}
	return false
}

// splits tells whether a step is computed as halves, by the tokens of its fullest data-parallel group.
func (m *Model) splits(tokens int) bool {
	return m.deployment.overlaps() && tokens >= max(microBatches, m.deployment.Engine.MicroBatchTokens)
}

// checkOverlap refuses halves in the stages of a pipeline, whose bubbles they would share.
func (d *Deployment) checkOverlap() error {
	if d.overlaps() && d.PP > 1 {
		return &badinput.Error{Key: "hardware.pp", Value: d.PP, Allowed: "1",
			Problem: "not supported yet with micro_batch_overlap of engine " + d.Engine.Name}
	}
	return nil
}

// halfOperators visits the embedding, and the kernels and exchanges of the layers, of both halves
// together.
func (m *Model) halfOperators(w *hardware.Work, tokens int, visit func(Operator)) {
	m.tokenOperators(float64(tokens)/microBatches, func(o Operator) { visit(o.times(microBatches)) })
	if m.experts != nil {
		visit(m.expertOperator(float64(w.Tokens()) / microBatches).times(microBatches))
	}
	// Attention reads the keys and values of each sequence once, in whichever half it is.
	m.contextOperators(w, func(o Operator) {
		o.Time += (microBatches - 1) * o.sides.latency
		visit(o)
	})
}

// times is n operators alike.
func (o Operator) times(n float64) Operator {
	o.Time *= units.Seconds(n)
	o.FLOPs *= units.FLOPs(n)
	o.Bytes *= units.Bytes(n)
	o.LinkBytes *= units.Bytes(n)
	o.sides = o.sides.times(n)
	return o
}

// needs is how long parts of a step keep each resource busy. Exchanges need the links, and kernels either
// the accelerator as a whole or its parts.
type needs struct{ kernels, compute, memory, links units.Seconds }

func (m *Model) needsOf(o *Operator) needs {
	switch {
	case o.LinkBytes > 0:
		return needs{links: o.Time}
	case m.deployment.Engine.MicroBatchOverlap != overlapExchanges:
		return needs{compute: o.sides.compute, memory: o.sides.memory}
	default:
		return needs{kernels: o.Time}
	}
}

func (n *needs) add(o needs) {
	n.kernels += o.kernels
	n.compute += o.compute
	n.memory += o.memory
	n.links += o.links
}

// longest is the busiest resource's.
func (n *needs) longest() units.Seconds { return max(n.kernels, n.compute, n.memory, n.links) }

// of is what o needs of the resource that is the busiest of n.
func (n *needs) of(o needs) units.Seconds {
	switch n.longest() {
	case n.kernels:
		return o.kernels
	case n.compute:
		return o.compute
	case n.memory:
		return o.memory
	default:
		return o.links
	}
}

// seen is how much longer a step takes for a part that takes so long alone, and keeps the busiest resource busy for so long.
func (m *Model) seen(alone, busy units.Seconds) units.Seconds {
	return busy + (alone-busy)/units.Seconds(microBatches*m.deployment.Architecture.Layers)
}

// overlappedTime is the time of a step in halves, without its logits.
func (m *Model) overlappedTime(w *hardware.Work, tokens int) units.Seconds {
	var all needs
	var beside besideEachOther
	var sum units.Seconds
	m.halfOperators(w, tokens, func(o Operator) {
		all.add(m.needsOf(&o))
		beside.add(&o)
		sum += o.Time
	})
	return m.seen(sum, m.busiest(&all, &beside))
}

// busiest is how long the parts of a step take beside each other, without what has nothing beside it.
func (m *Model) busiest(all *needs, beside *besideEachOther) units.Seconds {
	if m.deployment.Engine.MicroBatchOverlap == overlapShared {
		return max(all.longest(), beside.time())
	}
	return all.longest()
}

// overlapped lists the operators of a step in halves, each with what it adds to its time: those that share the accelerator as much of it
// as they would take of it alone.
func (m *Model) overlapped(w *hardware.Work, tokens int) []Operator {
	var all needs
	var beside besideEachOther
	var list []Operator
	var sum units.Seconds
	m.halfOperators(w, tokens, func(o Operator) {
		all.add(m.needsOf(&o))
		beside.add(&o)
		list = append(list, o)
		sum += o.Time
	})
	shared := m.seen(sum, m.busiest(&all, &beside)) / sum
	for i := range list {
		o := &list[i]
		if m.deployment.Engine.MicroBatchOverlap == overlapShared {
			o.Time *= shared
		} else {
			o.Time = m.seen(o.Time, all.of(m.needsOf(o)))
		}
	}
	return list
}
