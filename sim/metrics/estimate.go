package metrics

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Estimate is a metric over the replications of one point: the mean, and the
// half width of its 95 % confidence interval, which is null (NaN) with fewer
// than three replications.
type Estimate struct {
	Mean float64 // NaN when no replication has a value
	Half float64
	N    int // replications that have a value
}

// NewEstimate summarises one value per replication. Replications in which the
// metric has no value (NaN) are left out. With n values of standard deviation s
// (n-1 degrees of freedom) the interval is
//
//	mean ± t(0.975, n-1) · s / √n
func NewEstimate(values []float64) Estimate {
	kept := make([]float64, 0, len(values))
	for _, v := range values {
		if !math.IsNaN(v) {
			kept = append(kept, v)
		}
	}
	e := Estimate{Mean: math.NaN(), Half: math.NaN(), N: len(kept)}
	if e.N == 0 {
		return e
	}
	mean, std := stat.MeanStdDev(kept, nil)
	e.Mean = mean
	if e.N >= 3 {
		e.Half = student(e.N-1) * std / math.Sqrt(float64(e.N))
	}
	return e
}

// students are quantiles that were asked for before, by degrees of freedom: an experiment has a few numbers of
// replications and thousands of estimates, and a quantile is found by iteration.
var students sync.Map

// student is t(0.975, df).
func student(df int) float64 {
	if known, ok := students.Load(df); ok {
		return known.(float64)
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(df)}.Quantile(0.975)
	students.Store(df, t)
	return t
}

// Low returns the lower end of the interval.
func (e Estimate) Low() float64 { return e.Mean - e.Half }

// High returns the upper end of the interval.
func (e Estimate) High() float64 { return e.Mean + e.Half }
