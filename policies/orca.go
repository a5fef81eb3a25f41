package policies

import "math"

// NewOrca is iteration-level scheduling as Orca introduced it: in every step all
// sequences of the batch decode a token, and waiting requests join with their
// whole prompts, in order, as long as there are places and memory. There is no
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
