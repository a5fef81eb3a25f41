package results

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Basis says what the attainment is of that a knee rests on.
type Basis string

const (
	// SteadyState leaves the warm-up out of every run. How long runs are does not
	// change its expectation.
	SteadyState Basis = "steady_state"
	// Horizon is whole runs as the experiment states them, from an empty system to
	// the end of its requests, its duration or its trace.
	Horizon Basis = "horizon"
)

// Searched is what a search for the knee found on one curve. It is as much a finding of
// simulations as the runs are, and aggregation makes the knee of it.
type Searched struct {
	Strategy string  `json:"strategy"`
	Fixed    Setting `json:"fixed,omitempty"` // of the curve
	Basis    Basis   `json:"basis"`
	Target   float64 `json:"target"` // share of the requests that must meet the objective

	Rising bool `json:"rising,omitempty"` // more of what was searched is easier to serve, such as replicas
	Whole  bool `json:"whole,omitempty"`  // it has no parts, like clients or replicas

	// Met is the hardest load that met the target, all that missed it being harder, and Missed the
	// easiest of these: the harder of two loads is the larger one, or where they rise the smaller one.
	// 0 where there is none.
	Met    float64 `json:"met"`
	Missed float64 `json:"missed"`

	// Limited is true where whole numbers next to each other were to be told apart, and the requests that the search might take
	// did not suffice.
	Limited bool `json:"limited,omitempty"`

	Edge string `json:"edge,omitempty"` // why there are no loads beyond some that were searched; "": all are possible

	Probes   []Probe `json:"probes"`   // near the knee, by load; empty where the bracket is all there is to say
	Runs     int     `json:"runs"`     // that the search took
	Requests int     `json:"requests"` // in all of them

	// Near is what was at the probes, or without any at the ends of the bracket: it tells what is at the knee of a curve whose
	// swept points lie further apart. nil where these are the points of the curve.
	Near []Point `json:"near,omitempty"`
}

// Probe is the runs at one load. No decision of the search was made by them: an
// interval of runs that were chosen by what they show would be too narrow.
type Probe struct {
	Load     float64   `json:"load"`
	WarmUp   int       `json:"warm_up"`  // requests at the start of each run that do not count
	Counted  int       `json:"counted"`  // requests of each run that do
	First    int       `json:"first"`    // replication of the first run
	Attained []float64 `json:"attained"` // share of the counted requests that met the objective, by run
}

// Knee is what the search says of the knee; nil where it ended before it had found
// anything. Within probes the knee is where
//
//	ln(p/(1-p)) = a + b ln(load)
//
// reaches the target; of whole loads it is the last one that meets it. There p is the mean
// attainment of the runs at a load: near 1 the tail of a queue's wait, exp(-(1-load)t), is nearly such a line, and around a half
// what many small parts add up to. The interval is that of the
// jackknife over runs, in ln(load), by Student's distribution of what Hall's transformation makes of their mean. It so holds
// the doubt about the slope, and that the fewer misses are seen the fewer of those that come together were. Where the fit has no root
// near the probes, as at a cliff that lies between two of them, the knee is between
// Met and Missed, which no confidence goes with. Of whole loads that are next to each other it is Met.
func (s *Searched) Knee() *Knee {
	knee := &Knee{Kind: KneeSearched, Target: s.Target, Basis: s.Basis, Rising: s.Rising, Runs: s.Runs, Requests: s.Requests}
	for _, p := range s.Probes {
		knee.WarmUp = max(knee.WarmUp, p.WarmUp)
	}
	value, low, high, ok := s.fitted()
	switch {
	case ok:
		value, low, high = s.possible(value), s.possible(low), s.possible(high)
		knee.Value, knee.Low, knee.High = value, &low, &high
	case s.Whole && s.Met > 0 && math.Abs(s.Missed-s.Met) == 1:
		knee.Value, knee.Low, knee.High = s.Met, &s.Met, &s.Met
	case s.Met > 0 && s.Missed > 0:
		knee.Kind, knee.Value, knee.Low, knee.High = KneeBracketed, s.possible(math.Sqrt(s.Met*s.Missed)), &s.Met, &s.Missed
	case s.Missed > 0:
		knee.Kind, knee.Value, knee.High = KneeBelow, s.Missed, &s.Missed
	case s.Met > 0:
		knee.Kind, knee.Value, knee.Low = KneeBeyond, s.Met, &s.Met
	default:
		return nil
	}
	if s.Rising && (knee.Low == nil || knee.High == nil || *knee.Low > *knee.High) { // what is harder is less
		knee.Low, knee.High = knee.High, knee.Low
	}
	return knee
}

// possible is the hardest load up to one that need not be possible: where loads are whole numbers.
func (s *Searched) possible(load float64) float64 {
	switch {
	case !s.Whole:
		return load
	case s.Rising:
		return math.Ceil(load)
	}
	return max(math.Floor(load), 1)
}

// alike is how far apart the ends of an interval of ln(load) are that holds rounding alone.
const alike = 1e-9

