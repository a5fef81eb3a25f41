package workloads

import (
	"math/rand/v2"

	"kneepoint/units/badinput"
)

// PrefixSpec is the [workload.prefix] table: which prompts begin alike. One of
//
//	count, tokens              each prompt begins with one of count prefixes of that many
//	                           tokens, drawn alike; the input law gives the tokens after it
//	groups, per_group, tokens  the same with groups prefixes, each of which has only so many
//	                           prompts: one of all of these is drawn, whole
//	buckets                    as count and tokens, with prefixes that are not equally popular or long
//	distinct                   the n-th request has prompt n modulo distinct, whole
type PrefixSpec struct {
	Count    int `toml:"count" check:"positive"`
	Groups   int `toml:"groups" check:"positive"`
	PerGroup int `toml:"per_group" check:"positive"`
	Tokens   int `toml:"tokens" check:"positive"`
	Distinct int `toml:"distinct" check:"positive"`

	Buckets []PrefixBucket `toml:"buckets"`
}

// prefixWays are the keys that go together.
const prefixWays = "count and tokens; buckets; groups, per_group and tokens; or distinct"

// Validate reports what is missing or contradictory.
func (s *PrefixSpec) Validate() error {
	missing := func(key string) error { return &badinput.Error{Key: key, Problem: "missing", Allowed: prefixWays} }
	besides := func(key string, value int) error {
		return &badinput.Error{Key: key, Value: value, Problem: "is another way than the keys beside it", Allowed: prefixWays}
	}
	grouped := s.Groups > 0 || s.PerGroup > 0
	switch {
	case s.Buckets != nil && (s.Count > 0 || s.Tokens > 0 || grouped || s.Distinct > 0):
		return &badinput.Error{Key: "buckets", Problem: "is another way than the keys beside it", Allowed: prefixWays}
	case len(s.Buckets) > 0:
		return s.validateBuckets()
	case s.Distinct > 0 && (s.Count > 0 || s.Tokens > 0 || grouped):
		return besides("distinct", s.Distinct)
	case s.Distinct > 0:
		return nil
	case s.Count > 0 && grouped:
		return besides("count", s.Count)
	case grouped && s.Groups == 0:
		return missing("groups")
	case grouped && s.PerGroup == 0:
		return missing("per_group")
	case s.Count == 0 && !grouped:
		return missing("count")
	case s.Tokens == 0:
		return missing("tokens")
	}
	return nil
}

// wholePrompts is the key by which there are so many prompts that come again, whole; empty
// where there are none.
func (s *PrefixSpec) wholePrompts() (key string, n int) {
	switch {
	case s == nil:
		return "", 0
	case s.Distinct > 0:
		return "distinct", s.Distinct
	case s.PerGroup > 0:
		return "per_group", s.PerGroup
	}
	return "", 0
}

// prefixed lets prompts begin alike.
func (s *PrefixSpec) prefixed(l lengths, seed uint64, replication int) lengths {
	switch {
	case s.Distinct > 0:
		return &distinctPrompts{lengths: l, distinct: s.Distinct}
	case s.PerGroup > 0:
		return &groupedPrompts{lengths: l, spec: *s, prompts: map[int]groupedPrompt{}, draws: Stream(seed, replication, StreamPrefixes)}
	}
	return &sharedPrefixes{lengths: l, prefixes: map[int]*Content{}, draws: newPrefixDraws(s.buckets(), Stream(seed, replication, StreamPrefixes))}
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
	draws    prefixDraws
}

func (l *sharedPrefixes) next(r *Request) {
	l.lengths.next(r)
	id, tokens := l.draws.next()
	if tokens == 0 {
		return
	}
	prefix := l.prefixes[id]
	if prefix == nil {
		prefix = contentOf(id)
		l.prefixes[id] = prefix
	}
	r.Input += tokens
	r.Content, r.Named = prefix, tokens
}

// groupedPrompts draws one of the prompts of all groups. It keeps the length that its
// first request drew; outputs are drawn anew.
type groupedPrompts struct {
	lengths lengths
	spec    PrefixSpec
	prompts map[int]groupedPrompt // those that were drawn so far
	draws   *rand.Rand
}

type groupedPrompt struct {
	content *Content
	input   int
}

func (l *groupedPrompts) next(r *Request) {
	l.lengths.next(r)
	id := l.draws.IntN(l.spec.Groups * l.spec.PerGroup)
	prompt, known := l.prompts[id]
	if !known {
		group, own := id/l.spec.PerGroup, l.spec.Groups+id
		prompt = groupedPrompt{&Content{IDs: []int{group, own}, Span: l.spec.Tokens}, l.spec.Tokens + r.Input}
		l.prompts[id] = prompt
	}
	r.Input = prompt.input
	r.Content, r.Named = prompt.content, prompt.input
}
