package routing

import (
	"container/heap"
	"math/rand/v2"

	"kneepoint/policies"
)

var weighted = Entry{
	Description: policies.Description{Name: "weighted", Key: "router",
		Doc:  "in turn, to each replica in proportion to the weight of its pool",
		Keys: []string{"weight"}},
	New: func(_ Parameters, random *rand.Rand) Router { return &Weighted{Random: random} },
}

// Weighted sends requests to the replicas in turn, as many to each as its weight says,
// whatever they are doing. Replica i is due every 1/wᵢ, from a random moment in its
// first period on, and the one that is due first is next: earliest deadline first, as
// in Envoy's weighted round robin (source/common/upstream/edf_scheduler.h). A request
// costs the logarithm of the number of replicas. A replica that is away for a while
// keeps its deadline, unless that passes.
type Weighted struct {
	Random *rand.Rand

	due  deadlines
	now  float64   // the deadline of the last turn
	next []float64 // deadlines, by number; 0: none
}

// deadline is when a replica has its next turn.
type deadline struct {
	turn
	at     float64
	period float64
}

// Route implements Router.
func (w *Weighted) Route(_ *Request, replicas Replicas) int {
	if len(w.due) != replicas.Len() || !w.due[0].holds(replicas) {
		w.follow(replicas)
	}
	first := &w.due[0]
	chosen := first.index
	w.now = first.at
	first.at += first.period
	w.next[first.number] = first.at
	heap.Fix(&w.due, 0)
	return chosen
}

// follow takes over which replicas there are.
func (w *Weighted) follow(replicas Replicas) {
	w.due = w.due[:0]
	for i := range replicas.Len() {
		d := deadline{turn: turn{index: i, number: replicas.Number(i)}, period: 1 / replicas.Weight(i)}
		w.next = grown(w.next, d.number)
		if w.next[d.number] <= w.now {
			w.next[d.number] = w.now + (1-w.Random.Float64())*d.period
		}
		d.at = w.next[d.number]
		w.due = append(w.due, d)
	}
	heap.Init(&w.due)
}

// deadlines are a heap, the earliest first.
type deadlines []deadline

func (d deadlines) Len() int           { return len(d) }
func (d deadlines) Less(i, j int) bool { return d[i].at < d[j].at }
func (d deadlines) Swap(i, j int)      { d[i], d[j] = d[j], d[i] }

// Push and Pop are what heap.Interface asks for besides.

func (d *deadlines) Push(x any) { *d = append(*d, x.(deadline)) }

func (d *deadlines) Pop() any {
	last := len(*d) - 1
	x := (*d)[last]
	*d = (*d)[:last]
	return x
}
