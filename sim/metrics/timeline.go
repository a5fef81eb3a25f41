package metrics

import "kneepoint/units"

// Timeline adds up what happens in a window of a run, over all replicas, in buckets of
// equal length. Its window is relative to the first arrival, which Begin tells it.
type Timeline struct {
	From    units.Seconds // where the first bucket begins, after the first arrival
	Width   units.Seconds // of each bucket
	Buckets []Bucket
	first   units.Seconds // arrival
}

// Bucket is sums over the time of one bucket. What takes time counts in it as far as it
// lies in it.
type Bucket struct {
	FrontEnd, Waiting, Running float64 // ∫ number of requests dt
	KVTokens                   float64 // ∫ tokens that the KV blocks in use have room for dt
	Arrivals, Preemptions      float64 // numbers
	PromptTokens               float64 // that were computed, again after preemptions too
	OutputTokens               float64 // that were generated
}

// NewTimeline is the window from one time to a later one after the first arrival, in a number
// of buckets.
func NewTimeline(from, to units.Seconds, buckets int) *Timeline {
	return &Timeline{From: from, Width: (to - from) / units.Seconds(buckets), Buckets: make([]Bucket, buckets)}
}

// Begin tells when the first request of the run arrives.
func (t *Timeline) Begin(first units.Seconds) { t.first = first }

// index is which bucket a time lies in, as a real number: below 0 and from the number of
// buckets on it lies in none.
func (t *Timeline) index(at units.Seconds) float64 { return float64((at - t.first - t.From) / t.Width) }

// At is the bucket of a moment; one that belongs to no timeline outside the window.
func (t *Timeline) At(moment units.Seconds) *Bucket {
	if i := t.index(moment); i >= 0 && i < float64(len(t.Buckets)) {
		return &t.Buckets[int(i)]
	}
	return &Bucket{}
}

// Over calls add with every bucket that a time from a start to an end meets, and with which
// share of that time lies in it. A time without length lies in one bucket.
func (t *Timeline) Over(start, end units.Seconds, add func(b *Bucket, share float64)) {
	from, to := t.index(start), t.index(end)
	if from == to {
		add(t.At(start), 1)
		return
	}
	for i := int(max(from, 0)); i < len(t.Buckets) && float64(i) < to; i++ {
		inside := min(to, float64(i+1)) - max(from, float64(i))
		add(&t.Buckets[i], inside/(to-from))
	}
}
