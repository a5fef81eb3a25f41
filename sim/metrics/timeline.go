package metrics

import "kneepoint/units"

// Timeline adds up what happens in a window of a run, in buckets of equal length. Its
// window is relative to the first arrival, which Begin tells it.
type Timeline struct {
	From  units.Seconds // where the first bucket begins, after the first arrival
	Width units.Seconds // of each bucket
	Fleet []Bucket      // what is of no pool
	Pools []PoolBuckets

	// Objective and Classes are what requests are held against, as those of a Record.
	Objective Objective
	Classes   []Objective

	first units.Seconds // arrival
}

// PoolBuckets are what happens at the replicas of a pool.
type PoolBuckets struct {
	Name    string
	Buckets []Bucket
}

// Bucket is sums over the time of one bucket. What takes time counts in it as far as it
// lies in it.
type Bucket struct {
	// Of a pool.
	FrontEnd, Waiting, Running float64 // ∫ number of requests dt
	KVTokens                   float64 // ∫ tokens that the KV blocks in use have room for dt
	KVRoom                     float64 // the same of all blocks of the replicas that serve
	Serving, Starting          float64 // ∫ number of replicas dt; what starts is paid for, and does not serve yet
	Preemptions                float64 // numbers
	PromptTokens               float64 // that were computed, again after preemptions too
	OutputTokens               float64 // that were generated

	// Of no pool.
	AtRouter      float64 // ∫ number of requests that wait at the router dt
	InTransfer    float64 // ∫ number of requests whose keys and values are between replicas dt
	Arrivals, Met float64 // numbers: of those that arrive in the bucket, and those of them that meet their objective
}

// add adds the sums of another bucket.
func (b *Bucket) add(c *Bucket) {
	b.FrontEnd += c.FrontEnd
	b.Waiting += c.Waiting
	b.Running += c.Running
	b.KVTokens += c.KVTokens
	b.KVRoom += c.KVRoom
	b.Serving += c.Serving
	b.Starting += c.Starting
	b.Preemptions += c.Preemptions
	b.PromptTokens += c.PromptTokens
	b.OutputTokens += c.OutputTokens
	b.AtRouter += c.AtRouter
	b.InTransfer += c.InTransfer
	b.Arrivals += c.Arrivals
	b.Met += c.Met
}

// NewTimeline is the window from one time to a later one after the first arrival, in a number
// of buckets.
func NewTimeline(from, to units.Seconds, buckets int) *Timeline {
	return &Timeline{From: from, Width: (to - from) / units.Seconds(buckets), Fleet: make([]Bucket, buckets)}
}

// Begin tells when the first request of the run arrives.
func (t *Timeline) Begin(first units.Seconds) { t.first = first }

// Pool is the buckets of a pool, by its index.
func (t *Timeline) Pool(i int) []Bucket {
	for len(t.Pools) <= i {
		t.Pools = append(t.Pools, PoolBuckets{Buckets: make([]Bucket, len(t.Fleet))})
	}
	return t.Pools[i].Buckets
}

// Whole is the sums over the pools, and of what is of none.
func (t *Timeline) Whole() []Bucket {
	all := append([]Bucket{}, t.Fleet...)
	for _, p := range t.Pools {
		for i := range all {
			all[i].add(&p.Buckets[i])
		}
	}
	return all
}

// index is which bucket a time lies in, as a real number: below 0 and from the number of
// buckets on it lies in none.
func (t *Timeline) index(at units.Seconds) float64 { return float64((at - t.first - t.From) / t.Width) }

// At is the one of the buckets that a moment lies in; one that belongs to no timeline outside
// the window.
func (t *Timeline) At(buckets []Bucket, moment units.Seconds) *Bucket {
	if i := t.index(moment); i >= 0 && i < float64(len(buckets)) {
		return &buckets[int(i)]
	}
	return &Bucket{}
}

// Over calls add with every bucket that a time from a start to an end meets, and with which
// share of that time lies in it. A time without length lies in one bucket.
func (t *Timeline) Over(buckets []Bucket, start, end units.Seconds, add func(b *Bucket, share float64)) {
	from, to := t.index(start), t.index(end)
	if from == to {
		add(t.At(buckets, start), 1)
		return
	}
	for i := int(max(from, 0)); i < len(buckets) && float64(i) < to; i++ {
		inside := min(to, float64(i+1)) - max(from, float64(i))
		add(&buckets[i], inside/(to-from))
	}
}

// judge counts a request that has ended where it arrived, if it meets its objective.
func (t *Timeline) judge(r *Request) {
	if r.State == Completed && ofClass(t.Classes, r.Class, t.Objective).Met(r) {
		t.At(t.Fleet, r.Arrival).Met++
	}
}

// AddReplicas adds for how long the replicas of a run that has ended started and served, and
// the names of its pools.
func (t *Timeline) AddReplicas(rec *Record) {
	for i := range rec.Pools {
		p, buckets := &rec.Pools[i], t.Pool(i)
		t.Pools[i].Name = p.Name
		for _, r := range p.Replicas {
			ordered, ready, released := r.times(rec)
			failed := r.failed(ready, released)
			t.Over(buckets, ordered, ready, func(b *Bucket, share float64) { b.Starting += float64(ready-ordered) * share })
			t.Over(buckets, ready, failed, func(b *Bucket, share float64) { b.Serving += float64(failed-ready) * share })
			t.Over(buckets, ready, released, func(b *Bucket, share float64) {
				b.KVRoom += float64(p.Blocks*p.BlockSize) * float64(released-ready) * share
			})
		}
	}
}
