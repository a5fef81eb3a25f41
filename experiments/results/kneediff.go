package results

import (
	"maps"
	"math"

	"kneepoint/sim/metrics"
)

// KneeDifference compares the knee of a curve with that of the first strategy at the same
// fixed values.
type KneeDifference struct {
	Strategy string  `json:"strategy"`
	Baseline string  `json:"baseline"`
	Fixed    Setting `json:"fixed,omitempty"`

	// Relative is (knee - baseline) / baseline with its 95 % interval, where both were
	// searched; else it has none.
	Relative metrics.Estimate `json:"relative"`
	// Distinguishable tells whether the knees are known to differ: the paired interval
	// excludes zero, or the knees' own do not overlap where they cannot be paired.
	Distinguishable bool `json:"distinguishable"`
}

// kneeDifferences compares the knees of all curves with those of the first strategy. A
// knee of largest throughput / latency is a swept point and has no interval to compare.
func (p *Plan) kneeDifferences(all []Series) []KneeDifference {
	var found []KneeDifference
	for i := range all {
		for j := range all {
			s, base := &all[i], &all[j]
			if !p.isBaseline(base, s) || !s.Knee.Bounded() || !base.Knee.Bounded() {
				continue
			}
			relative, apart := p.CompareKnees(s, base)
			found = append(found, KneeDifference{Strategy: s.Strategy, Baseline: base.Strategy, Fixed: union(s.Fixed, base.Fixed),
				Relative: relative, Distinguishable: apart})
		}
	}
	return found
}

// isBaseline tells whether a curve of another strategy is to be compared with one of the
// first: they agree in all values that are fixed for both.
func (p *Plan) isBaseline(base, s *Series) bool {
	if s.Strategy == p.Strategies[0] || base.Strategy != p.Strategies[0] {
		return false
	}
	return SameFixed(s, base)
}

// SameFixed tells whether two curves agree in all values that are fixed for both.
func SameFixed(s, base *Series) bool {
	for path, v := range s.Fixed {
		if other, both := base.Fixed[path]; both && !v.Same(other) {
			return false
		}
	}
	return true
}

// union is what is fixed for either of two curves; nil for nothing.
func union(a, b Setting) Setting {
	if len(a)+len(b) == 0 {
		return nil
	}
	all := Setting{}
	maps.Copy(all, a)
	maps.Copy(all, b)
	return all
}

// Bounded tells whether anything is known of where the knee lies.
func (k *Knee) Bounded() bool { return k != nil && (k.Low != nil || k.High != nil) }

// CompareKnees is that of two curves of the plan.
func (p *Plan) CompareKnees(s, base *Series) (relative metrics.Estimate, apart bool) {
	return CompareKnees(s, base, p.SearchOf(s), p.SearchOf(base))
}

// CompareKnees is the relative difference of a knee from another one, and whether they
// are known to differ. Searched ones are paired by replication, of which both served the
// same requests: the interval is that of the differences of their pseudo-values, which
// are of ln(knee). Searches that ended with other replications are independent. Knees
// without intervals differ where their bounds have at most an end in common. The searches may be nil.
func CompareKnees(s, base *Series, search, baseSearch *Searched) (relative metrics.Estimate, apart bool) {
	ratio := s.Knee.Value / base.Knee.Value
	relative = metrics.Estimate{Mean: ratio - 1, Half: math.NaN()}
	if s.Knee.Kind != KneeSearched || base.Knee.Kind != KneeSearched {
		return relative, before(s.Knee, base.Knee) || before(base.Knee, s.Knee)
	}
	half := math.Hypot(s.Knee.logHalf(), base.Knee.logHalf())
	if differences := pairedPseudoValues(search, baseSearch); len(differences) > 0 && len(differences[0]) >= 3 {
		relative.N = len(differences[0])
		_, half = meanInterval(differences)
	}
	relative.Half = ratio * half // to first order
	return relative, math.Abs(math.Log(ratio)) > half
}

// logHalf is half the interval of a searched knee, of its logarithm.
func (k *Knee) logHalf() float64 { return math.Log(*k.High / *k.Low) / 2 }

// pairedPseudoValues are the differences between two searches' pseudo-values, by probe, of the
// replications that both have there.
func pairedPseudoValues(a, b *Searched) [][]float64 {
	if a == nil || b == nil {
		return nil
	}
	of, okA := a.pseudoValues()
	over, okB := b.pseudoValues()
	if !okA || !okB || len(of) != len(over) {
		return nil
	}
	differences := make([][]float64, len(of))
	for probe := range of {
		for i := range of[probe] {
			if j := i + a.Probes[probe].First - b.Probes[probe].First; j >= 0 && j < len(over[probe]) {
				differences[probe] = append(differences[probe], of[probe][i]-over[probe][j])
			}
		}
	}
	return differences
}

// before tells whether one knee lies below another one, by their intervals.
func before(k, other *Knee) bool {
	return k.High != nil && other.Low != nil && *k.High <= *other.Low
}
