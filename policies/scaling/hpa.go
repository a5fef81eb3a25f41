package scaling

import (
	"math"

	"kneepoint/policies"
	"kneepoint/units"
)

// hpaEntry has the defaults of the controller, and of behavior in its API, version
// autoscaling/v2. 300 s without requests are KEDA's cooldownPeriod, with whose
// ScaledObject HPA comes to zero.
var hpaEntry = Entry{
	Description: policies.Description{Name: "hpa", Key: "scaler",
		Doc: "Kubernetes' horizontal pod autoscaler: as many replicas as bring the metric to its target",
		Keys: []string{"metric", "target", "interval", "tolerance", "scale_up_stabilization", "scale_down_stabilization",
			"scale_up_percent", "scale_up_replicas", "scale_up_period", "idle_timeout"}},
	Defaults: Parameters{Metric: Requests, Interval: 15, Tolerance: 0.1, DownStabilization: 300,
		UpPercent: 100, UpReplicas: 4, UpPeriod: 15, IdleTimeout: 300},
	New: func(p Parameters) Scaler { return &hpa{Parameters: p} },
}

// hpa is Kubernetes' horizontal pod autoscaler (kubernetes/website,
// horizontal-pod-autoscale.md; kubernetes/kubernetes, pkg/controller/podautoscaler):
//
//	wanted = ⌈replicas · metric / target⌉
//
// unless metric/target is within 1 ± Tolerance. Numbers of requests are one metric of
// the whole pool (External, AverageValue). Shares are metrics of its replicas (Pods):
// replicas that start count 0 when the pool grows, and the target when it shrinks.
//
// What is carried out is the highest number wanted within DownStabilization, where
// that is fewer than there are, and the lowest within UpStabilization, where it is
// more; and no more than UpPercent or UpReplicas, whichever is more, within UpPeriod.
type hpa struct {
	Parameters
	wanted   numbers
	grown    numbers // by how many replicas the pool grew
	replicas int     // at the last question
}

// Next implements Scaler.
func (h *hpa) Next(now units.Seconds) units.Seconds { return now + h.Interval }

// Wanted implements Scaler.
func (h *hpa) Wanted(s *Signals) int {
	n := s.Replicas()
	h.noteGrowth(s)
	wanted := h.stabilized(s.Now, n, h.recommended(s))
	if wanted > n {
		wanted = min(wanted, h.most(s.Now, n))
	}
	return wanted
}

// recommended is what the metric asks for now.
func (h *hpa) recommended(s *Signals) int {
	n := float64(s.Replicas())
	load, ok := h.Metric.load(s, h.Target)
	if !ok {
		return s.Replicas()
	}
	counted := load
	if h.Metric.IsShare() && s.Starting > 0 {
		ready := float64(s.Ready)
		if load < ready {
			counted += float64(s.Starting)
		}
		if (load < ready) != (counted < n) {
			return s.Replicas() // the direction would change
		}
	}
	if math.Abs(counted/n-1) <= h.Tolerance+rounding {
		return s.Replicas()
	}
	return ceil(counted)
}

// stabilized is the number that was wanted long enough, out of n replicas. The first
// one to remember is how many there were.
func (h *hpa) stabilized(now units.Seconds, n, recommended int) int {
	if len(h.wanted) == 0 {
		h.wanted.add(now, n, now)
	}
	lowest, highest := recommended, recommended
	within(h.wanted, now-h.UpStabilization, func(n int) { lowest = min(lowest, n) })
	within(h.wanted, now-h.DownStabilization, func(n int) { highest = max(highest, n) })
	h.wanted.add(now, recommended, now-max(h.UpStabilization, h.DownStabilization))
	return min(max(n, lowest), highest)
}

// noteGrowth notes by how much the pool has grown since the last question.
func (h *hpa) noteGrowth(s *Signals) {
	n := s.Replicas()
	if len(h.wanted) > 0 && n > h.replicas {
		h.grown.add(s.Since, n-h.replicas, s.Now-h.UpPeriod)
	}
	h.replicas = n
}

// most is how many replicas a pool of n may have, by how much it has grown.
func (h *hpa) most(now units.Seconds, n int) int {
	before := n
	within(h.grown, now-h.UpPeriod, func(grown int) { before -= grown })
	return max(n, before+h.UpReplicas, ceil(float64(before)*(1+h.UpPercent/100)))
}
