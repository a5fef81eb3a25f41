package metrics

import (
	"math"

	"kneepoint/units"
)

// ReplicaRecord is what one replica leaves behind.
type ReplicaRecord struct {
	Ordered  units.Seconds // from when on it is paid for, before its start too; 0: from the beginning
	Ready    units.Seconds // from when on it takes requests; up to Ordered: at once; infinite: it never did
	Released units.Seconds // until when it is; 0: to the end
	Load     Samples       // of the number of requests: in its front end, waiting or in the batch
	Totals   Totals
	Steps    StepSums
	Failed   units.Seconds // when it did; 0: never
	Replaced units.Seconds // when another serves in its place, that has failed; infinite: never
}

// AddReplica begins the record of one more replica of the pool.
func (p *PoolRecord) AddReplica() *ReplicaRecord {
	r := &ReplicaRecord{}
	p.Replicas = append(p.Replicas, r)
	return r
}

// times are from when on the replica is paid for in a run, from when on it serves, and until
// when it is there.
func (r *ReplicaRecord) times(rec *Record) (ordered, ready, released units.Seconds) {
	released = rec.Ended
	if r.Released > 0 {
		released = min(released, r.Released)
	}
	ordered = min(max(r.Ordered, rec.Started), released)
	return ordered, min(max(r.Ready, ordered), released), released
}

// failed is until when the replica serves, between two times.
func (r *ReplicaRecord) failed(ready, released units.Seconds) units.Seconds {
	if r.Failed > 0 {
		return min(max(r.Failed, ready), released)
	}
	return released
}

// there is for which share of the time of a run the replica is paid for.
func (r *ReplicaRecord) there(rec *Record) float64 {
	ordered, _, released := r.times(rec)
	if ordered == rec.Started && released == rec.Ended { // though the run took no time
		return 1
	}
	return float64(released-ordered) / rec.elapsed()
}

// replicas is how many replicas of the pool are there in a run, as an average over its time.
func (p *PoolRecord) replicas(rec *Record) float64 {
	n := 0.0
	for _, r := range p.Replicas {
		n += r.there(rec)
	}
	return n
}

// Replicas is how many replicas are there, as an average over the time of the run.
func (r *Record) Replicas() float64 {
	n := 0.0
	for i := range r.Pools {
		n += r.Pools[i].replicas(r)
	}
	return n
}

// setReplicas stores what the replicas of some pools did, and how unevenly it was spread: where
// there are several pools, in the one where it was most uneven.
func (v Values) setReplicas(rec *Record, pools []PoolRecord) {
	elapsed := rec.elapsed()
	var replicas, occupied, prompts float64
	var routed, generated int64
	imbalance := math.NaN()
	for i := range pools {
		p := &pools[i]
		replicas += p.replicas(rec)
		occupied += float64(p.Totals.Occupied)
		prompts += p.Steps.Decodes.PromptTokens + p.Steps.Prompts.PromptTokens
		routed += p.Totals.Requests
		generated += p.Totals.GeneratedTokens
		if x := p.imbalance(rec); x > imbalance || math.IsNaN(imbalance) {
			imbalance = x
		}
	}
	v.Set(Replicas, replicas)
	v.Set(RoutedRequests, float64(routed))
	v.Set(PromptThroughput, prompts/elapsed)
	v.Set(GenerationThroughput, float64(generated)/elapsed)
	v.setFailures(rec, pools)
	v.Set(IdleShare, max(0, 1-occupied/(replicas*elapsed))) // sums are rounded
	v.Set(LoadImbalance, imbalance)
}
