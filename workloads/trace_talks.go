package workloads

import (
	"math"
	"strings"
)

// talks are the conversations of a trace that names them.
type talks struct {
	byName map[string]*talk
	begun  int // how often one began, or began anew
}

// talk is a conversation so far.
type talk struct {
	number  int32
	content *Content
	said    int // tokens of the last prompt and its answer
}

// next makes the row the next turn of a conversation. Its prompt goes on with all that was said before where it is long
// enough to hold that; where it is not, it begins anew.
func (t *talks) next(name string, r *row) {
	c := t.byName[name]
	if c == nil {
		c = &talk{number: int32(len(t.byName)) + 1}
		t.byName[strings.Clone(name)] = c
	}
	if c.content == nil || int(r.input) < c.said {
		c.content = contentOf(t.begun)
		t.begun++
	}
	c.said = int(r.input) + int(r.output)
	r.session, r.content, r.named = c.number, c.content, int32(min(c.said, math.MaxInt32))
}
