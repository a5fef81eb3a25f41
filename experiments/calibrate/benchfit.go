package calibrate

import (
	"context"
	"fmt"
	"math"

	"kneepoint/hardware"
	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
)

// BenchOptions say how a fit to benchmarks is made.
type BenchOptions struct {
	Holdout    float64  // share of the benchmarks, 0 to 0.5, that is kept out of the fit
	Parameters []string // keys; empty: all of ParameterKeys
	Workers    int      // simulations at a time; 0: one per core; the fit does not depend on it

	// Progress is called when a simulation ends, one call at a time; total is the
	// most that there can be.
	Progress func(done, total int)
}

// BenchFit is the outcome of a fit to benchmarks.
type BenchFit struct {
	Deployment Deployment
	Engine     hardware.Engine // as fitted
	Constants  []Constant
	Rows       []BenchRow
	Warnings   []string

	moved []parameter
	base  profile
}

// Constant is a constant of the profile, before and after, as a profile has it.
type Constant struct{ Key, Before, After string }

// BenchRow is one measured number with its predictions, in milliseconds.
type BenchRow struct {
	Name                    string // of the benchmark
	Metric                  string
	Holdout                 bool
	Measured, Before, After float64 // Before with the starting profile, After with the fitted one
}

// FitBench moves constants of an engine profile until simulations meet the
// medians of TTFT, TPOT and E2EL that benchmarks measured. The share holdout of
// the benchmarks is kept out of it.
//
// It minimises a robust loss of the logarithms of predicted over measured, and
// stays near the starting profile, as if the constants of a profile were known
// to their scale and measurements to 3 %. Fewer benchmarks than constants and
// two are a *badinput.Error.
func FitBench(ctx context.Context, benches []Bench, d Deployment, o BenchOptions) (*BenchFit, error) {
	if err := checkHoldout(o.Holdout); err != nil {
		return nil, err
	}
	if err := d.checkSet(); err != nil {
		return nil, err
	}
	moved, err := lookupParameters(o.Parameters)
	if err != nil {
		return nil, err
	}
	held := heldOut(len(benches), o.Holdout)
	training := benchIndices(held, false)
	if len(training) < len(moved)+2 {
		return nil, tooFewBenches(len(training), len(moved))
	}
	if err := d.resolve(benches); err != nil {
		return nil, err
	}
	base, start, err := baseProfile(d.Engine)
	if err != nil {
		return nil, err
	}
	s, err := newSimulator(benches, d, o.Workers)
	if err != nil {
		return nil, err
	}
	f := &fitter{simulator: s, base: base, moved: moved, start: start, training: training, held: held}
	s.progress = f.progressOfTotal(o.Progress)
	return f.fit(ctx)
}

// benchIndices are the indices of the benchmarks that are held out (which), or of the
// others.
func benchIndices(held []bool, which bool) []int {
	var list []int
	for i, h := range held {
		if h == which {
			list = append(list, i)
		}
	}
	return list
}

// tooFewBenches is the error of a fit that could reproduce any measurement.
func tooFewBenches(benches, constants int) error {
	e := &badinput.Error{Problem: fmt.Sprintf("%d results are too few to fit %d constants to", benches, constants),
		Allowed: fmt.Sprintf("at least %d results besides those held out", constants+2)}
	if benches > 2 {
		e.Allowed += fmt.Sprintf(", or --fit with %d of the constants", benches-2)
	}
	return e
}

// fitter is a fit under way.
type fitter struct {
	*simulator
	base     profile
	moved    []parameter
	start    hardware.Engine // that the fit starts from
	training []int           // indices of the benchmarks that are fitted
	held     []bool          // by benchmark: held out
}

// progressOfTotal passes the number of simulations on, with the most that there can be:
// probes to both sides and a try in each round, and all benchmarks before and after.
func (f *fitter) progressOfTotal(progress func(done, total int)) func(int) {
	total := len(f.training)*(1+rounds*(2*len(f.moved)+1)) + 2*len(f.benches)
	return func(done int) {
		if progress != nil {
			progress(done, max(done, total))
		}
	}
}

// fit simulates all benchmarks before and after, and in between finds the constants.
// They are rounded before the last simulations, so that errors are those of the profile
// as it is written.
func (f *fitter) fit(ctx context.Context) (*BenchFit, error) {
	everything := make([]int, len(f.benches))
	for i := range everything {
		everything[i] = i
	}
	before, err := f.run(ctx, []hardware.Engine{f.start}, everything)
	if err != nil {
		return nil, err
	}
	for i, m := range before[0] {
		if m[metrics.CompletedRequests] == 0 {
			return nil, &badinput.Error{
				File:    f.benches[i].Name,
				Problem: "none of its requests can be served by this deployment",
				Allowed: "the deployment that was measured",
			}
		}
	}
	p := problem{low: make(shift, len(f.moved)), high: make(shift, len(f.moved)), residuals: f.residuals}
	for j := range f.moved {
		p.low[j], p.high[j] = f.moved[j].bounds(&f.start)
	}
	found, err := p.descend(ctx)
	if err != nil {
		return nil, err
	}
	fitted := rounded(shiftedEngine(f.start, f.moved, found.at), f.moved)
	after, err := f.run(ctx, []hardware.Engine{fitted}, everything)
	if err != nil {
		return nil, err
	}
	fit := &BenchFit{Deployment: f.deployment, Engine: fitted, moved: f.moved, base: f.base}
	fit.Rows = f.rows(before[0], after[0])
	fit.describe(&f.start, found.spread())
	return fit, nil
}

// residuals are ln(predicted/measured) of the training benchmarks, for each of several
// shifts: these are simulated together, on all workers.
func (f *fitter) residuals(ctx context.Context, at []shift) ([][]float64, error) {
	engines := make([]hardware.Engine, len(at))
	for i := range at {
		engines[i] = shiftedEngine(f.start, f.moved, at[i])
	}
	results, err := f.run(ctx, engines, f.training)
	if err != nil {
		return nil, err
	}
	all := make([][]float64, len(at))
	for i := range results {
		for k, number := range f.training {
			all[i] = append(all[i], logRatios(results[i][k], f.benches[number].Measured)...)
		}
	}
	return all, nil
}

// mostLogRatio bounds a residual, and is that of a number that a simulation does not
// have: a fit should move away from there, and not be ruled by it.
const mostLogRatio = 3

// logRatios are ln(predicted/measured) of the metrics that were measured.
func logRatios(predicted metrics.Values, measured map[string]float64) []float64 {
	var list []float64
	for _, key := range Metrics {
		x, given := measured[key]
		if !given {
			continue
		}
		ratio := math.Log(predicted[key] / x)
		if math.IsNaN(ratio) || math.Abs(ratio) > mostLogRatio {
			ratio = math.Copysign(mostLogRatio, ratio)
		}
		list = append(list, ratio)
	}
	return list
}

// rows pairs measurements and predictions.
func (f *fitter) rows(before, after []metrics.Values) []BenchRow {
	var rows []BenchRow
	for i := range f.benches {
		b := &f.benches[i]
		for _, key := range Metrics {
			if x, given := b.Measured[key]; given {
				rows = append(rows, BenchRow{Name: b.Name, Metric: key, Holdout: f.held[i], Measured: x, Before: before[i][key], After: after[i][key]})
			}
		}
	}
	return rows
}
