package scaling

import (
	"math"

	"kneepoint/policies"
	"kneepoint/units"
)

// knativeEntry has the defaults of config-autoscaler. A pool goes to zero after a
// stable window without requests and 30 s of grace.
var knativeEntry = Entry{
	Description: policies.Description{Name: "knative", Key: "scaler",
		Doc: "Knative's pod autoscaler: by the requests of a minute, or of 6 s when they are twice as many as replicas are for",
		Keys: []string{"target", "target_utilization", "interval", "stable_window", "panic_window", "panic_threshold",
			"max_scale_up_rate", "max_scale_down_rate", "scale_down_stabilization", "idle_timeout"}},
	Defaults: Parameters{Target: 100, TargetUtilization: 0.7, Interval: 2, StableWindow: 60, PanicWindow: 6,
		PanicThreshold: 2, MaxUpRate: 1000, MaxDownRate: 2, IdleTimeout: 90},
	New: func(p Parameters) Scaler { return &knative{Parameters: p} },
}

// knative is Knative's pod autoscaler (knative/serving, pkg/autoscaler/scaling):
//
//	wanted = ⌈mean requests over StableWindow / (Target · TargetUtilization)⌉
//
// within a factor of MaxUpRate and 1/MaxDownRate of the replicas that are ready. When
// the same number by the PanicWindow is at least PanicThreshold times those, that
// number counts where it is higher, and the pool does not shrink until it has been
// below for a StableWindow. It begins so where it finds several replicas.
type knative struct {
	Parameters
	requests averages
	wanted   numbers

	asked     bool
	panicking bool
	panicked  units.Seconds // when it was last over the threshold
	most      int           // wanted while panicking
}

// Next implements Scaler.
func (k *knative) Next(now units.Seconds) units.Seconds { return now + k.Interval }

// Wanted implements Scaler.
func (k *knative) Wanted(s *Signals) int {
	if !k.asked {
		k.asked, k.panicking, k.panicked, k.most = true, s.Ready > 1, s.Now, s.Ready
	}
	k.requests.add(s, s.MeanRequests, k.StableWindow)
	ready := math.Max(1, float64(s.Ready))
	stable, recent := k.needed(k.StableWindow, s.Now), k.needed(k.PanicWindow, s.Now)
	k.notePanic(s.Now, float64(recent)/ready >= k.PanicThreshold)
	least, most := int(ready/k.MaxDownRate), ceil(ready*k.MaxUpRate)
	wanted := min(max(stable, least), most)
	if k.panicking {
		k.most = max(k.most, wanted, min(max(recent, least), most))
		wanted = k.most
	}
	return k.delayed(s.Now, wanted)
}

// needed is how many replicas the requests of a window need.
func (k *knative) needed(window, now units.Seconds) int {
	return ceil(k.requests.over(window, now) / (k.Target * k.TargetUtilization))
}

// notePanic begins or ends the panic.
func (k *knative) notePanic(now units.Seconds, over bool) {
	switch {
	case over:
		k.panicking, k.panicked = true, now
	case k.panicking && k.panicked+k.StableWindow < now:
		k.panicking, k.most = false, 0
	}
}

// delayed is the highest number that was wanted within DownStabilization, which Knative
// calls scale-down-delay.
func (k *knative) delayed(now units.Seconds, wanted int) int {
	k.wanted.add(now, wanted, now-k.DownStabilization)
	within(k.wanted, now-k.DownStabilization, func(n int) { wanted = max(wanted, n) })
	return wanted
}
