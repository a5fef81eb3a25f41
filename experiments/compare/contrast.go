package compare

import (
	"encoding/json"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"kneepoint/sim/metrics"
)

// Interval is a value with its 95 % interval; an end that is not known is NaN, or null in JSON.
type Interval struct{ Value, Low, High float64 }

// MarshalJSON writes {"value": …, "low": …, "high": …}.
func (i Interval) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Value *float64 `json:"value"`
		Low   *float64 `json:"low"`
		High  *float64 `json:"high"`
	}{finite(i.Value), finite(i.Low), finite(i.High)})
}

// finite is a number that JSON can have; nil for another.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// evidence is what simulations say of how B differs from A.
type evidence interface {
	// against is by how many standard errors B exceeds r times A, and the degrees of freedom of Student's law
	// that this follows where B is r times A; NaN where nothing tells how precise the means are.
	against(r float64) (t, df float64)
	difference() metrics.Estimate // B - A
	ratio() Interval              // B / A
}

// moments are the means of a metric on both sides, with what is known of their precision.
type moments struct {
	a, b    float64
	va, vb  float64 // variances of the means; NaN: not known
	cov     float64 // their covariance; 0 where they are not paired
	na, nb  int
	matched bool // by replication
}

// fewest is the number of replications that an interval takes.
const fewest = 3

// pairedMoments are those of values by replication: of equal index are those that served the same requests.
func pairedMoments(a, b []float64) moments {
	n := float64(len(a))
	m := unpairedMoments(a, b)
	m.matched, m.cov = true, stat.Covariance(a, b, nil)/n
	return m
}

// unpairedMoments are those of independent values.
func unpairedMoments(a, b []float64) moments {
	m := moments{na: len(a), nb: len(b)}
	m.a, m.va = meanVariance(a)
	m.b, m.vb = meanVariance(b)
	return m
}

// meanVariance is a mean, and the variance of it as an estimate.
func meanVariance(values []float64) (mean, variance float64) {
	mean, variance = stat.MeanVariance(values, nil)
	if len(values) < fewest {
		return mean, math.NaN()
	}
	return mean, variance / float64(len(values))
}

// estimatedMoments are those of independent estimates, each half = t(0.975, n-1) standard errors.
func estimatedMoments(a, b metrics.Estimate) moments {
	variance := func(e metrics.Estimate) float64 {
		if e.N < fewest {
			return math.NaN()
		}
		se := e.Half / quantile(float64(e.N-1))
		return se * se
	}
	return moments{a: a.Mean, b: b.Mean, va: variance(a), vb: variance(b), na: a.N, nb: b.N}
}

// unknownPrecision is the same means without anything to tell how precise they are.
func (m moments) unknownPrecision() moments {
	m.va, m.vb, m.cov = math.NaN(), math.NaN(), math.NaN()
	return m
}

// quantile is that of Student's law at 0.975.
func quantile(df float64) float64 { return student(df).Quantile(0.975) }

func student(df float64) distuv.StudentsT { return distuv.StudentsT{Sigma: 1, Nu: df} }

// negligible is the relative difference that rounding may leave between what is equal.
const negligible = 1e-9

// against tests b - r·a, of variance vb - 2r·cov + r²·va: Student's test of pairs, or that of Welch.
func (m moments) against(r float64) (t, df float64) {
	gap, variance := m.b-r*m.a, m.variance(r)
	switch {
	case math.IsNaN(variance):
		return math.NaN(), math.NaN()
	case math.Abs(gap) <= negligible*(math.Abs(m.b)+math.Abs(r*m.a)):
		t = 0
	case variance <= 0:
		t = math.Copysign(math.Inf(1), gap)
	default:
		t = gap / math.Sqrt(variance)
	}
	return t, m.freedom(r)
}

// variance is that of b - r·a.
func (m moments) variance(r float64) float64 { return m.vb - 2*r*m.cov + r*r*m.va }

// freedom is the degrees of freedom of that variance: n-1 of pairs, and else those of Welch and Satterthwaite,
//
//	(vb + r²·va)² / (vb²/(nb-1) + r⁴·va²/(na-1))
func (m moments) freedom(r float64) float64 {
	if m.matched {
		return float64(m.na - 1)
	}
	va := r * r * m.va
	if va+m.vb == 0 {
		return float64(m.na + m.nb - 2)
	}
	return (m.vb + va) * (m.vb + va) / (m.vb*m.vb/float64(m.nb-1) + va*va/float64(m.na-1))
}

// difference is that of the means.
func (m moments) difference() metrics.Estimate {
	e := metrics.Estimate{Mean: m.b - m.a, Half: math.NaN(), N: min(m.na, m.nb)}
	if variance := m.variance(1); !math.IsNaN(variance) {
		e.Half = quantile(m.freedom(1)) * math.Sqrt(max(variance, 0))
	}
	if t, _ := m.against(1); t == 0 {
		e.Mean = 0
	}
	return e
}

// ratio is that of the means, with Fieller's interval: all r with |b - r·a| up to t(0.975) standard errors. With
// t and the degrees of freedom those at r = b/a, these are between the roots of
//
//	r²(a² - t²·va) - 2r(ab - t²·cov) + b² - t²·vb = 0
//
// unless the interval of a holds 0: then it has no end. (Fieller 1954, "Some problems in interval estimation".)
func (m moments) ratio() Interval {
	none := math.NaN()
	if m.a == 0 {
		return Interval{none, none, none}
	}
	r := m.b / m.a
	i := Interval{r, none, none}
	if math.IsNaN(m.variance(r)) {
		return i
	}
	t := quantile(m.freedom(r))
	square := m.a*m.a - t*t*m.va
	if square <= 0 {
		return i
	}
	middle := (m.a*m.b - t*t*m.cov) / square
	half := math.Sqrt(max(middle*middle-(m.b*m.b-t*t*m.vb)/square, 0))
	i.Low, i.High = max(min(middle-half, r), 0), max(middle+half, r) // no metric is negative
	return i
}

// logRatio is an estimate of ln(B / A).
type logRatio struct {
	a, b float64
	half float64 // of the 95 % interval of the logarithm; NaN: not known
	df   float64
}

func (l logRatio) against(r float64) (t, df float64) {
	gap := math.Log(l.b / l.a / r)
	switch {
	case math.IsNaN(l.half):
		return math.NaN(), math.NaN()
	case math.Abs(gap) <= negligible:
		return 0, l.df
	}
	return gap / (l.half / quantile(l.df)), l.df
}

func (l logRatio) difference() metrics.Estimate {
	return metrics.Estimate{Mean: l.b - l.a, Half: math.NaN()}
}

func (l logRatio) ratio() Interval {
	r := l.b / l.a
	return Interval{r, r * math.Exp(-l.half), r * math.Exp(l.half)}
}
