package sim

import (
	"math"
	"sync"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"kneepoint/internal/effort"
	"kneepoint/sim/metrics"
)

// Degenerate configurations are queues with a closed form. The rule: over 20
// replications with fixed seeds, the simulated mean differs from theory plus the
// stated residual of discretisation by at most 4 standard errors, and by at
// most 2 %. With fewer replications, as by default, both bands are as much wider
// as makes them equally unlikely to be left: see bands.
const (
	replications       = 20
	usualReplications  = 10
	fewestReplications = 4
	standardErrors     = 4
	tolerance          = 0.02
)

// bands are how many standard errors a mean over n replications may be off, and
// by which factor more than the tolerance. A standard error that is itself
// estimated from few values follows Student's distribution.
func bands(n int) (errors, factor float64) {
	student := func(n int) distuv.StudentsT { return distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)} }
	return student(n).Quantile(student(replications).CDF(standardErrors)), math.Sqrt(max(1, float64(replications)/float64(n)))
}

// estimate is a value per replication.
type estimate []float64

func (e estimate) check(t *testing.T, what string, theory float64) {
	t.Helper()
	e.within(t, tolerance, what, theory)
}

// within is check with a tolerance of its own.
func (e estimate) within(t *testing.T, tolerance float64, what string, theory float64) {
	t.Helper()
	e.against(t, tolerance, what, known{theory, 0})
}

// known is what a mean should be, with its standard error where that was simulated, too.
type known struct{ mean, se float64 }

// against is within of a mean that is known up to its standard error.
func (e estimate) against(t *testing.T, tolerance float64, what string, theory known) {
	t.Helper()
	mean, std := stat.MeanStdDev(e, nil)
	se := math.Hypot(std/math.Sqrt(float64(len(e))), theory.se)
	errors, factor := bands(len(e))
	t.Logf("%-28s simulated %.6g ± %.2g, theory %.6g (%+.2f %%)", what, mean, se, theory.mean, 100*(mean-theory.mean)/theory.mean)
	if off := math.Abs(mean - theory.mean); off > errors*se || off > factor*tolerance*theory.mean+standardErrors*theory.se {
		t.Errorf("%s: simulated %v, theory %v: off by %.1f standard errors and %.2f %%", what, mean, theory.mean, off/se, 100*off/theory.mean)
	}
}

// replicate evaluates f over replications of s.
func (s setup) replicate(t *testing.T, f func(*metrics.Record) float64) estimate {
	t.Helper()
	return s.replicateAll(t, f)[0]
}

// replicateAll evaluates several functions of the same replications.
func (s setup) replicateAll(t *testing.T, functions ...func(*metrics.Record) float64) []estimate {
	t.Helper()
	n := max(fewestReplications, effort.Times(t, usualReplications))
	return replicateAll(t, n, func(r int) *metrics.Record { return s.run(t, 1, r) }, functions...)
}

// replicateAll evaluates several functions of n replications of a run, two at a time.
func replicateAll(t *testing.T, n int, run func(replication int) *metrics.Record, functions ...func(*metrics.Record) float64) []estimate {
	t.Helper()
	all := make([]estimate, len(functions))
	for i := range all {
		all[i] = make(estimate, n)
	}
	var halves sync.WaitGroup
	for half := range 2 {
		halves.Go(func() {
			for r := half; r < n; r += 2 {
				rec := run(r)
				for i, f := range functions {
					all[i][r] = f(rec)
				}
			}
		})
	}
	halves.Wait()
	return all
}
