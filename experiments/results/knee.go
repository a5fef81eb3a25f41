package results

import (
	"cmp"
	"math"
	"slices"

	"kneepoint/sim/metrics"
)

// KneeKind says what is known of a knee.
type KneeKind string

const (
	// KneeSearched comes from a search around it.
	KneeSearched KneeKind = "searched"
	// KneeBracketed lies between two loads at which a search ended that found no
	// interval: the last one that meets the objective and the first that does not.
	KneeBracketed KneeKind = "bracketed"
	// KneeInterpolated lies between two swept points: the last one that meets
	// the objective and the first that does not.
	KneeInterpolated KneeKind = "interpolated"
	// KneeBeyond means that every swept point meets the objective: the knee is
	// at the last point or beyond it.
	KneeBeyond KneeKind = "beyond"
	// KneeBelow means that no swept point meets the objective, or without one
	// that all saturate.
	KneeBelow KneeKind = "below"
	// KneePower is Kleinrock's power knee, the swept point of largest
	// throughput / latency, used without an SLO.
	KneePower KneeKind = "power"
)

// Knee is the largest load that still meets the service level objective.
type Knee struct {
	Kind  KneeKind `json:"kind"`
	Value float64  `json:"value"` // of the first swept variable, in its unit; for KneeBelow the lowest load

	// Low and High are the 95 % interval of a searched knee, and of others the loads
	// that it lies between; nil where nothing bounds it on that side.
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`

	Target float64 `json:"target,omitempty"` // share of the requests that meet the objective up to here; of KneePower 0
	Basis  Basis   `json:"basis"`

	Rising bool `json:"rising,omitempty"` // it is the least that is enough, of what makes a service easier

	// Of a search: the requests at the start of each run that do not count, and the runs
	// and requests that it took.
	WarmUp   int `json:"warm_up,omitempty"`
	Runs     int `json:"runs,omitempty"`
	Requests int `json:"requests,omitempty"`
}

// load is one swept load and what was measured there.
type load struct {
	value, attainment, power float64
	requests                 float64 // in all runs
	saturated                bool
}

// meets tells whether enough requests met the objective. Where the backlog grew until the
// end, they would not have in a longer run.
func (l *load) meets(target float64) bool { return l.attainment >= target && !l.saturated }

// logit is ln(p/(1-p)) of p = (k+½)/(n+1) where k of n requests met the objective: it is
// finite where all or none did.
func (l *load) logit() float64 {
	p := (l.attainment*l.requests + 0.5) / (l.requests + 1)
	return math.Log(p / (1 - p))
}

// knee is the one that was searched for on a curve. Else it comes from the swept points:
// the largest load at which the share of requests that meet the objective is at least
// target; without an objective, the load of largest throughput / latency. It is nil when
// the first axis is not a load, and when nothing is known of any request.
func (p *Plan) knee(s *Series, target float64) *Knee {
	if found := p.SearchOf(s); found != nil {
		if knee := found.Knee(); knee != nil {
			return knee
		}
	}
	if len(p.Sweep) == 0 || !p.Sweep[0].IsLoad() {
		return nil
	}
	loads := s.loads()
	if len(loads) == 0 {
		return nil
	}
	if !slices.ContainsFunc(loads, func(at load) bool { return !math.IsNaN(at.attainment) }) { // nobody has an objective
		return powerKnee(loads)
	}
	knee := attainmentKnee(loads, target, p.Sweep[0].Geometric())
	knee.Target, knee.Basis = target, Horizon
	return knee
}

// SearchOf is what was found on a curve by a search; nil where there was none.
func (p *Plan) SearchOf(s *Series) *Searched {
	for i := range p.Searched {
		if found := &p.Searched[i]; found.Strategy == s.Strategy && found.Fixed.id() == s.Fixed.id() {
			return found
		}
	}
	return nil
}

// loads are the points of a curve whose swept value is a number, by that number.
func (s *Series) loads() []load {
	var all []load
	for i := range s.Points {
		point := &s.Points[i]
		v, ok := point.Value.Number()
		if !ok {
			continue
		}
		all = append(
			all,
			load{value: v, attainment: point.mean(metrics.Attainment), saturated: point.Saturated == Yes, requests: point.requests(),
				power: point.mean(metrics.RequestThroughput) / point.mean(metrics.MeanE2EL)},
		)
	}
	slices.SortFunc(all, func(a, b load) int { return cmp.Compare(a.value, b.value) })
	return all
}

// requests is how many there were in all runs.
func (p *Point) requests() float64 {
	n := 0.0
	for _, key := range metrics.Outcomes {
		if estimate, ok := p.Metrics[key]; ok {
			n += estimate.Mean * float64(estimate.N)
		}
	}
	return n
}

// Ends are the least and the largest load of a curve; 0 where it is over none.
func (s *Series) Ends() (least, most float64) {
	loads := s.loads()
	if len(loads) == 0 {
		return 0, 0
	}
	return loads[0].value, loads[len(loads)-1].value
}

// attainmentKnee lies between the last load that meets the target and the next one, which
// are its interval: nothing is known between them. Its value is where the logit of the
// attainment reaches the target along the line that a figure draws, which is straight over
// the logarithm of the load where the axis is geometric.
func attainmentKnee(points []load, target float64, geometric bool) *Knee {
	for i := len(points) - 1; i >= 0; i-- {
		at := &points[i]
		if !at.meets(target) {
			continue
		}
		if i == len(points)-1 {
			return &Knee{Kind: KneeBeyond, Value: at.value, Low: &at.value}
		}
		next := &points[i+1]
		share := wayTo(target, at, next)
		value := at.value + share*(next.value-at.value)
		if geometric {
			value = at.value * math.Pow(next.value/at.value, share)
		}
		return &Knee{Kind: KneeInterpolated, Value: value, Low: &at.value, High: &next.value}
	}
	return &Knee{Kind: KneeBelow, Value: points[0].value, High: &points[0].value}
}

// wayTo is how far, from one load to the next, the logit of the attainment reaches the
// target; halfway where the next one missed it for its backlog alone.
func wayTo(target float64, at, next *load) float64 {
	from, to := at.logit(), next.logit()
	share := (from - math.Log(target/(1-target))) / (from - to)
	if next.attainment >= target || math.IsNaN(share) {
		return 0.5
	}
	return min(max(share, 0), 1)
}

// Targets are the shares of requests that knees ask for, each once: the attainment may be swept.
func (r *Results) Targets() []float64 {
	var all []float64
	for i := range r.Series {
		if k := r.Series[i].Knee; k != nil && k.Target > 0 && !slices.Contains(all, k.Target) {
			all = append(all, k.Target)
		}
	}
	return all
}

// powerKnee is the swept load of largest throughput / latency, among those that
// do not saturate: where one does, latency depends on the length of the run. It is nil
// where no request completed.
func powerKnee(points []load) *Knee {
	if !slices.ContainsFunc(points, func(p load) bool { return p.power > 0 }) {
		return nil
	}
	knee := &Knee{Kind: KneeBelow, Value: points[0].value, High: &points[0].value}
	power := math.Inf(-1)
	for _, p := range points {
		if !p.saturated && p.power > power {
			knee, power = &Knee{Kind: KneePower, Value: p.value}, p.power
		}
	}
	return knee
}