// fitted is the root of the fit, without its bias, with its 95 % interval; false where the probes do not
// bear one, or where it lies beyond a load that missed the target by saturating.
func (s *Searched) fitted() (value, low, high float64, ok bool) {
	pseudo, ok := s.pseudoValues()
	if !ok {
		return 0, 0, 0, false
	}
	value, low, high = unskewedInterval(pseudo)
	if high-low < alike { // as all replications are: what is left is the step of the search
		return 0, 0, 0, false
	}
	return math.Exp(value), math.Exp(low), math.Exp(high), true
}

// pseudoValues are the jackknife's of ln(knee), by probe and replication: the fit to all runs, and as many times as there are other
// runs at the load, and probes, what it changes by where one is left out. They are nearly independent, and their mean is the
// estimate with its bias removed to first order.
func (s *Searched) pseudoValues() (pseudo [][]float64, ok bool) {
	if len(s.Probes) < 2 {
		return nil, false
	}
	whole, ok := s.root(-1, -1)
	if !ok {
		return nil, false
	}
	for i := range s.Probes {
		n := len(s.Probes[i].Attained)
		var values []float64
		for r := range n {
			part, ok := s.root(i, r)
			if !ok {
				return nil, false
			}
			values = append(values, whole+float64(len(s.Probes)*(n-1))*(whole-part))
		}
		pseudo = append(pseudo, values)
	}
	return pseudo, len(pseudo[0]) >= 3
}

// root is ln(load) where the fit reaches the target, without one run of one
// probe; -1 leaves out none. It is false where misses do not rise (or, of a load that rises, fall) with the
// load, or the root lies further outside the probes than they are apart.
func (s *Searched) root(probe, without int) (float64, bool) {
	var x, y []float64
	for i := range s.Probes {
		left := -1
		if i == probe {
			left = without
		}
		x = append(x, math.Log(s.Probes[i].Load))
		y = append(y, logit(s.Probes[i].smoothed(left)))
	}
	a, b := stat.LinearRegression(x, y, nil, false)
	if s.Rising != (b > 0) || b == 0 || math.IsNaN(b) {
		return 0, false
	}
	root := (logit(s.Target) - a) / b
	first, last := slices.Min(x), slices.Max(x)
	return root, root > first-(last-first) && root < last+(last-first)
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }

// smoothed is the attainment over all runs but one, (k+½)/(n+1) where k of n requests
// met the objective: it has a logit even where all or none did.
func (p *Probe) smoothed(without int) float64 {
	k, n := 0.0, 0.0
	for r, share := range p.Attained {
		if r != without {
			k += share * float64(p.Counted)
			n += float64(p.Counted)
		}
	}
	return (k + 0.5) / (n + 1)
}

// meanInterval is the mean of independent values and the half width of its 95 %
// interval, by Student's distribution. Groups of them, of the same size, may differ in their means, and in how far values
// are from these: its degrees of freedom are Satterthwaite's (1946), the fewer the more one group's variance v is of all,
//
//	(Σ v)² / Σ v²/(n-1)
func meanInterval(groups [][]float64) (mean, half float64) {
	sum, squares := 0.0, 0.0
	for _, values := range groups {
		v := stat.Variance(values, nil)
		sum, squares = sum+v, squares+v*v/float64(len(values)-1)
	}
	all := slices.Concat(groups...)
	mean = stat.Mean(all, nil)
	if squares == 0 { // as where all values are the same
		return mean, 0
	}
	deviation := math.Sqrt(sum / float64(len(groups)*len(all)))
	return mean, deviation * distuv.StudentsT{Sigma: 1, Nu: sum * sum / squares}.Quantile(0.975)
}

// deviationsOf are those of values from the means of their groups.
func deviationsOf(groups [][]float64) []float64 {
	var deviations []float64
	for _, values := range groups {
		for _, x := range values {
			deviations = append(deviations, x-stat.Mean(values, nil))
		}
	}
	return deviations
}

// unskewedInterval is that of meanInterval where the values may be skewed, as those of rare misses
// are: there the deviation is small where the mean is, by chance. Of g, the values' skewness, and T = (mean - μ)/s,
//
//	T + g T²/3 + g² T³/27 + g/(6n)
//
// is nearly Student's over √n (Hall, On the removal of skewness by transformation, 1992).
func unskewedInterval(groups [][]float64) (mean, low, high float64) {
	mean, half := meanInterval(groups)
	deviations := deviationsOf(groups)
	s, g, n := stat.StdDev(deviations, nil), stat.Skew(deviations, nil), float64(len(deviations))
	if !(math.Abs(g)*half > 1e-6*s) { // as where all values are the same, of which g is NaN
		return mean, mean - half, mean + half
	}
	inverse := func(y float64) float64 { return 3 / g * (math.Cbrt(1+g*(y-g/(6*n))) - 1) }
	return mean, mean - s*inverse(half/s), mean - s*inverse(-half/s)
}
