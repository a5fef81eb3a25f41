package policies

import "slices"

// batch is a replica's batch while a step is planned for it: the sequences that
// go on, and the memory that is left.
type batch struct {
	view      *View
	decision  *Decision
	preempted []bool // by index in the batch; nil while nobody is
	running   int    // sequences that are not preempted
	free      int    // blocks

	// freeBlockEach demands a free block for every sequence that decodes as its turn
	// comes, whether it needs one or not.
	freeBlockEach bool

	guesses *Guesses // nil: none
	length  int      // tokens in a row to guess for each sequence that decodes
}

// newBatch is the batch without what d preempts already.
func newBatch(v *View, d *Decision) batch {
	b := batch{view: v, decision: d, running: len(v.Running), free: v.freeFor(d)}
	for _, s := range d.Preempt {
		b.takeOut(slices.Index(v.Running, s))
	}
	return b
}

// takeOut takes the i-th sequence out of those that go on.
func (b *batch) takeOut(i int) {
	if b.preempted == nil {
		b.preempted = make([]bool, len(b.view.Running))
	}
	b.preempted[i] = true
	b.running--
}

// has tells whether the i-th sequence is not preempted.
func (b *batch) has(i int) bool { return b.preempted == nil || !b.preempted[i] }

// resumeSequence gives the i-th sequence a task of as many of its pending tokens as the
// budget allows and of the guesses behind them, and returns by how many tokens the step grows: fewer than these where
// a sequence is preempted that had a task. When blocks are short, victims are
// preempted. It is false when that went as far as this one, or must wait for a
// victim's step under way.
func (b *batch) resumeSequence(i, budget int) (tokens int, ok bool) {
	s := b.view.Running[i]
	task := nextTask(b.view, s, Hit{}, budget)
	b.guesses.add(b.view, &task, b.length, budget-task.Tokens)
	for max(task.Blocks-s.Blocks, b.demanded(s)) > b.free {
		victim := b.victim()
		if b.view.Running[victim].InFlight > 0 {
			return tokens, false
		}
		tokens -= b.preempt(victim)
		if victim == i {
			return tokens, false
		}
	}
	b.free -= task.Blocks - s.Blocks
	b.decision.Tasks = append(b.decision.Tasks, task)
	return tokens + task.Tokens + task.Nodes, true
}

// endsStep tells whether nobody behind the i-th sequence has a task, after
// resumeSequence gave it one (ok) or none. As in vLLM the first that is preempted
// for its own need ends the step, unless the step would be empty.
func (b *batch) endsStep(i int, ok bool) bool {
	return !ok && (b.has(i) || len(b.decision.Tasks) > 0)
}

// victim is the index of the sequence that is preempted next: the youngest, or the
// least urgent where the queue is ordered by priority. Of those that are as urgent and arrived at
// once it is the youngest, too: were it the oldest, they could take each other's memory in
// turn for ever. In vLLM no two requests have the same time of arrival.
func (b *batch) victim() int {
	victim := len(b.view.Running) - 1
	for !b.has(victim) {
		victim--
	}
	if !b.view.LeastUrgentFirst {
		return victim
	}
	for i := victim - 1; i >= 0; i-- {
		if b.has(i) && b.view.Running[victim].Before(b.view.Running[i]) {
			victim = i
		}
	}
	return victim
}

// preempt preempts the i-th sequence, and returns the tokens of the task that it had.
func (b *batch) preempt(i int) (tokens int) {
	d, s := b.decision, b.view.Running[i]
	if task := slices.IndexFunc(d.Tasks, func(t Task) bool { return t.Sequence == s }); task >= 0 {
		tokens = d.Tasks[task].Tokens + d.Tasks[task].Nodes
		b.free += d.Tasks[task].Blocks - s.Blocks
		d.Tasks = slices.Delete(d.Tasks, task, task+1)
	}
	b.takeOut(i)
	freed := b.view.Freed(d.Preempt)
	d.Preempt = append(d.Preempt, s)
	b.free += b.view.Freed(d.Preempt) - freed
	return tokens
}

// demanded is how many free blocks a sequence must find, whatever it needs. One that
// has reserved memory for its whole length never asks, nor does one that is alone: it
// would be preempted for its own sake, to begin anew at once.
func (b *batch) demanded(s *Sequence) int {
	if !b.freeBlockEach || b.running == 1 || s.Reserved > 0 || !s.Decodes() {
		return 0
	}
	return 1
}

// decodeAll lets every sequence of the batch process a token.
func (b *batch) decodeAll() {
	for i, s := range b.view.Running {
		if !b.has(i) || s.Pending() == 0 {
			continue
		}
		if _, ok := b.resumeSequence(i, 1); b.endsStep(i, ok) {
			return
		}
	}
}

// cut is a number of tokens, and at most the threshold where there is one.
func cut(tokens, threshold int) int {
	if threshold > 0 {
		return min(tokens, threshold)
	}
	return tokens
}

// nextTask gives s what is cached of it, as many of its pending tokens as the
// budget allows, and the blocks to hold them. Those that only a prompt's chunks need
// stay until the last of them is computed.
func nextTask(v *View, s *Sequence, hit Hit, budget int) Task {
	tokens := min(s.Pending()-hit.Tokens, budget)
	if s.Blocks > 0 {
		hit.Held = 0 // that are its own
	}
	computed := s.Computed + hit.Tokens
	return Task{
		Sequence: s,
		Cached:   hit.Tokens,
		Held:     hit.Held,
		Tokens:   tokens,
		Blocks:   max(s.Blocks, v.Windows.ToCompute(computed, tokens, v.BlockSize), v.BlocksFor(s.Reserved)),
	}
}
