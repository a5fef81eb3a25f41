package policies

// batch is a replica's batch while a step is planned for it: the sequences that
// go on, and the memory that is left.
type batch struct {
	view     *View
	decision *Decision
	running  int // sequences that are not preempted, the oldest ones
	free     int // blocks
}

// newBatch is the batch without what d preempts already, the youngest ones.
func newBatch(v *View, d *Decision) batch {
	b := batch{view: v, decision: d, running: len(v.Running) - len(d.Preempt), free: v.FreeBlocks}
	if len(d.Preempt) > 0 {
		b.free += v.Freed(d.Preempt)
	}
	return b
}

// resumeSequence gives the i-th sequence a task of as many of its pending tokens as the
// budget allows, and returns how many. When blocks are short, the youngest
// sequences are preempted. It is false when that went as far as this one.
func (b *batch) resumeSequence(i, budget int) (tokens int, ok bool) {
	s, d := b.view.Running[i], b.decision
	task := nextTask(b.view, s, Hit{}, budget)
	for task.Blocks-s.Blocks > b.free && b.running > i {
		if b.view.Running[b.running-1].InFlight > 0 {
			return 0, false // until it can be preempted
		}
		b.running--
		freed := b.view.Freed(d.Preempt)
		d.Preempt = append(d.Preempt, b.view.Running[b.running])
		b.free += b.view.Freed(d.Preempt) - freed
	}
	if b.running == i {
		return 0, false
	}
	b.free -= task.Blocks - s.Blocks
	d.Tasks = append(d.Tasks, task)
	return task.Tokens, true
}

// decodeAll lets every sequence of the batch process a token.
func decodeAll(v *View, d *Decision) {
	b := newBatch(v, d)
	for i := 0; i < b.running; i++ {
		if v.Running[i].Pending() == 0 {
			continue
		}
		if _, ok := b.resumeSequence(i, 1); !ok {
			return
		}
	}
}

// nextTask gives s what is cached of it, as many of its pending tokens as the
// budget allows, and the blocks to hold them.
func nextTask(v *View, s *Sequence, hit Hit, budget int) Task {
	tokens := min(s.Pending()-hit.Tokens, budget)
	return Task{
		Sequence: s,
		Cached:   hit.Tokens,
		Tokens:   tokens,
		Blocks:   max(s.Blocks, v.BlocksFor(max(s.Computed+hit.Tokens+tokens, s.Reserved))),
	}
}
