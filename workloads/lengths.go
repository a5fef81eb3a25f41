package workloads

import (
	"cmp"
	"math/rand/v2"

	"kneepoint/units/badinput"
)

// lengths fills in the tokens of one request after another, without end.
type lengths interface {
	next(r *Request)
}

func newLengths(s *Spec, rows *cursor, seed uint64, replication int) (lengths, error) {
	l, err := plainLengths(s, rows, seed, replication)
	if err != nil || s.Prefix == nil {
		return l, err
	}
	return s.Prefix.prefixed(l, seed, replication), nil
}

// plainLengths are those of prompts that are all different.
func plainLengths(s *Spec, rows *cursor, seed uint64, replication int) (lengths, error) {
	switch {
	case len(s.Client) > 0:
		return newSharedClasses(s, rows, seed, replication)
	case rows != nil:
		return &traceLengths{rows: rows}, nil
	}
	return newUniforms(seed, replication).lengths(s, &ClientSpec{})
}

// uniforms are the random numbers that lengths are drawn with.
type uniforms struct{ inputs, outputs *rand.Rand }

func newUniforms(seed uint64, replication int) uniforms {
	return uniforms{Stream(seed, replication, StreamInputLengths), Stream(seed, replication, StreamOutputLengths)}
}

// lengths are drawn from the laws of a class, which are those of the workload
// where it has none.
func (u uniforms) lengths(s *Spec, c *ClientSpec) (lengths, error) {
	input, err := cmp.Or(c.Input, s.Input).Law()
	if err != nil {
		return nil, badinput.Under("input", err)
	}
	output, err := cmp.Or(c.Output, s.Output).Law()
	if err != nil {
		return nil, badinput.Under("output", err)
	}
	pair, err := newLengthPair(input, output, cmp.Or(c.Output, s.Output).Correlation)
	if err != nil {
		return nil, badinput.Under("output", err)
	}
	return &drawnLengths{pair, u}, nil
}

// drawnLengths come from two laws.
type drawnLengths struct {
	lengthPair
	uniforms
}

func (l *drawnLengths) next(r *Request) { r.Input, r.Output = l.draw(l.inputs, l.outputs) }

// traceLengths are a trace's, in its order, over and over.
type traceLengths struct{ rows *cursor }

func (l *traceLengths) next(r *Request) {
	row := l.rows.next()
	r.Input, r.Output, r.Session = int(row.input), int(row.output), int(row.session)-1
	if r.Content = row.content; r.Content != nil {
		r.Named = cmp.Or(int(row.named), min(r.Input, len(r.Content.IDs)*r.Content.Span))
	}
}
