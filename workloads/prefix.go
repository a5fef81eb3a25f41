package workloads

import (
	"math/rand/v2"

	"kneepoint/units/badinput"
)

// PrefixSpec is the [workload.prefix] table: which prompts begin alike. One of
//
//	count, tokens   each prompt begins with one of count prefixes of that many
//	                tokens, drawn alike; the input law gives the tokens after it
//	distinct        the n-th request has prompt n modulo distinct, whole
type PrefixSpec struct {
	Count    int `toml:"count" check:"positive"`
	Tokens   int `toml:"tokens" check:"positive"`
	Distinct int `toml:"distinct" check:"positive"`

	Groups   any `toml:"groups" later:"true"`
	PerGroup any `toml:"per_group" later:"true"`
	Buckets  any `toml:"buckets" later:"true"`
}

// Validate reports what is missing or contradictory.
func (s *PrefixSpec) Validate() error {
	switch {
	case s.Distinct > 0 && (s.Count > 0 || s.Tokens > 0):
		return &badinput.Error{
			Key:     "distinct",
			Value:   s.Distinct,
			Problem: "has no effect beside count and tokens",
			Allowed: "either distinct, or count and tokens",
		}
	case s.Distinct > 0:
		return nil
	case s.Count <= 0:
		return &badinput.Error{Key: "count", Problem: "missing", Allowed: "count and tokens, or distinct"}
	case s.Tokens <= 0:
		return &badinput.Error{Key: "tokens", Problem: "missing", Allowed: "count and tokens, or distinct"}
	}
	return nil
}

// prefixed lets prompts begin alike.
func (s *PrefixSpec) prefixed(l lengths, seed uint64, replication int) lengths {
	if s.Distinct > 0 {
		return &distinctPrompts{lengths: l, distinct: s.Distinct}
	}
	return &sharedPrefixes{
		lengths:  l,
		prefixes: map[int]*Content{},
		count:    s.Count,
		tokens:   s.Tokens,
		draws:    Stream(seed, replication, StreamPrefixes),
	}
}

// distinctPrompts cycles through fixed prompts. A prompt keeps the length that
// its first request drew; outputs are drawn anew.
type distinctPrompts struct {
	lengths  lengths
	distinct int
	prompts  []*Content // those that were asked for so far
	inputs   []int      // their lengths
	turn     int
}

func (l *distinctPrompts) next(r *Request) {
	l.lengths.next(r)
	prompt := l.turn % l.distinct
	l.turn++
	if prompt == len(l.prompts) {
		l.prompts = append(l.prompts, contentOf(prompt))
		l.inputs = append(l.inputs, r.Input)
	}
	r.Input = l.inputs[prompt]
	r.Content, r.Named = l.prompts[prompt], r.Input
}

// sharedPrefixes puts one of some prefixes before each prompt.
type sharedPrefixes struct {
	lengths  lengths
	prefixes map[int]*Content // those that were drawn so far
	count    int
	tokens   int
	draws    *rand.Rand
}

func (l *sharedPrefixes) next(r *Request) {
	l.lengths.next(r)
	id := l.draws.IntN(l.count)
	prefix := l.prefixes[id]
	if prefix == nil {
		prefix = contentOf(id)
		l.prefixes[id] = prefix
	}
	r.Input += l.tokens
	r.Content, r.Named = prefix, l.tokens
}
