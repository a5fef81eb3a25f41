package metrics

import "kneepoint/units"

// Totals are sums and time integrals over a run, over the replicas of a pool or of
// all pools.
type Totals struct {
	// What nearly every step adds to is side by side in memory.
	Steps           int64
	Busy            units.Seconds // time in steps, over the replicas
	Bytes           units.Bytes   // that had to be read
	FLOPs           units.FLOPs   // for wanted tokens
	LinkBytes       units.Bytes
	Energy          float64       // of steps, above what idle accelerators draw, J
	Requests        int64         // that came to the replicas and were not refused
	GeneratedTokens int64         // of all answers
	InFrontEnd      float64       // ∫ number of requests in the front end dt
	Waiting         float64       // ∫ number waiting dt
	Running         float64       // ∫ number in the batch dt
	Occupied        units.Seconds // time in which a replica has requests
	KVBlocks        float64       // ∫ blocks in use dt
	KVMax           float64       // highest share of a replica's blocks in use

	Preparing        units.Seconds // front-end work before steps, in the thread that runs them
	QueueFull        int64         // requests that were refused since MaxWaiting others waited
	Preemptions      int64
	RecomputedTokens int64
	ProposedTokens   int64         // guesses of speculative decoding
	AcceptedTokens   int64         // of these, those that were right
	GuessedTokens    int64         // of these, those that were asked for: tokens of answers
	Verifications    int64         // sequences' steps with guesses
	WastedFLOPs      units.FLOPs   // for guesses that were not accepted
	MovedBytes       units.Bytes   // of KV blocks between each accelerator and the tiers
	Exposed          units.Seconds // time of steps in which only keys and values moved
	Retried          int64         // of Requests, those that were sent again since the replica failed
	AdmittedTokens   int64         // prompt tokens of admitted requests, with prefix caching
	LoadedTokens     int64         // of these, those that were loaded from the tiers
	FetchedTokens    int64         // of these, those that came from other replicas or a store that replicas share
	CachedTokens     int64         // of these, those that were cached
	FetchedBytes     units.Bytes   // of KV blocks that came from other replicas or a store
	ReuseAsked       int64         // prompt tokens that came, with prefix caching
	ReusedTokens     int64         // of these, those that an earlier request had
	PooledTokens     int64         // of these, those that one cache with the memory of all replicas would have
	AdmittedBlocks   int64         // blocks of these prompts
	CachedBlocks     int64         // of these, those that were cached
	AtRouter         float64       // ∫ number of requests that wait at the router dt; of a run, not of a pool
	InTransfer       float64       // ∫ number of requests whose keys and values are between replicas dt; likewise
	HandedOver       int64         // requests whose prompt one replica computed for another; likewise
	HeldByMemory     float64       // ∫ number waiting dt, while the first of them lacked memory
	HeldBySlots      float64       // the same while the batch had as many sequences as it may have
}

// add adds the sums and integrals of u. Of the highest shares of blocks in use the
// higher one is kept, since pools do not share blocks.
func (t *Totals) add(u *Totals) {
	t.Steps += u.Steps
	t.Busy += u.Busy
	t.Preparing += u.Preparing
	t.Bytes += u.Bytes
	t.FLOPs += u.FLOPs
	t.LinkBytes += u.LinkBytes
	t.Energy += u.Energy
	t.QueueFull += u.QueueFull
	t.Preemptions += u.Preemptions
	t.RecomputedTokens += u.RecomputedTokens
	t.ProposedTokens += u.ProposedTokens
	t.AcceptedTokens += u.AcceptedTokens
	t.GuessedTokens += u.GuessedTokens
	t.Verifications += u.Verifications
	t.WastedFLOPs += u.WastedFLOPs
	t.MovedBytes += u.MovedBytes
	t.Exposed += u.Exposed
	t.Requests += u.Requests
	t.Retried += u.Retried
	t.GeneratedTokens += u.GeneratedTokens
	t.AdmittedTokens += u.AdmittedTokens
	t.LoadedTokens += u.LoadedTokens
	t.FetchedTokens += u.FetchedTokens
	t.FetchedBytes += u.FetchedBytes
	t.CachedTokens += u.CachedTokens
	t.ReuseAsked += u.ReuseAsked
	t.ReusedTokens += u.ReusedTokens
	t.PooledTokens += u.PooledTokens
	t.AdmittedBlocks += u.AdmittedBlocks
	t.CachedBlocks += u.CachedBlocks
	t.InFrontEnd += u.InFrontEnd
	t.Waiting += u.Waiting
	t.Running += u.Running
	t.Occupied += u.Occupied
	t.HeldByMemory += u.HeldByMemory
	t.HeldBySlots += u.HeldBySlots
	t.KVBlocks += u.KVBlocks
	t.KVMax = max(t.KVMax, u.KVMax)
}

// InSystem is the time integral of the number of requests at the replicas.
func (t *Totals) InSystem() float64 { return t.InFrontEnd + t.Waiting + t.Running }
