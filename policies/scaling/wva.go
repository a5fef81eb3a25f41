package scaling

import (
	"kneepoint/policies"
	"kneepoint/units"
)

// wvaEntry has the defaults of llm-d's saturation analyzer.
var wvaEntry = Entry{
	Description: policies.Description{Name: "wva", Key: "scaler",
		Doc:  "llm-d's workload variant autoscaler: one replica more when replicas have little to spare, one fewer when the others could do without it",
		Keys: []string{"interval", "kv_threshold", "kv_spare", "queue_threshold", "queue_spare", "idle_timeout"}},
	Defaults: Parameters{Interval: 60, KVThreshold: 0.8, KVSpare: 0.1, QueueThreshold: 5, QueueSpare: 3, IdleTimeout: 600},
	New:      func(p Parameters) Scaler { return &wva{Parameters: p} },
}

// scrapes is how often within an interval the loads of replicas are read, whose peaks
// count: Prometheus's usual 15 s in a minute.
const scrapes = 4

// wva is llm-d's workload variant autoscaler, its saturation analyzer
// (llm-d/llm-d-workload-variant-autoscaler, docs/saturation-analyzer.md). A replica is
// saturated whose peak use of KV blocks reaches KVThreshold or whose queue
// QueueThreshold. The others spare what they are below that. The pool grows by one when
// they spare less than KVSpare or QueueSpare on average, and shrinks by one when they
// would spare as much with one replica less. It does not shrink, and grows by no more
// than one, while replicas start.
type wva struct {
	Parameters
	asked int
	peaks map[int]Load // since the last decision, by replica
}

// Next implements Scaler.
func (w *wva) Next(now units.Seconds) units.Seconds { return now + w.Interval/scrapes }

// Wanted implements Scaler.
func (w *wva) Wanted(s *Signals) int {
	n := s.Replicas()
	w.scrape(s.Loads)
	if w.asked++; w.asked%scrapes != 0 || s.Ready == 0 {
		return n
	}
	kv, queue, spare := w.saturation(s.Loads)
	clear(w.peaks)
	switch {
	case !w.enough(kv, queue, spare):
		return max(n, s.Ready+1)
	case s.Starting == 0 && spare >= 2 && w.enough(kv, queue, spare-1):
		return n - 1
	default:
		return n
	}
}

// scrape raises the peaks of the replicas.
func (w *wva) scrape(loads []Load) {
	if w.peaks == nil {
		w.peaks = map[int]Load{}
	}
	for _, l := range loads {
		p := w.peaks[l.Replica]
		w.peaks[l.Replica] = Load{Waiting: max(p.Waiting, l.Waiting), KVUse: max(p.KVUse, l.KVUse)}
	}
}

// saturation is the sum of the peaks of those replicas that are not saturated, and how many
// they are.
func (w *wva) saturation(loads []Load) (kv, queue float64, replicas int) {
	for _, l := range loads {
		p := w.peaks[l.Replica]
		if p.KVUse < w.KVThreshold && float64(p.Waiting) < w.QueueThreshold {
			kv += p.KVUse
			queue += float64(p.Waiting)
			replicas++
		}
	}
	return kv, queue, replicas
}

// enough tells whether a number of replicas that share a load have enough to spare.
func (w *wva) enough(kv, queue float64, replicas int) bool {
	n := float64(replicas)
	return replicas > 0 && w.KVThreshold-kv/n >= w.KVSpare && w.QueueThreshold-queue/n >= w.QueueSpare
}
