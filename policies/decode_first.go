package policies

import "math"

var decodeFirstScheduler = Scheduler{
	Description: Description{Name: "decode-first", Key: "scheduler",
		Doc:  "decodes alone until the batch has come to its end, then whole prompts alone for the next one",
		Keys: []string{"max_num_seqs"}},
	New: func(p Parameters) Batching {
		return &DecodeFirst{MaxNumSeqs: p.MaxNumSeqs}
	},
	Reserve:     "paged",
	NoLayerWise: "keeps prompts and decodes apart",
}

// DecodeFirst is decode-prioritizing batching, as Sarathi-Serve calls what
// FasterTransformer does: as long as any sequence decodes, steps hold decodes
// only, and nobody joins. When the batch has come to its end, as many waiting
// requests as there are slots and memory for form the next one, and are prefilled
// whole in one step. It has the shortest gaps between tokens, and the longest
// queue.
//
// It differs from Static in that nothing is padded, that each sequence gives its
// memory back when it ends, and that memory may be paged: when a sequence needs a
// block and none is free, the youngest is preempted, by recompute, and waits for
// the next batch.
//
// Source: Agrawal et al., OSDI 2024, section 3; sarathi/core/scheduler/
// faster_transformer_scheduler.py of microsoft/sarathi-serve.
type DecodeFirst struct {
	MaxNumSeqs int // sequences in a batch at most

	held Held // what kept the batch from being larger
}

// Plan implements Batching.
func (p *DecodeFirst) Plan(v *View, d *Decision) {
	if len(v.Running) > 0 {
		d.Held = p.held
		b := newBatch(v, d)
		b.decodeAll()
		return
	}
	p.startBatch(v, d)
	p.held = d.Held
}

// startBatch forms a batch from the front of the queue.
func (p *DecodeFirst) startBatch(v *View, d *Decision) {
	free := v.FreeBlocks
	for d.Joining() < p.MaxNumSeqs && d.Admit < v.Waiting.Len() {
		s := v.Waiting.At(d.Admit)
		hit := v.Hit(s, d)
		task := nextTask(v, s, hit, math.MaxInt)
		if task.Blocks-hit.Held > free && !hit.Follows {
			d.Held = HeldByMemory
			return
		}
		if taken, ok := d.load(s, hit, task.Blocks); ok {
			free -= taken
			continue
		}
		free -= task.Blocks - hit.Held
		d.admitWith(task)
	}
	d.noteSlots(v, 0, p.MaxNumSeqs)
}

// Totals implements Batching.
func (p *DecodeFirst) Totals() Aggregating { return p }

// PlanAggregate implements Aggregating: a batch decodes, whatever waits, as long
// as nobody must be preempted.
func (p *DecodeFirst) PlanAggregate(v *Aggregate, d *Decision) bool {
	if v.Prefilling != nil {
		return false
	}
	if v.Decoding+v.Ended == 0 {
		p.Plan(&v.View, d)
	}
	d.Held = p.held
	return v.Demand <= v.FreeBlocks
}
