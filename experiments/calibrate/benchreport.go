package calibrate

import (
	"fmt"
	"strings"

	"kneepoint/hardware"
)

// unseen is the spread of a constant, in scales, from which the benchmarks are
// said not to show it.
const unseenSpread = 0.5

// describe fills in the constants and what is doubtful about the fit; spread is
// how uncertain the constants are.
func (f *BenchFit) describe(start *hardware.Engine, spread []float64) {
	for i, p := range f.moved {
		if spread[i] > unseenSpread {
			f.Warnings = append(f.Warnings, p.key+" hardly shows in these results: it stays near where it was")
		}
		f.Constants = append(f.Constants, Constant{p.key, fmt.Sprint(p.text(p.get(start))), fmt.Sprint(p.text(p.get(&f.Engine)))})
		if end := p.endOfRange(&f.Engine); end != "" && p.get(&f.Engine) != p.get(start) {
			f.Warnings = append(f.Warnings, end)
		}
	}
	before, after := f.Errors(true)
	if after.N > 0 && after.Median > before.Median {
		f.Warnings = append(
			f.Warnings,
			fmt.Sprintf("what was held out is predicted no better than by %s: the constants that were fitted may not be what differs", start.Name),
		)
	}
}

// Errors are those of the rows that were held out, or of the others, before
// and after the fit.
func (f *BenchFit) Errors(holdout bool) (before, after Errors) {
	var b, a []float64
	for _, row := range f.Rows {
		if row.Holdout == holdout {
			b = append(b, row.Before/row.Measured-1)
			a = append(a, row.After/row.Measured-1)
		}
	}
	return summarize(b), summarize(a)
}

// Profile is the fitted engine profile, as a file that hardware.engine takes;
// source names the measurements in its comments.
func (f *BenchFit) Profile(source string) (string, error) {
	var b strings.Builder
	d := &f.Deployment
	fmt.Fprintf(&b, "%s from %s.\n", Marker, oneLine(source))
	fmt.Fprintf(&b, "# Deployment: %s on %d x %s, started from %s.\n", oneLine(d.Model), d.TP, oneLine(d.Accelerator), oneLine(d.Engine))
	for _, holdout := range []bool{false, true} {
		what := map[bool]string{false: "fitted to", true: "held out"}[holdout]
		if before, after := f.Errors(holdout); after.N > 0 {
			fmt.Fprintf(&b, "# %d medians %s: %s (before: %s).\n", after.N, what, after, before)
		}
	}
	for _, w := range f.Warnings {
		fmt.Fprintf(&b, "# Note: %s.\n", w)
	}
	table, err := f.base.textWith(f.moved, &f.Engine)
	if err != nil {
		return "", err
	}
	text := b.String() + "\n" + table
	if _, err := hardware.ParseEngine(text, "calibrated"); err != nil {
		return "", fmt.Errorf("the fitted profile is not one: %w", err)
	}
	return text, nil
}
