package plots

import (
	"slices"
	"strings"

	"kneepoint/experiments/results"
)

// separator is written between the parts of a subtitle.
const separator = " · "

// subtitle is what is shown and of what: metric · model · accelerator ·
// workload, and the values of variables that were not swept any further, or that all curves share.
func subtitle(res *results.Results, what string) string {
	parts := []string{what, modelName(res), acceleratorName(res), workloadName(res), arrivals(res)}
	if len(res.Sweep) > 0 {
		if s, curves := newSweep(res); !curves && len(res.Series) > 0 && len(res.Series[0].Points) > 0 {
			parts = append(parts, s.name()+" "+valueName(res.Series[0].Points[0].Value)+" "+s.variable.Unit)
		}
	}
	parts = append(parts, sharedValues(res)...)
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return joinWith(separator, parts...)
}

// modelName is the model's name, with the precision of its weights where that is
// named; nothing when it differs between the series.
func modelName(res *results.Results) string {
	name, weights := res.Facts.Model, res.Facts.Weights
	if varies(res, "model.name", func(d *results.Deployment) string { return d.Model }) {
		return ""
	}
	if name != "" && weights != "" && !varies(res, "model.weights", func(d *results.Deployment) string { return d.Weights }) {
		name += ", " + weights
	}
	return name
}

// acceleratorName is the accelerator with its number where that is not one;
// nothing when the accelerator differs between the series.
func acceleratorName(res *results.Results) string {
	name := res.Facts.Accelerator
	if name == "" || varies(res, "hardware.accelerator", func(d *results.Deployment) string { return d.Accelerator }) {
		return ""
	}
	count := 1
	for _, factor := range []struct {
		path string
		of   func(*results.Deployment) int
	}{
		{"hardware.tp", func(d *results.Deployment) int { return d.TP }},
		{"hardware.pp", func(d *results.Deployment) int { return d.PP }},
		{"hardware.replicas", func(d *results.Deployment) int { return d.Replicas }},
	} {
		if varies(res, factor.path, factor.of) {
			return name
		}
		n := factor.of(&res.Facts.Deployment)
		if n == 0 {
			return name
		}
		count *= n
	}
	if count == 1 || res.Facts.DP > 1 {
		return name
	}
	return exact(float64(count)) + " × " + name
}

// varies says whether a key is swept, or set differently by a strategy.
func varies[T comparable](res *results.Results, path string, of func(*results.Deployment) T) bool {
	base := of(&res.Facts.Deployment)
	return isSwept(res, path) || slices.ContainsFunc(res.Facts.Strategies, func(d results.Deployment) bool { return of(&d) != base })
}

// isSwept says whether a key is swept, of all strategies or of one.
func isSwept(res *results.Results, path string) bool {
	return slices.ContainsFunc(res.Sweep, func(a results.Axis) bool { return strings.HasSuffix(a.Path, path) })
}
