package workloads

import (
	"cmp"
	"math/rand/v2"

	"kneepoint/units/badinput"
)

// conversation is one, from its first turn to its last.
type conversation struct {
	number  int // in order of their start
	content *Content
	turns   []turn  // to come
	count   int     // of all turns
	said    int     // tokens of all turns so far
	at      float64 // when the last turn was sent, or the next will be
}

// turn is the new part of a request.
type turn struct{ input, output int }

// next is the request of the next turn. No model takes prompts of 2^30 tokens.
func (c *conversation) next(id int) Request {
	t := c.turns[0]
	c.turns = c.turns[1:]
	r := Request{ID: id, Session: c.number, Turn: c.count - len(c.turns), Turns: c.count,
		Input: min(c.said+t.input, mostTokens), Output: t.output, Content: c.content}
	r.Named = r.Input + r.Output
	c.said = r.Named
	return r
}

// skip makes turns part of what was said: the conversation goes on with the one after them.
func (c *conversation) skip(turns int) {
	for _, t := range c.turns[:turns] {
		c.said = min(c.said+t.input, mostTokens) + t.output
	}
	c.turns = c.turns[turns:]
}

// conversationLaw draws whole conversations, one after another, so that they do
// not depend on when their turns come.
type conversationLaw struct {
	turns        LengthLaw
	first, later lengthPair // of the first turn, and of those after it
	numbers      *rand.Rand
	uniforms
	prefixes prefixDraws
	shared   int // number of prefixes; 0: none

	drawn int
}

func newConversationLaw(s *Spec, seed uint64, replication int) (*conversationLaw, error) {
	l := &conversationLaw{numbers: Stream(seed, replication, StreamTurns), uniforms: newUniforms(seed, replication)}
	if s.Prefix != nil {
		l.prefixes, l.shared = newPrefixDraws(s.Prefix.buckets(), Stream(seed, replication, StreamPrefixes)), s.Prefix.shared()
	}
	var err error
	if l.turns, err = s.Session.Turns.law(); err != nil {
		return nil, badinput.Under("session.turns", err)
	}
	input, output := cmp.Or(s.Session.Input, s.Input), cmp.Or(s.Session.Output, s.Output)
	if l.first, err = turnLengths("session.first_input", cmp.Or(s.Session.FirstInput, input), output); err != nil {
		return nil, err
	}
	l.later, err = turnLengths("session.input", input, output)
	return l, err
}

// turnLengths are those of a turn: of its new input, whose table has the key, and of
// its answer.
func turnLengths(key string, input, output *LengthSpec) (p lengthPair, err error) {
	if p.input, err = input.Law(); err != nil {
		return p, badinput.Under(key, err)
	}
	if p.output, err = output.Law(); err != nil {
		return p, badinput.Under("session.output", err)
	}
	p, err = newLengthPair(p.input, p.output, output.Correlation)
	return p, badinput.Under("session.output", err)
}

// draw is the next conversation. What it begins with may be shared with others;
// all that follows is its own.
func (l *conversationLaw) draw() *conversation {
	c := &conversation{number: l.drawn, turns: make([]turn, l.turns.Sample(l.numbers))}
	c.count = len(c.turns)
	own := l.shared + l.drawn
	l.drawn++
	c.content = contentOf(own)
	if l.shared > 0 {
		var id int
		if id, c.said = l.prefixes.next(); c.said > 0 {
			c.content = &Content{IDs: []int{id, own}, Span: c.said}
		}
	}
	lengths := &l.first
	for i := range c.turns {
		c.turns[i].input, c.turns[i].output = lengths.draw(l.inputs, l.outputs)
		lengths = &l.later
	}
	return c
}
