package policies

import "kneepoint/units"

// Scheduler is an entry of Schedulers: a batching policy by name, and what it goes
// with.
type Scheduler struct {
	Description

	// New makes the policy for one replica.
	New func(Parameters) Batching

	// Static says that a batch is decoded to its end before the next one starts.
	// Such a scheduler is chosen by batching, the others by scheduler.
	Static bool

	// Reserve names the entry of Reservations that it has unless an experiment says
	// otherwise.
	Reserve string

	// NeverPreempts is why nobody can be preempted, so that memory must be set aside
	// for whole sequences. Empty: the youngest of the batch can.
	NeverPreempts string

	// Chunks says that a step computes at most max_num_batched_tokens of a prompt, not
	// always all of it.
	Chunks bool

	// Contiguous says that what a sequence sets aside is one piece of memory (see
	// Contiguous).
	Contiguous bool

	// CountsGuesses says that it plans guesses itself, as tokens of the step (see
	// Guesses). They come on top of what others decide (see Speculative).
	CountsGuesses bool

	// WholeRequests says that its replicas serve requests from their start to their end, and
	// can neither only prefill nor only decode.
	WholeRequests bool

	// NoPrefixCache says that it never asks for cached prefixes.
	NoPrefixCache bool

	// NoLayerWise is why LayerWise, which adds prompts to any step, cannot wrap it.
	// Empty: it can.
	NoLayerWise string
}

// HasTokenBudget tells whether the tokens of a step are bounded.
func (s Scheduler) HasTokenBudget() bool { return s.Reads("max_num_batched_tokens") }

// Parameters are the keys of [[strategy]] from which policies are made. Each
// scheduler reads those that its Description names.
type Parameters struct {
	MaxNumSeqs          int // sequences in the batch at most
	MaxNumBatchedTokens int // tokens of a step at most, of a data-parallel rank
	Ranks               int // data-parallel ranks, each of which has all tokens of a sequence; 0: one

	LongPrefillTokenThreshold int // tokens of a sequence in a step at most; 0: no limit

	Guesses *Guesses // nil: none; for a scheduler that counts them

	MaxWait units.Seconds
	Padded  bool
	Packed  bool        // see Static
	ByToken bool        // likewise
	Reads   PaddedReads // likewise
	Longest int         // tokens that no sequence exceeds, of padded ones; 0: no bound
}

// StepTokens are the tokens of a step at most, of all ranks.
func (p *Parameters) StepTokens() int { return p.MaxNumBatchedTokens * max(1, p.Ranks) }

// Schedulers are all schedulers, in the order in which messages name them.
var Schedulers = []Scheduler{
	staticScheduler,
	continuousScheduler,
	prefillFirstScheduler,
	sarathiScheduler,
	alternatingScheduler,
	orcaScheduler,
	decodeFirstScheduler,
	lightllmScheduler,
}
