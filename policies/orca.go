package policies

import "math"

var orcaScheduler = Scheduler{
	Description: Description{Name: "orca", Key: "scheduler",
		Doc:  "decodes and whole prompts together, without a budget of tokens; memory for whole sequences",
		Keys: []string{"max_num_seqs"}},
	New: func(p Parameters) Batching {
		return &Orca{MaxNumSeqs: p.MaxNumSeqs}
	},
	Reserve:       "max",
	NeverPreempts: "orca never preempts",
	Contiguous:    true,
	WholeRequests: true,
}

// Orca is iteration-level scheduling as Orca introduced it: in every step the
// sequences of the batch decode a token, and waiting requests join with their whole
// prompts, in order, as long as there are places and memory. There is no budget of
// tokens.
//
// In a pipeline of n stages, the paper's n workers, n iterations are under way. Each has
// a batch of its own of up to MaxNumSeqs, from the sequences that are in none, in order
// of arrival; so up to n times as many run. Memory is counted in tokens of a whole
// sequence: each worker has as many slots, each for the keys and values of its layers,
// and a sequence takes one at every worker for every token that it may come to.
//
// Nobody is ever preempted: the Reservation must cover all that a request may come to,
// and is Contiguous where the memory is not paged.
//
// Source: Yu et al., "Orca: A Distributed Serving System for Transformer-Based
// Generative Models", OSDI 2022, algorithm 1.
type Orca struct {
	MaxNumSeqs int // sequences of an iteration at most
}

// Plan implements Batching.
func (o *Orca) Plan(v *View, d *Decision) {
	b := newBatch(v, d)
	for i, s := range v.Running {
		if len(d.Tasks) == o.MaxNumSeqs {
			break
		}
		if !b.has(i) || s.Pending() == 0 {
			continue
		}
		if _, ok := b.resumeSequence(i, math.MaxInt); !ok {
			d.Held = HeldByMemory
			return
		}
	}
	iteration := o.unlimited()
	iteration.admit(v, d, len(d.Tasks), math.MaxInt, b.free)
}

// Totals implements Batching.
func (o *Orca) Totals() Aggregating { return o }

// PlanAggregate implements Aggregating: with one iteration at a time all sequences that
// decode are in it, and those that have ended are not.
func (o *Orca) PlanAggregate(v *Aggregate, d *Decision) bool {
	iteration, shown := o.unlimited(), *v
	shown.Ended = 0
	return v.Decoding <= o.MaxNumSeqs && iteration.PlanAggregate(&shown, d)
}

// unlimited is a batch as continuous batching has it, without a budget of tokens.
func (o *Orca) unlimited() Continuous {
	return Continuous{MaxNumSeqs: o.MaxNumSeqs, MaxNumBatchedTokens: math.MaxInt}
}
