package sim

import (
	"slices"
	"testing"

	"kneepoint/policies/scaling"
	"kneepoint/units"
)

// TestRollingRestart: of three replicas one after the other finishes what it has and starts
// for 2 s, while the others serve; requests take a second.
func TestRollingRestart(t *testing.T) {
	for name, c := range map[string]struct {
		arrivals []units.Seconds
		together int
		change   func(*Pool)
		ends     []units.Seconds
		away     []units.Seconds // from when on, by replica that is away
	}{
		"one by one": {
			arrivals: []units.Seconds{0, 0, 0, 3.5, 3.5, 3.5, 9}, together: 1,
			ends: []units.Seconds{1, 1, 1, 4.5, 4.5, 5.5, 10}, away: []units.Seconds{1, 3, 5},
		},
		"two at a time": {
			arrivals: []units.Seconds{0, 0, 0, 3.5, 9}, together: 2,
			ends: []units.Seconds{1, 1, 1, 4.5, 10}, away: []units.Seconds{1, 1, 3},
		},
		"all at once": {
			arrivals: []units.Seconds{0, 0, 0, 2, 9}, together: 5,
			ends: []units.Seconds{1, 1, 1, 4, 10}, away: []units.Seconds{1, 1, 1},
		},
		"one is not wanted any more": { // of two: the one that starts; then it is the other one's turn
			arrivals: []units.Seconds{0, 0, 2, 4}, together: 1,
			change: func(p *Pool) {
				p.Replicas, p.Startup.Cold = 2, 5
				p.Scaling = &Scaling{Scaler: newScaler("schedule", scaling.Parameters{Steps: []scaling.Step{{At: 0, Replicas: 2}, {At: 3, Replicas: 1}}})}
			},
			ends: []units.Seconds{1, 1, 3, 9}, away: []units.Seconds{1, 3, 3},
		},
		"one fails meanwhile": {
			arrivals: []units.Seconds{0, 0, 0, 9}, together: 1,
			change: func(p *Pool) { p.Failures = []Failure{{Together: 1, At: 0.75, Repair: after(1)}} },
			ends:   []units.Seconds{2, 1, 1, 10}, away: []units.Seconds{0.75, 3.75, 5.75},
		},
	} {
		t.Run(name, func(t *testing.T) {
			rec := course(t, func(config *Config) {
				p := &config.Pools[0]
				p.Replicas, p.Startup.Cold = 3, 2
				p.Restart = &Restart{At: 0.5, Together: c.together}
				if c.change != nil {
					c.change(p)
				}
			}, c.arrivals...)
			if got := ends(rec); !slices.Equal(got, c.ends) {
				t.Errorf("requests end at %v, not %v", got, c.ends)
			}
			var away []units.Seconds
			for _, r := range rec.Pools[0].Replicas {
				if r.Released > 0 {
					away = append(away, r.Released)
				}
			}
			slices.Sort(away)
			if !slices.Equal(away, c.away) {
				t.Errorf("replicas leave at %v, not %v", away, c.away)
			}
		})
	}
}
