package policies

var continuousScheduler = Scheduler{
	Description: Description{Name: "vllm-v1", Key: "scheduler",
		Doc:  "running sequences first, in order of admission, then waiting ones; chunked prefill",
		Keys: []string{"max_num_seqs", "max_num_batched_tokens", "long_prefill_token_threshold"}},
	New: func(p Parameters) Batching {
		return &Continuous{
			MaxNumSeqs:                p.MaxNumSeqs,
			MaxNumBatchedTokens:       p.MaxNumBatchedTokens,
			Ranks:                     p.Ranks,
			LongPrefillTokenThreshold: p.LongPrefillTokenThreshold,
			Guesses:                   p.Guesses,
		}
	},
	Reserve:       "paged",
	Chunks:        true,
	CountsGuesses: true,
}

// Continuous is iteration-level batching as the V1 scheduler of vLLM does it.
// There is no prefill or decode phase: every sequence has pending tokens, and
// each step works some of them off, within a budget of tokens for the whole
// step, first for the sequences of the batch in order of admission, so that
// decodes come before the prefill that joined last, then for waiting requests.
// A prompt that exceeds what is left of the budget is prefilled in chunks; it
// joins when there is memory for all of it.
//
// KV memory is paged. When a running sequence needs a block and none is free,
// the youngest one of the batch, or the least urgent, is preempted, by recompute,
// until the block is there; in a pipeline the sequence waits for the other's step to end. A step
// that preempts admits nobody. A request whose first blocks are cached starts
// behind them.
//
// Guesses are tokens of a step like others: they are cut to what is left of the
// budget, and blocks for them, and for what the proposer writes ahead, preempt.
//
// Source: vllm/v1/core/sched/scheduler.py, Scheduler.schedule, with
// scheduler_reserve_full_isl, which is the default since 2026.
type Continuous struct {
	MaxNumSeqs          int // sequences in the batch at most
	MaxNumBatchedTokens int // tokens of a step at most, of a rank

	// Ranks is the number of data-parallel ranks of the replica, over which the sequences of a
	// step are spread evenly; each has a budget of its own and all tokens of a sequence. 0: one.
	Ranks int

	// LongPrefillTokenThreshold is the tokens of one sequence in a step at most, so that
	// a long prompt leaves room for others; 0: no limit but that of the step.
	LongPrefillTokenThreshold int

	Guesses *Guesses // nil: none
}

// Plan implements Batching.
func (c *Continuous) Plan(v *View, d *Decision) {
	b := newBatch(v, d)
	b.guesses, b.length = c.Guesses, c.Guesses.length(v.Running)
	budget := c.budget()
	for i := 0; i < len(v.Running) && budget > 0; i++ {
		if s := v.Running[i]; !b.has(i) || s.Pending() == 0 || c.Guesses.waits(v, s) {
			continue
		}
		tokens, ok := b.resumeSequence(i, c.most(budget))
		if b.endsStep(i, ok) {
			d.Held = HeldByMemory
			return
		}
		budget -= tokens
	}
	if len(d.Preempt) > 0 {
		d.Held = HeldByMemory
		return
	}
	c.admit(v, d, b.running, budget, b.free)
}

// budget is the tokens of a step at most, of all ranks.
func (c *Continuous) budget() int { return c.MaxNumBatchedTokens * max(1, c.Ranks) }

// most is the tokens of one sequence at most, given what is left of the step's.
func (c *Continuous) most(budget int) int {
	return cut(min(budget, c.MaxNumBatchedTokens), c.LongPrefillTokenThreshold)
}

// admit lets waiting requests join the running sequences, within what is left of
// the step's budget of tokens and of the free blocks.
func (c *Continuous) admit(v *View, d *Decision, running, budget, free int) {
	if v.Waiting.Len() == 0 {
		d.Settled = len(d.Tasks) == 0
		return
	}
	for budget > 0 && d.Admit < v.Waiting.Len() && running+d.Joining() < c.MaxNumSeqs {
		s := v.Waiting.At(d.Admit)
		hit := v.Hit(s, d)
		task := nextTask(v, s, hit, c.most(budget))
		c.Guesses.lookAhead(v, &task)
		whole := max(task.Blocks, v.Windows.ToPrefill(s.Length(), c.MaxNumBatchedTokens, v.BlockSize))
		if whole-hit.Held > free && !hit.Follows {
			d.Held = HeldByMemory
			return
		}
		if taken, ok := d.load(s, hit, whole); ok {
			free -= taken
			continue
		}
		free -= task.Blocks - hit.Held
		budget -= task.Tokens
		d.admitWith(task)
	}
	d.noteSlots(v, running, c.MaxNumSeqs)
}

// Totals implements Batching.
func (c *Continuous) Totals() Aggregating { return c }

// PlanAggregate implements Aggregating: as long as nobody must be preempted and
// the budget covers all that decode with their guesses, only their number and demand matter. With a
// threshold others join behind a prompt in prefill, which totals do not know.
func (c *Continuous) PlanAggregate(v *Aggregate, d *Decision) bool {
	demand, ok := c.Guesses.share(v, d)
	each := 1 + d.Share.Nodes
	budget, free := c.budget()-each*(v.Decoding+v.Overrunning), v.FreeBlocks-demand
	if !ok || budget < 0 || free < 0 || each > c.most(each) {
		return false
	}
	running := v.Decoding + v.Ended
	if s := v.Prefilling; s != nil {
		running++
		if budget == 0 {
			d.noteSlots(&v.View, running, c.MaxNumSeqs)
			return true
		}
		if c.Guesses.waits(&v.View, s) {
			return false
		}
		task := nextTask(&v.View, s, Hit{}, c.most(budget))
		c.Guesses.lookAhead(&v.View, &task)
		if task.Blocks-s.Blocks > free {
			return false
		}
		budget -= task.Tokens
		free -= task.Blocks - s.Blocks
		d.Tasks = append(d.Tasks, task)
		d.Chunked = budget == 0
	}
	c.admit(&v.View, d, running, budget, free)
	return youngestUnfinished(d)
}

// youngestUnfinished tells whether no prompt has tokens left after its task, but for
// that of the last task.
func youngestUnfinished(d *Decision) bool {
	for i := range max(0, len(d.Tasks)-1) {
		if t := &d.Tasks[i]; t.Cached+t.Tokens < t.Sequence.Pending() {
			return false
		}
	}
	return true
}
