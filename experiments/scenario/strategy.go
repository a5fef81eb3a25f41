package scenario

import (
	"kneepoint/policies"
	"kneepoint/units"
)

// Strategy is the policies of a pool with their parameters, as strategies of
// experiment files name them, defaults filled in.
type Strategy struct {
	Scheduler           string // of policies.Schedulers
	MaxNumSeqs          int
	MaxNumBatchedTokens int           // of a step
	MaxWait             units.Seconds // for a static batch to fill
	Padded              bool          // a static batch computes for sequences that have ended
	MaxWaiting          int           // requests before a new one, beyond which it is refused; 0: no limit
	Preemption          string        // recompute, swap or none
	Reserve             string        // of policies.Reservations
	BlockSize           int           // tokens of a KV block
	Eviction            string        // of policies.Evictions; empty: no prefix caching
	Offload             string        // none, swap or layerwise
	Tiers               []Tier        // of memory below the accelerators', nearest first
	Frontend            Frontend
	Compression         *Compression // of prompts; nil: none
	Speculation         *Speculation // nil: none
}

// Tier is a memory below the accelerators'.
type Tier struct {
	Name      string
	Size      units.Bytes          // for a replica
	Bandwidth units.BytesPerSecond // between it and each accelerator
	Latency   units.Seconds        // of a move
}

// Frontend is what surrounds the model.
type Frontend struct {
	Pipelined bool // beside the steps, not in their thread
	Threads   int  // 0: no limit
	Stream    bool // tokens are sent as they come
}

// Compression shortens prompts by Ratio, at a speed in tokens before it.
type Compression struct {
	Ratio           float64
	TokensPerSecond float64
}

// Speculation is how guesses are proposed and how often they are right; what the
// proposer costs belongs to the deployment.
type Speculation struct {
	Tokens            int       // the longest proposal
	Acceptance        []float64 // by place in a proposal, given that those before are accepted
	Tree              policies.Tree
	DisableAboveBatch int // 0: never
	Adaptive          bool
}

// proposes tells whether the strategy guesses at all.
func (s *Strategy) proposes() bool { return s.Speculation != nil && s.Speculation.Tokens > 0 }
