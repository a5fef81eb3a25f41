package policies

// Guesses is what a scheduler needs of speculation that plans guesses itself, as
// tokens of its steps. A nil one guesses nothing.
//
// A sequence that decodes asks for its token and all guesses behind it, and gets as
// many as fit what is left of the budget and of the longest sequence. It holds
// memory for these and for Lookahead tokens more, and others are preempted for that
// as for any token. A proposal is there from the step on that gave a token, so that a
// sequence which was preempted, or swapped and comes back, has none in its first step. Under asynchronous
// scheduling a plan counts on all guesses of the step before: their places are taken,
// and none is left where they would make the longest sequence.
//
// Source: vllm/v1/core/sched/scheduler.py, num_tokens_with_spec and
// num_lookahead_tokens, and allocate_slots of vllm/v1/core/kv_cache_manager.py;
// async_scheduler.py, num_output_placeholders.
type Guesses struct {
	Proposals Proposals
	Tree      Tree

	// Lookahead is the slots beyond these that the proposer writes keys and values to
	// when it guesses for the next step: the longest proposal, 0 where it writes none.
	Lookahead int
}

// waits tells whether a sequence has no task in a step since the guesses under way would
// make it as long as any may be.
func (g *Guesses) waits(v *View, s *Sequence) bool {
	return g != nil && s.Computed+s.Assumed >= v.MaxTokens-1
}

// length is how many tokens in a row to guess for each sequence of a batch that decodes.
func (g *Guesses) length(running []*Sequence) int {
	if g == nil {
		return 0
	}
	decoding, context := 0, int64(0)
	for _, s := range running {
		if guesses(s) {
			decoding++
			context += int64(s.Computed + 1)
		}
	}
	if decoding == 0 {
		return 0
	}
	return g.Proposals.Length(decoding, context)
}

// add adds guesses for length positions in a row to a task, or for as many as take
// at most budget tokens, with blocks for them and for what is written ahead. One token
// of the longest sequence is left for the one that the model adds behind the guesses.
func (g *Guesses) add(v *View, t *Task, length, budget int) {
	if g == nil {
		return
	}
	if s := t.Sequence; guesses(s) {
		budget = min(budget, v.Longest(s)-1-s.Computed-s.Assumed-t.Tokens)
		for length > 0 && g.Tree.Nodes(length) > budget {
			length--
		}
		t.Draft, t.Nodes = length, g.Tree.Nodes(length)
	}
	g.lookAhead(v, t)
}

// lookAhead adds the blocks to a task for its guesses and for what is written ahead. A
// sequence that has just come back has the blocks that it came with.
func (g *Guesses) lookAhead(v *View, t *Task) {
	s := t.Sequence
	if g == nil || s.Returned {
		return
	}
	slots := min(s.Computed+s.Assumed+t.Cached+t.Tokens+t.Nodes+g.Lookahead, v.Longest(s))
	t.Blocks = max(t.Blocks, v.BlocksFor(slots))
}

// share notes in d what each sequence that decodes has of a step, and returns the blocks
// that they need for that. It is false where they do not all have the same.
func (g *Guesses) share(v *Aggregate, d *Decision) (demand int, ok bool) {
	if g == nil {
		return v.Demand, true
	}
	length := g.Proposals.Length(v.Decoding+v.Overrunning, v.Context)
	nodes := g.Tree.Nodes(length)
	d.Proposals, d.Share = g.Proposals, Share{Draft: length, Nodes: nodes, Slots: 1 + nodes + g.Lookahead, Limited: true}
	return v.Rows.Demand(d.Share)
}

// Longest is the most tokens that a sequence holds memory for: what it has reserved,
// where nobody is preempted.
func (v *View) Longest(s *Sequence) int {
	if s.Reserved > 0 {
		return min(v.MaxTokens, v.BlocksFor(s.Reserved)*v.BlockSize)
	}
	return v.MaxTokens
}
