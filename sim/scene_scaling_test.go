package sim

import (
	"math/rand/v2"

	"pgregory.net/rapid"

	"kneepoint/policies/scaling"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// fickle wants any number of replicas, at times that coincide with others.
type fickle struct {
	random   *rand.Rand
	interval units.Seconds
	most     int
}

// Wanted implements scaling.Scaler.
func (f *fickle) Wanted(*scaling.Signals) int { return f.random.IntN(f.most + 1) }

// Next implements scaling.Scaler.
func (f *fickle) Next(now units.Seconds) units.Seconds { return now + f.interval }

// drawScaling may let replicas come and go.
func (s *scene) drawScaling(t *rapid.T) {
	if rapid.Bool().Draw(t, "constant") {
		return
	}
	p := &s.config.Pools[0]
	times := func(name string) units.Seconds {
		return units.Seconds(rapid.SampledFrom([]float64{0, 0.5, 1, 3, 10.3}).Draw(t, name))
	}
	p.Startup = Startup{Cold: times("cold start"), FirstRequest: times("first request"), Warm: times("wake-up"),
		WarmPool: rapid.IntRange(0, 2).Draw(t, "warm pool"), AtStart: rapid.Bool().Draw(t, "cold at the start")}
	if rapid.IntRange(0, 3).Draw(t, "restarts") == 0 {
		p.Restart = &Restart{At: times("restart"), Together: rapid.IntRange(1, 2).Draw(t, "at a time")}
	}
	if rapid.IntRange(0, 4).Draw(t, "unscaled") == 0 {
		return
	}
	bounds := scaling.Bounds{Min: rapid.IntRange(0, 2).Draw(t, "min"), Max: rapid.IntRange(2, 4).Draw(t, "max"), IdleTimeout: times("idle timeout")}
	interval := max(0.25, times("interval"))
	entry := rapid.SampledFrom(scaling.Scalers).Draw(t, "scaler")
	parameters := entry.Defaults
	parameters.Replicas, parameters.Target = s.count, rapid.SampledFrom([]float64{0.5, 3}).Draw(t, "target")
	parameters.Metric = rapid.SampledFrom(scaling.Metrics).Draw(t, "metric")
	if parameters.Metric.IsShare() {
		parameters.Target = 0.5
	}
	parameters.Interval = interval
	parameters.Steps, parameters.Period = []scaling.Step{{At: 0, Replicas: 1}, {At: 5, Replicas: 3}}, times("period")+6
	odd := rapid.Bool().Draw(t, "fickle")
	p.Scaling = &Scaling{Bounds: bounds, Met: func(r *metrics.Request) bool { return r.E2EL() < 10 }, Scaler: func() scaling.Scaler {
		if odd {
			return &fickle{rand.New(rand.NewPCG(1, 2)), interval, 4}
		}
		return entry.New(parameters)
	}}
}

// constant leaves the replicas as they are at the start.
func (s *scene) constant() {
	p := &s.config.Pools[0]
	p.Startup, p.Scaling, p.Failures, p.Restart = Startup{}, nil, nil, nil
}

// drawFailures may have replicas fail, at times that coincide with others.
func (s *scene) drawFailures(t *rapid.T) {
	s.config.Pools[0].Failures = drawFailures(t)
}

func drawFailures(t *rapid.T) (all []Failure) {
	for range rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(t, "failures") {
		gaps := rapid.SliceOfN(rapid.SampledFrom([]units.Seconds{1, 2.5, 7, 20}), 3, 3).Draw(t, "times between failures")
		f := Failure{Together: rapid.IntRange(0, 2).Draw(t, "together"), At: gaps[0], Lose: rapid.Bool().Draw(t, "requests are lost")}
		if rapid.Bool().Draw(t, "again") {
			f.Until = func(n int) units.Seconds {
				if n > 5 { // or nothing may ever come to its end
					return forever
				}
				return gaps[n%3]
			}
		}
		f.Detection = rapid.SampledFrom([]units.Seconds{0, 0, 1.3, 10}).Draw(t, "detection")
		f.Slowdown = rapid.SampledFrom([]float64{0, 0, 2.3}).Draw(t, "slowdown")
		if rapid.IntRange(0, 3).Draw(t, "repaired") > 0 {
			f.Repair = func(n int) units.Seconds { return gaps[n%2] - 1 }
		}
		all = append(all, f)
	}
	return all
}

// drawLinkFailures are failures some of which are of links alone.
func drawLinkFailures(t *rapid.T) []Failure {
	all := drawFailures(t)
	for i := range all {
		f := &all[i]
		if f.Link = rapid.Bool().Draw(t, "of the link"); !f.Link {
			continue
		}
		f.Wait = f.Slowdown == 0 && rapid.Bool().Draw(t, "wait")
		if f.Repair == nil { // or it is never used again, and no scaler knows
			f.Repair = after(3)
		}
	}
	return all
}
