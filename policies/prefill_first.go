package policies

import "math"

var prefillFirstScheduler = Scheduler{
	Description: Description{Name: "vllm-v0", Key: "scheduler",
		Doc:  "steps of whole prompts alone, as long as a request waits that fits; nobody decodes meanwhile",
		Keys: []string{"max_num_seqs", "max_num_batched_tokens"}},
	New: func(p Parameters) Batching {
		return &PrefillFirst{MaxNumSeqs: p.MaxNumSeqs, MaxNumBatchedTokens: p.StepTokens()}
	},
	Reserve: "paged",
}

// PrefillFirst is iteration-level batching as the V0 scheduler of vLLM does it: a
// step either prefills or decodes. Waiting requests come first: as long as the
// batch has a slot and memory for one, steps hold prompts only, and nobody decodes.
//
// Prompts are prefilled whole, as many as fit the budget of tokens. V0 wants a
// budget of at least the longest sequence; here a prompt that exceeds the budget
// has a step for itself. Admission leaves one block in a hundred free, so that the
// batch can grow before it must preempt; an empty batch needs no such margin.
//
// KV memory is paged. A sequence that decodes wants a free block as its turn comes, in
// order of admission, even if it needs none: where there is none the youngest is
// preempted, by recompute. One that is alone wants none: V0 would preempt it, too.
//
// Source: vllm/core/scheduler.py, Scheduler._schedule_default, and
// vllm/core/block_manager.py, can_append_slot.
type PrefillFirst struct {
	MaxNumSeqs          int // sequences in the batch at most
	MaxNumBatchedTokens int // tokens of a step with prompts at most
}

// Plan implements Batching.
func (p *PrefillFirst) Plan(v *View, d *Decision) {
	p.admit(v, d, len(v.Running))
	if d.Joining() > 0 {
		return
	}
	if p.decode(v, d); d.dropLoads() {
		p.decode(v, d)
	}
}

// decode lets the batch process a token each.
func (p *PrefillFirst) decode(v *View, d *Decision) {
	b := newBatch(v, d)
	b.freeBlockEach = true
	b.decodeAll()
}

// Totals implements Batching.
func (p *PrefillFirst) Totals() Aggregating { return p }

// PlanAggregate implements Aggregating: prompts depend on the number of sequences
// that decode alone, and so do decodes as long as nobody must be preempted.
func (p *PrefillFirst) PlanAggregate(v *Aggregate, d *Decision) bool {
	if v.Prefilling != nil {
		return false
	}
	d.Stall = true // as far as those are concerned who join
	p.admit(&v.View, d, v.Decoding+v.Ended)
	d.Stall = d.Joining() > 0
	return d.Stall || len(d.Load) == 0 && v.freeBlockEach(d)
}

// admit lets waiting requests join the running sequences.
func (p *PrefillFirst) admit(v *View, d *Decision, running int) {
	budget, free := p.MaxNumBatchedTokens, v.FreeBlocks
	for d.Admit < v.Waiting.Len() && running+d.Joining() < p.MaxNumSeqs {
		s := v.Waiting.At(d.Admit)
		hit := v.Hit(s, d)
		task := nextTask(v, s, hit, math.MaxInt)
		if task.Blocks-hit.Held > free-watermark(v, running+d.Joining()) && !hit.Follows {
			d.Held = HeldByMemory
			return
		}
		if taken, ok := d.load(s, hit, task.Blocks); ok {
			free -= taken
			continue
		}
		if task.Tokens > budget && d.Joining() > 0 {
			return
		}
		free -= task.Blocks - hit.Held
		budget -= task.Tokens
		d.admitWith(task)
	}
	d.noteSlots(v, running, p.MaxNumSeqs)
}

// watermark is the number of blocks that admission to running sequences leaves free: one in a hundred, as in vLLM,
// unless the batch is empty.
func watermark(v *View, running int) int {
	if running == 0 {
		return 0
	}
	return v.TotalBlocks / 100
}
