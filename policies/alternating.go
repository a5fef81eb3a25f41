package policies

var alternatingScheduler = Scheduler{
	Description: Description{Name: "alternating", Key: "scheduler",
		Doc:  "prompts in chunks and decodes in steps of their own, which take turns; memory for whole prompts",
		Keys: []string{"max_num_seqs", "max_num_batched_tokens"}},
	New: func(p Parameters) Batching {
		return &Alternating{MaxNumSeqs: p.MaxNumSeqs, MaxNumBatchedTokens: p.StepTokens()}
	},
	Reserve:     "paged",
	NoLayerWise: "keeps prompts and decodes apart",

	WholeRequests: true,
}

// Alternating is chunked prefill without mixing, the ablation of Sarathi-Serve
// that it calls chunked-prefills-only: a step either holds chunks of prompts, up
// to the budget of tokens, or all decodes, alternately while there is
// work for both. Prompts that were begun go on before others begin.
//
// A request joins when there is memory for its whole prompt, and one block in a
// hundred stays free unless the batch is empty. Who decodes wants a free block, as in
// PrefillFirst; where there is none the youngest of the batch is preempted, by
// recompute.
//
// Source: sarathi/core/scheduler/simple_chunking_scheduler.py of
// microsoft/sarathi-serve.
type Alternating struct {
	MaxNumSeqs          int // sequences in the batch at most
	MaxNumBatchedTokens int // tokens of a step with prompts at most

	decodes bool // it is their turn
	held    Held // what kept the batch from being larger, in the last step with prompts
}

// Plan implements Batching.
func (p *Alternating) Plan(v *View, d *Decision) {
	if v.Waiting.Len() > 0 {
		d.Held = p.held
	}
	if p.decodes && p.decode(v, d) {
		p.decodes = false
		return
	}
	d.Held = HeldByOrder
	if p.decodes = p.prefill(v, d); !p.decodes {
		if p.decode(v, d); d.dropLoads() {
			p.decode(v, d)
		}
	}
	p.held = d.Held
}

// Totals implements Batching.
func (p *Alternating) Totals() Aggregating { return p }

// PlanAggregate implements Aggregating: prompts depend on the number of sequences
// that decode alone, and so do decodes that no prompt alternates with.
func (p *Alternating) PlanAggregate(v *Aggregate, d *Decision) bool {
	prompts := v.Prefilling != nil || v.Waiting.Len() > 0
	if p.decodes && v.Decoding > 0 && prompts || v.Prefilling != nil && v.Prefilling.Decodes() {
		return false
	}
	if s := v.Prefilling; s != nil {
		task := nextTask(&v.View, s, Hit{}, p.MaxNumBatchedTokens)
		if task.Blocks-s.Blocks > v.FreeBlocks {
			return false // as in Sarathi
		}
		d.Tasks = append(d.Tasks, task)
	} else {
		d.Stall = true // as far as those are concerned who join
		p.admit(&v.View, d, v.Decoding+v.Ended, p.MaxNumBatchedTokens, v.FreeBlocks)
	}
	p.held, p.decodes = d.Held, len(d.Tasks) > 0
	d.Stall = p.decodes
	return d.Stall || len(d.Load) == 0 && v.freeBlockEach(d)
}

// admit lets waiting requests join as Sarathi does.
func (p *Alternating) admit(v *View, d *Decision, running, budget, free int) {
	joining := Sarathi{p.MaxNumSeqs, p.MaxNumBatchedTokens}
	joining.admit(v, d, running, budget, free)
}

// decode advances the sequences that decode. It is false when there are none.
func (p *Alternating) decode(v *View, d *Decision) bool {
	b := newBatch(v, d)
	b.freeBlockEach = true
	for i, s := range v.Running {
		if b.has(i) && s.Decodes() {
			b.resumeSequence(i, 1)
		}
	}
	if len(d.Preempt) > 0 {
		d.Held = HeldByMemory
	}
	return len(d.Tasks) > 0
}

// prefill goes on with prompts, or begins some. It is false when there are none.
func (p *Alternating) prefill(v *View, d *Decision) bool {
	b, budget := newBatch(v, d), p.MaxNumBatchedTokens
	for i := 0; i < len(v.Running) && budget > 0; i++ {
		if s := v.Running[i]; b.has(i) && s.Pending() > 0 && !s.Decodes() {
			tokens, _ := b.resumeSequence(i, budget)
			budget -= tokens
		}
	}
	switch {
	case len(d.Preempt) > 0:
		d.Held = HeldByMemory
	case len(d.Tasks) == 0:
		p.admit(v, d, b.running, budget, b.free)
	}
	return len(d.Tasks) > 0
}
