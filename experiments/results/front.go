package results

import "kneepoint/sim/metrics"

// Front is the options of a plan in two respects. On its Pareto front are those that no other
// one dominates: as good in both respects, and better in one.
type Front struct {
	Name   string       `json:"name"` // cost-vs-ttft
	X      Respect      `json:"x"`
	Y      Respect      `json:"y"`
	Points []FrontPoint `json:"points"` // the best option first
}

// Respect is what options are compared in.
type Respect struct {
	Metric string `json:"metric"` // key, or interactivity: the tokens that a user gets in a second, 1 / median TPOT
	Unit   string `json:"unit"`
	Higher bool   `json:"higher"` // is better
}

// Interactivity is the inverse of the median TPOT, in tokens a second.
const Interactivity = "interactivity"

// FrontPoint is an option on a front, or behind it.
type FrontPoint struct {
	Option    string  `json:"option"`
	X         float64 `json:"x"`
	Y         float64 `json:"y"`
	Dominated string  `json:"dominated_by,omitempty"` // the best option that dominates it
}

// FindFronts finds the fronts of the options: cost, or accelerators where these are to be
// least, against the 99th percentile of each latency that is bounded, or of the TTFT where
// classes have bounds of their own; and output tokens a second of an accelerator against those of
// a user. Options without a value in a respect are not on its fronts, and there is none of
// fewer than two.
func (a *Answer) FindFronts() {
	cost, latencies := Respect{Metric: metrics.PricePerHour, Unit: "$/h"}, a.SLO.tails()
	if a.Least != "cost" {
		cost = Respect{Metric: metrics.Accelerators}
	}
	for _, tail := range latencies {
		f := Front{Name: "cost-vs-" + tail.latency, X: cost, Y: Respect{Metric: tail.key, Unit: "ms"}}
		a.addFront(f, func(o *Option) (float64, float64) { return o.mean(cost.Metric), o.mean(tail.key) })
	}
	f := Front{Name: "throughput-vs-interactivity", X: Respect{Interactivity, "tok/s/user", true},
		Y: Respect{metrics.OutputThroughput, "tok/s/accelerator", true}}
	a.addFront(f, func(o *Option) (float64, float64) {
		return 1e3 / o.mean(metrics.MedianTPOT), o.mean(metrics.OutputThroughput) / o.mean(metrics.Accelerators)
	})
}

// tail is a latency and the key of its 99th percentile.
type tail struct{ latency, key string }

// tails are those of the latencies that have bounds.
func (s *SLO) tails() []tail {
	var all []tail
	for _, t := range []struct {
		tail
		bound float64
	}{{tail{"ttft", metrics.P99TTFT}, s.TTFTms}, {tail{"tpot", metrics.P99TPOT}, s.TPOTms}, {tail{"e2el", metrics.P99E2EL}, s.E2ELms},
		{tail{"itl", metrics.P99ITL}, s.ITLp99ms}} {
		if t.bound > 0 {
			all = append(all, t.tail)
		}
	}
	if all == nil {
		all = []tail{{"ttft", metrics.P99TTFT}}
	}
	return all
}

// mean is a metric of the fleet; 0 where there is none.
func (o *Option) mean(key string) float64 {
	e, _ := o.Metric(key)
	return e.Mean
}

// addFront adds a front with what is on it and behind it. A value of 0 is none, such as the TPOT of
// answers of one token.
func (a *Answer) addFront(f Front, at func(*Option) (x, y float64)) {
	for i := range a.Options {
		if x, y := at(&a.Options[i]); measurable(x) && measurable(y) {
			f.Points = append(f.Points, FrontPoint{Option: a.Options[i].Name, X: x, Y: y})
		}
	}
	if len(f.Points) < 2 {
		return
	}
	for i := range f.Points {
		for k := range f.Points {
			if f.dominates(&f.Points[k], &f.Points[i]) {
				f.Points[i].Dominated = f.Points[k].Option
				break
			}
		}
	}
	a.Fronts = append(a.Fronts, f)
}

// measurable tells whether a value is positive and finite.
func measurable(v float64) bool { return v > 0 && 1/v > 0 }

// dominates tells whether a point is as good as another one in both respects, and better in
// one.
func (f *Front) dominates(a, b *FrontPoint) bool {
	x, y := f.X.compare(a.X, b.X), f.Y.compare(a.Y, b.Y)
	return x >= 0 && y >= 0 && x+y > 0
}

// compare is 1 where a is better than b, -1 where it is worse.
func (r Respect) compare(a, b float64) int {
	if r.Higher {
		return Compare(a, b)
	}
	return Compare(b, a)
}
