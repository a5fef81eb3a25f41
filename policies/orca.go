package policies

import "math"

var orcaScheduler = Scheduler{
	Description: Description{Name: "orca", Key: "scheduler",
		Doc:  "decodes and whole prompts together, without a budget of tokens; memory for whole sequences",
		Keys: []string{"max_num_seqs"}},
	New: func(p Parameters) Batching {
		return NewOrca(p.MaxNumSeqs)
	},
	Reserve:       "max",
	NeverPreempts: "orca never preempts",
	Contiguous:    true,
}

// NewOrca is iteration-level scheduling as Orca introduced it: in every step all
// sequences of the batch decode a token, and waiting requests join with their
// whole prompts, in order, as long as there are slots and memory. There is no
// budget of tokens. That is Continuous without one.
//
// Orca sets memory aside for a whole sequence when it joins, so that nobody is
// ever preempted; the Reservation must cover all that a request may come to, and
// is Contiguous where the memory is not paged.
//
// Source: Yu et al., "Orca: A Distributed Serving System for Transformer-Based
// Generative Models", OSDI 2022, algorithm 1.
func NewOrca(maxNumSeqs int) *Continuous {
	return &Continuous{MaxNumSeqs: maxNumSeqs, MaxNumBatchedTokens: math.MaxInt}
}
