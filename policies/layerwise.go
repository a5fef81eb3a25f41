package policies

// LayerWise prefills requests whose keys and values do not fit. As soon as a
// layer of the prompt is computed, its keys and values move to the first tier,
// while the next layer is computed: a prefill needs memory for WorkingLayers of
// the layers alone, and for what is cached of it. The first token does not wait for memory then; the sequence
// does, parked, before it decodes. Parked sequences come back before requests
// join that fit, and those that Batching preempts are parked, too.
//
// Source: Xiong et al. 2024, "LayerKV: Optimizing Large Language Model Serving
// with Layer-wise KV Cache Management", arXiv 2410.00428.
type LayerWise struct {
	Swapping Swapping
	Layers   int // of the model

	resident, leaving []*Sequence // of the batch, while a step is planned
}

// WorkingLayers is the number of layers that a prefill holds in memory while it
// moves the others out: the one that is computed and the one that moves.
const WorkingLayers = 2

// Plan implements Batching.
func (p *LayerWise) Plan(v *View, d *Decision) {
	p.resident, p.leaving = p.resident[:0], p.leaving[:0]
	for _, s := range v.Running {
		if s.Offloaded && !s.Ended {
			p.leaving = append(p.leaving, s)
		} else {
			p.resident = append(p.resident, s)
		}
	}
	shown := *v
	shown.Running = p.resident
	if len(p.leaving) > 0 {
		shown.Waiting = emptyQueue{}
	}
	swapping := p.Swapping
	swapping.ByLayer = true
	swapping.MaxNumSeqs -= len(p.leaving)
	swapping.Plan(&shown, d)
	rest := remainder(v, d, p.Swapping.MaxNumBatchedTokens)
	for _, s := range p.leaving {
		p.continuePrompt(s, d, &rest)
	}
	if len(d.Preempt) == 0 && (d.Held == HeldByMemory || len(p.leaving) > 0) {
		p.admit(v, d, len(v.Running)+d.Restore+d.Joining(), &rest)
	}
}

// Totals implements Batching.
func (p *LayerWise) Totals() Aggregating {
	if p.Swapping.Totals() == nil {
		return nil
	}
	return p
}

// PlanAggregate implements Aggregating: where no prompt leaves, and nobody waits whose prompt might, it is that of
// Swapping. What Batching decides for those who wait cannot be taken back: a policy may take turns.
func (p *LayerWise) PlanAggregate(v *Aggregate, d *Decision) bool {
	leaving := v.Prefilling != nil && v.Prefilling.Offloaded
	return !leaving && v.Waiting.Len() == 0 && p.Swapping.PlanAggregate(v, d)
}

// admit lets requests join that leave again when they are prefilled. It begins
// with the one that Batching had no memory for.
func (p *LayerWise) admit(v *View, d *Decision, running int, rest *allowance) {
	tier := v.FreeTierBlocks
	for ; d.Admit < v.Waiting.Len() && running < p.Swapping.MaxNumSeqs && rest.tokens > 0; running++ {
		s := v.Waiting.At(d.Admit)
		hit := v.Hit(s, d)
		if s.Blocks > 0 || hit.Load || hit.Follows {
			return // what comes from the tier needs memory for all of it
		}
		whole, cached := v.BlocksFor(s.Length()), v.BlocksFor(hit.Tokens)
		working := cached + ((whole-cached)*WorkingLayers+p.Layers-1)/p.Layers
		if whole > tier || working-hit.Held > rest.blocks {
			return
		}
		tier -= whole
		rest.blocks -= working - hit.Held
		d.admitWith(Task{Sequence: s, Cached: hit.Tokens, Held: hit.Held, Blocks: working, Offload: true})
		p.giveTokens(&d.Tasks[len(d.Tasks)-1], rest)
	}
}

// continuePrompt goes on with a prompt that leaves.
func (p *LayerWise) continuePrompt(s *Sequence, d *Decision, rest *allowance) {
	if rest.tokens <= 0 {
		return
	}
	d.Tasks = append(d.Tasks, Task{Sequence: s, Blocks: s.Blocks})
	p.giveTokens(&d.Tasks[len(d.Tasks)-1], rest)
}

// giveTokens gives a task as many tokens as the budget allows.
func (p *LayerWise) giveTokens(t *Task, rest *allowance) {
	t.Tokens = min(t.Sequence.Pending()-t.Cached, cut(rest.tokens, p.Swapping.LongPrefillTokenThreshold))
	rest.tokens -= t.Tokens
}
