package results

import (
	"fmt"

	"kneepoint/units/badinput"
)

// Timeline is what happens in a window of one run, the first replication at a point: lists with
// a value for each of equal buckets. Like the knees that were searched it comes from a
// simulation of its own, which changes no other result.
type Timeline struct {
	Strategy string  `json:"strategy"`
	Point    Setting `json:"point"`
	Window   string  `json:"window,omitempty"` // WindowRun, or "" of one around the middle of the arrivals
	From     float64 `json:"from"`             // where the first bucket begins, in seconds after the first arrival
	Bucket   float64 `json:"bucket"`           // seconds of each

	Arrivals []float64 `json:"arrivals"`         // numbers
	Met      []float64 `json:"met,omitempty"`    // numbers of those that arrive then and meet their objective; none without one
	Router   []float64 `json:"router,omitempty"` // mean number of requests that wait at the router; none where none does

	// KVTransfer is the mean number of requests whose keys and values are between replicas;
	// none where none are.
	KVTransfer []float64 `json:"kv_transfer,omitempty"`

	ReplicaLists                // of all replicas
	Pools        []TimelinePool `json:"pools,omitempty"` // where there are several
}

// TimelinePool is what happens at the replicas of a pool.
type TimelinePool struct {
	Name string `json:"name"`
	ReplicaLists
}

// ReplicaLists are what happens at replicas.
type ReplicaLists struct {
	// Mean numbers of requests in each place, and the share of the KV blocks in use.
	FrontEnd      []float64 `json:"front_end"`
	Waiting       []float64 `json:"waiting"`
	Running       []float64 `json:"running"`
	KVUtilization []float64 `json:"kv_utilization"`

	Preemptions []float64 `json:"preemptions"` // numbers

	// Tokens per second, spread evenly over the steps that compute or generate them.
	PromptThroughput []float64 `json:"prompt_throughput"`
	OutputThroughput []float64 `json:"output_throughput"`

	// Mean numbers of replicas that serve, and of those that start or sleep, where there are any.
	Replicas []float64 `json:"replicas,omitempty"`
	Starting []float64 `json:"starting,omitempty"`
}

// WindowRun asks for a timeline of a whole run.
const WindowRun = "run"

// checkTimelines refuses timelines that were edited: of no time, or with lists of different
// lengths.
func (p *Plan) checkTimelines() error {
	for i := range p.Timelines {
		if t := &p.Timelines[i]; !t.whole() {
			return &badinput.Error{Key: fmt.Sprintf("timelines[%d]", i), Problem: "is no whole timeline"}
		}
	}
	return nil
}

// whole tells whether the timeline has buckets, and all lists have a value for each.
func (t *Timeline) whole() bool {
	n := len(t.Arrivals)
	whole := t.Bucket > 0 && n > 0 && t.ReplicaLists.whole(n)
	for _, list := range [][]float64{t.Met, t.Router, t.KVTransfer} {
		whole = whole && (list == nil || len(list) == n)
	}
	for i := range t.Pools {
		whole = whole && t.Pools[i].whole(n)
	}
	return whole
}

func (l *ReplicaLists) whole(n int) bool {
	for _, list := range [][]float64{l.FrontEnd, l.Waiting, l.Running, l.KVUtilization, l.Preemptions, l.PromptThroughput, l.OutputThroughput} {
		if len(list) != n {
			return false
		}
	}
	return (l.Replicas == nil || len(l.Replicas) == n) && (l.Starting == nil || len(l.Starting) == n)
}
