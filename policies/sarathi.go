package policies

var sarathiScheduler = Scheduler{
	Description: Description{Name: "sarathi", Key: "scheduler",
		Doc:  "every decode first, then prefills in chunks of what they leave; memory for whole prompts",
		Keys: []string{"max_num_seqs", "max_num_batched_tokens"}},
	New: func(p Parameters) Batching {
		return &Sarathi{MaxNumSeqs: p.MaxNumSeqs, MaxNumBatchedTokens: p.StepTokens()}
	},
	Reserve: "paged",
	Chunks:  true,
}

// Sarathi is stall-free batching as Sarathi-Serve does it: in every step all
// sequences decode first, then prefills go on that were begun, then waiting
// requests begin theirs, in chunks of what the decodes leave of a budget of
// tokens. Decodes are never held up, by prompts or by the budget, so that the
// budget bounds the gap between two tokens.
//
// A request joins when there is memory for its whole prompt, though only a chunk
// is processed, and one block in a hundred stays free unless the batch is empty.
// When a sequence needs a block to decode and none is free, the youngest of the
// batch is preempted, by recompute. A step that preempts admits nobody. The source wants
// a free block for every sequence that decodes, and lets one that is preempted begin
// again in the same step; here only sequences that need a block count.
//
// Source: Agrawal et al., "Taming Throughput-Latency Tradeoff in LLM Inference
// with Sarathi-Serve", OSDI 2024, algorithm 3; sarathi/core/scheduler/
// sarathi_scheduler.py of microsoft/sarathi-serve.
type Sarathi struct {
	MaxNumSeqs          int // sequences in the batch at most
	MaxNumBatchedTokens int // tokens of a step with prompts at most
}

// Plan implements Batching.
func (p *Sarathi) Plan(v *View, d *Decision) {
	b, budget := newBatch(v, d), p.MaxNumBatchedTokens
	for i, s := range v.Running {
		if b.has(i) && s.Decodes() {
			tokens, _ := b.resumeSequence(i, 1)
			budget -= tokens
		}
	}
	for i := 0; i < len(v.Running) && budget > 0; i++ {
		if s := v.Running[i]; b.has(i) && s.Pending() > 0 && !s.Decodes() {
			tokens, _ := b.resumeSequence(i, budget)
			budget -= tokens
		}
	}
	if len(d.Preempt) > 0 {
		d.Held = HeldByMemory
		return
	}
	p.admit(v, d, b.running, budget, b.free)
}

// Totals implements Batching.
func (p *Sarathi) Totals() Aggregating { return p }

// PlanAggregate implements Aggregating: as long as nobody must be preempted, only
// the number of the sequences that decode matters.
func (p *Sarathi) PlanAggregate(v *Aggregate, d *Decision) bool {
	budget, free, running := p.MaxNumBatchedTokens-v.Decoding, v.FreeBlocks-v.Demand, v.Decoding+v.Ended
	if free < 0 {
		return false
	}
	if s := v.Prefilling; s != nil {
		if s.Decodes() {
			return false // after a recompute, its first token in this batch
		}
		running++
		if budget > 0 {
			task := nextTask(&v.View, s, Hit{}, budget)
			if free -= task.Blocks - s.Blocks; free < 0 {
				return false // a prompt that was swapped out comes back without memory for the rest
			}
			budget -= task.Tokens
			d.Tasks = append(d.Tasks, task)
			d.Chunked = budget == 0
		}
	}
	p.admit(&v.View, d, running, budget, free)
	return true
}

// admit lets waiting requests join the running sequences, within what is left of
// the step's budget of tokens and of the free blocks.
func (p *Sarathi) admit(v *View, d *Decision, running, budget, free int) {
	if v.Waiting.Len() == 0 {
		d.Settled = len(d.Tasks) == 0
		return
	}
	for budget > 0 && d.Admit < v.Waiting.Len() && running+d.Joining() < p.MaxNumSeqs {
		s := v.Waiting.At(d.Admit)
		hit := v.Hit(s, d)
		task := nextTask(v, s, hit, budget)
		task.Blocks = max(task.Blocks, v.Windows.ToPrefill(s.Length(), p.MaxNumBatchedTokens, v.BlockSize))
		if task.Blocks-hit.Held > free-watermark(v, running+d.Joining()) && !hit.Follows {
			d.Held = HeldByMemory
			return
		}
		if taken, ok := d.load(s, hit, task.Blocks); ok {
			free -= taken
			continue
		}
		free -= task.Blocks - hit.Held
		budget -= task.Tokens
		d.admitWith(task)
	}
	d.noteSlots(v, running, p.MaxNumSeqs)
}
