package plots

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"kneepoint/experiments/results"
)

// selected is the results that a figure shows: the strategies and values of its filter,
// as curves over the variable of its x axis, each by strategy or by class of requests, with
// rates per accelerator, dollar or watt where it asks for that.
func selected(res *results.Results, spec *results.PlotSpec) *results.Results {
	kept := *res
	kept.Series = nil
	for _, s := range res.Series {
		if !allowed(spec.Filter[results.ByStrategy], results.ValueOf(s.Strategy)) {
			continue
		}
		one := s
		one.Points = nil
		for _, p := range s.Points {
			if allowedAt(res, spec, &s, &p) {
				one.Points = append(one.Points, divided(p, spec.Per))
			}
		}
		if len(one.Points) > 0 {
			kept.Series = append(kept.Series, one)
		}
	}
	if i := axisOf(res, spec.X); i > 0 {
		along(&kept, res, i)
	}
	switch i := axisOf(res, spec.By); {
	case spec.By == results.ByClass:
		kept.Series = byClass(kept.Series)
	case i >= 0:
		named(&kept, res.Sweep[i])
	}
	leaveOut(kept.Series, sharedValues(&kept))
	return &kept
}

// sharedValues are the names and values of the swept variables but the first of which the curves of a figure have one
// value of several: "size 64".
func sharedValues(res *results.Results) []string {
	var shared []string
	for i := range res.Sweep {
		a := &res.Sweep[i]
		if i == 0 || len(a.Values) < 2 || len(res.Series) == 0 {
			continue
		}
		v, fixed := res.Series[0].Fixed[a.Path]
		differs := func(s results.Series) bool { other, fixed := s.Fixed[a.Path]; return !fixed || !v.Same(other) }
		if fixed && !slices.ContainsFunc(res.Series, differs) {
			shared = append(shared, cmp.Or(a.Label, a.Path)+" "+v.String())
		}
	}
	return shared
}

// leaveOut takes values out of the names of curves, which are in the subtitle.
func leaveOut(series []results.Series, values []string) {
	for i := range series {
		for _, text := range values {
			series[i].Label = strings.Replace(series[i].Label, ", "+text, "", 1)
		}
	}
}

// allowed tells whether a value is one of a filter's; without any, all are.
func allowed(filter []results.Value, v results.Value) bool {
	return len(filter) == 0 || slices.ContainsFunc(filter, v.Same)
}

// allowedAt tells whether the values of all swept variables at a point are in the filter. A
// key of another strategy is none of a curve's.
func allowedAt(res *results.Results, spec *results.PlotSpec, s *results.Series, p *results.Point) bool {
	if len(spec.Filter) == 0 {
		return true
	}
	setting := res.SettingOf(s, p)
	return !slices.ContainsFunc(res.Sweep, func(a results.Axis) bool {
		return res.Concerns(a, s.Strategy) && !allowed(spec.Filter[a.Path], setting[a.Path])
	})
}

// axisOf is which of the swept variables a path is; -1 where it is none.
func axisOf(res *results.Results, path string) int {
	return slices.IndexFunc(res.Sweep, func(a results.Axis) bool { return a.Path == path })
}

// along arranges the points as curves over another swept variable than the first one, at
// fixed values of the others. A knee is one of the first variable, so there are none.
func along(kept, res *results.Results, axis int) {
	x := res.Sweep[axis]
	others := slices.Delete(slices.Clone(res.Sweep), axis, axis+1)
	var all []results.Series
	for i := range kept.Series {
		s := &kept.Series[i]
		for _, p := range s.Points {
			setting := maps.Clone(res.SettingOf(s, &p))
			p.Value = setting[x.Path]
			delete(setting, x.Path)
			label := labelAt(s.Strategy, others, setting)
			k := slices.IndexFunc(all, func(c results.Series) bool { return c.Label == label })
			if k < 0 {
				k = len(all)
				all = append(all, results.Series{Strategy: s.Strategy, Fixed: setting, Label: label})
			}
			all[k].Points = append(all[k].Points, p)
		}
	}
	kept.Series = all
	kept.Sweep = append([]results.Axis{x}, others...)
}

// labelAt names a curve: the strategy and the fixed values of the other variables.
func labelAt(strategy string, axes []results.Axis, fixed results.Setting) string {
	parts := []string{strategy}
	for _, a := range axes {
		parts = append(parts, cmp.Or(a.Label, a.Path)+" "+fixed[a.Path].String())
	}
	return strings.Join(parts, ", ")
}

// named names curves by their values of a variable alone, where that tells them apart.
func named(kept *results.Results, axis results.Axis) {
	labels := map[string]bool{}
	all := slices.Clone(kept.Series)
	for i := range all {
		all[i].Label = cmp.Or(axis.Label, axis.Path) + " " + all[i].Fixed[axis.Path].String()
		labels[all[i].Label] = true
	}
	if len(labels) == len(all) {
		kept.Series = all
	}
}

// byClass makes a curve of every class of requests of every strategy.
func byClass(series []results.Series) []results.Series {
	var all []results.Series
	for _, s := range series {
		for class := range s.Points[0].Clients {
			name := s.Points[0].Clients[class].Name
			one := results.Series{Strategy: s.Strategy, Fixed: s.Fixed, Label: seriesName(s) + ", " + name}
			if len(series) == 1 {
				one.Label = name
			}
			for _, p := range s.Points {
				one.Points = append(one.Points, p.OfClass(class))
			}
			all = append(all, one)
		}
	}
	return all
}
