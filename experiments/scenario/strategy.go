package scenario

import (
	"kneepoint/policies"
	"kneepoint/units"
)

// Strategy is the policies of a pool with their parameters, as strategies of
// experiment files name them, defaults filled in.
type Strategy struct {
	Scheduler           string        // of policies.Schedulers
	MaxNumSeqs          int           // sequences in the batch, as hardware.Engine.LimitsPerRank counts them
	MaxNumBatchedTokens int           // of a step, likewise
	LongPrefill         int           // tokens of a sequence in a step at most; 0: no limit
	MaxWait             units.Seconds // that a static batch waits to be full
	Padded              bool          // a static batch computes for sequences that have ended
	Packed              bool          // its prompts are computed without padding all the same
	ByToken             bool          // a token a step beyond the shortest of them
	Reads               string        // what it reads for padding: prompts or rows; empty: nothing
	MaxWaiting          int           // requests that may wait, beyond which a new one is refused; 0: no limit
	Preemption          string        // recompute, swap or none
	Reserve             string        // of policies.Reservations
	BlockSize           int           // tokens of a KV block
	Eviction            string        // of policies.Evictions; empty: no prefix caching
	PrefixCacheTTL      units.Seconds // how long a cached block is found that nobody holds; 0: as long as it has its memory
	Offload             string        // none, swap or layerwise
	Tiers               []Tier        // memories beside the accelerators' own, nearest first
	SerialTransfers     bool          // steps wait for what moves to and from these
	Frontend            Frontend
	Compression         *Compression // of prompts; nil: none
	Speculation         *Speculation // nil: none
}

// Tier is a memory beside the accelerators' own.
type Tier struct {
	Name         string
	Size         units.Bytes          // for a replica
	Bandwidth    units.BytesPerSecond // from it to each accelerator
	BandwidthOut units.BytesPerSecond // from each accelerator to it; 0: as Bandwidth
	Latency      units.Seconds        // of a move
}

// Frontend is what happens to a request before its prompt reaches the model, and to its
// tokens after.
type Frontend struct {
	Pipelined bool // beside the steps, not in their thread
	Threads   int  // 0: no limit
	TokenIDs  bool // prompts need no tokenization: only a request's own time is left
	Stream    bool // tokens are sent as they come
}

// Compression shortens prompts by Ratio, which is tokens before over tokens after, at a
// speed in tokens before.
type Compression struct {
	Ratio           float64
	TokensPerSecond float64
}

// Speculation is how guesses are proposed and how often they are right; what the
// proposer costs belongs to the deployment.
type Speculation struct {
	Tokens            int           // the longest proposal
	Acceptance        []float64     // probability by position in a proposal, given that those before are accepted
	Tree              policies.Tree // empty: guesses in a row
	DisableAboveBatch int           // sequences in the batch beyond which none are proposed; 0: no limit
	Lookahead         int           // slots that the proposer writes keys and values to ahead of the model
	Adaptive          bool          // the number of guesses follows the batch
	Waits             bool          // no step is planned before the tokens of the one before are known
}

// proposes tells whether the strategy guesses at all.
func (s *Strategy) proposes() bool { return s.Speculation != nil && s.Speculation.Tokens > 0 }

// waits tells whether no step is planned while the one before it runs.
func (s *Strategy) waits() bool { return s.proposes() && s.Speculation.Waits }
