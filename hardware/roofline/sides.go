package roofline

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// sides are the terms of an operator's time before they overlap.
type sides struct{ latency, compute, memory units.Seconds }

// add adds a kernel with the given ideal times.
func (s *sides) add(e *hardware.Efficiency, compute, memory units.Seconds) {
	s.latency += e.Latency
	s.compute += compute / units.Seconds(e.Compute)
	s.memory += memory / units.Seconds(e.Memory)
}

// beside is the ideal time of matrix units that take as long as they do with vector units beside them.
func beside(matrix, vector units.Seconds, e *hardware.Efficiency) units.Seconds {
	return max(matrix, vector*units.Seconds(e.Compute))
}

// times is the sides of n alike.
func (s sides) times(n float64) sides {
	k := units.Seconds(n)
	return sides{s.latency * k, s.compute * k, s.memory * k}
}

// bound is the longest side.
func (s *sides) bound() Bound {
	switch longest := max(s.latency, s.compute, s.memory); longest {
	case s.compute:
		return ComputeBound
	case s.memory:
		return MemoryBound
	default:
		return LatencyBound
	}
}

// waitingFor is the operator with its sides.
func (o Operator) waitingFor(s sides) Operator {
	o.sides, o.Bound = s, s.bound()
	return o
}
