package routing

import (
	"math/rand/v2"
	"slices"

	"kneepoint/policies"
)

// Parameters are what routers are made with. Each reads those that its entry names.
type Parameters struct {
	// What a router knows of prefix caches.
	Index          string // ApproximateIndex or PreciseIndex
	IndexBlockSize int    // tokens, at least 1
	IndexCapacity  int    // blocks that an approximate index remembers of each replica; 0: as many as the replica has
	IndexMaxPrefix int    // blocks of a prompt that an approximate index looks at; 0: all

	CacheThreshold          float64 // share of a prompt that makes a match
	BalanceAbsThreshold     int     // requests between the replicas with the most and the fewest
	BalanceRelThreshold     float64 // ratio of these
	StandardDeviationFactor float64

	QueueWeight     float64
	KVWeight        float64
	PrefixWeight    float64
	LoadAwareWeight float64

	OverlapScoreCredit float64
	PrefillLoadScale   float64
	Temperature        float64
}

// Keys that several entries read.
var (
	reportKeys      = []string{"signal_interval", "signal_delay", "count_dispatches"} // of those who look at reports
	approximateKeys = []string{"index_block_size", "index_capacity"}
	indexKeys       = append([]string{"index"}, approximateKeys...)
	balanceKeys     = []string{"balance_abs_threshold", "balance_rel_threshold"}
)

// Entry is a router of an experiment file.
type Entry struct {
	policies.Description
	Defaults      Parameters                                   // what the keys that it reads are without being given
	PrefixCaching bool                                         // it makes no sense without
	Approximate   []string                                     // those of its keys that it does not read with a precise index
	New           func(p Parameters, random *rand.Rand) Router // with random numbers of routing alone
}

// ReadsWith tells whether the router reads a key with these parameters.
func (e Entry) ReadsWith(key string, p *Parameters) bool {
	return e.Reads(key) && (p.Index != PreciseIndex || !slices.Contains(e.Approximate, key))
}

// Routers are all routers, in the order in which messages name them.
var Routers = []Entry{
	roundRobin, random, weighted, leastRequests, leastPendingTokens, leastTTFT, powerOfTwo, leastKV, session,
	prefixAware, sglang, llmd, dynamo, aibrix, ray,
}
