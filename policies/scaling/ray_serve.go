package scaling

import (
	"kneepoint/policies"
	"kneepoint/units"
)

// rayServeEntry has the defaults of AutoscalingConfig. Replicas push how many requests they
// have every 10 s, which is when a decision can change.
var rayServeEntry = Entry{
	Description: policies.Description{Name: "ray-serve", Key: "scaler",
		Doc:  "Ray Serve's: by the requests of 30 s, when they have asked for more or fewer replicas long enough",
		Keys: []string{"target", "interval", "look_back", "scale_up_stabilization", "scale_down_stabilization", "idle_timeout"}},
	Defaults: Parameters{Target: 2, Interval: 10, LookBack: 30, UpStabilization: 30, DownStabilization: 600, IdleTimeout: 600},
	New:      func(p Parameters) Scaler { return &rayServe{Parameters: p} },
}

// rayServe is Ray Serve's default policy (ray-project/ray,
// python/ray/serve/autoscaling_policy.py):
//
//	wanted = ⌈mean requests over LookBack / Target⌉
//
// once that was more than the replicas there are for UpStabilization without a break,
// or fewer for DownStabilization (upscale_delay_s, downscale_delay_s). Zero comes after
// one only.
type rayServe struct {
	Parameters
	requests averages

	direction int           // of the last questions: 1 more, -1 fewer replicas, 0 as many
	since     units.Seconds // of the first of them
}

// Next implements Scaler.
func (r *rayServe) Next(now units.Seconds) units.Seconds { return now + r.Interval }

// Wanted implements Scaler.
func (r *rayServe) Wanted(s *Signals) int {
	r.requests.add(s, s.MeanRequests, r.LookBack)
	n := s.Replicas()
	wanted := ceil(r.requests.over(r.LookBack, s.Now) / r.Target)
	if n > 1 {
		wanted = max(wanted, 1)
	}
	if !r.lasts(s.Now, wanted-n) {
		return n
	}
	r.direction = 0
	return wanted
}

// lasts tells whether a change was wanted long enough.
func (r *rayServe) lasts(now units.Seconds, change int) bool {
	direction, delay := 0, units.Seconds(0)
	switch {
	case change > 0:
		direction, delay = 1, r.UpStabilization
	case change < 0:
		direction, delay = -1, r.DownStabilization
	}
	if direction != r.direction {
		r.direction, r.since = direction, now
	}
	return direction != 0 && now-r.since >= delay
}
