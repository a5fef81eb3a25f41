package experiments

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/experiments/scenario"
	"kneepoint/units/badinput"
)

// mostPlots is how many figures a file may ask for: nobody looks at more.
const mostPlots = 200

// checkPlots fills in what figures leave out, and refuses those of what the experiment
// does not have, those that ask for the same thing, and those with the same name: a run of
// hours should not end without its figures.
func (e *Experiment) checkPlots() error {
	if n := len(e.Spec.Plots); n > mostPlots {
		return &badinput.Error{Key: "plot", Problem: fmt.Sprintf("%d figures are too many", n), Allowed: fmt.Sprintf("at most %d", mostPlots)}
	}
	asked, names := map[string]int{}, map[string]bool{}
	for i := range e.Spec.Plots {
		s := &e.Spec.Plots[i]
		if err := e.checkPlot(s); err != nil {
			return badinput.Under(fmt.Sprintf("plot[%d]", i), err)
		}
		what := e.askedFor(s)
		if first, twice := asked[what]; twice {
			return &badinput.Error{Key: fmt.Sprintf("plot[%d]", i), Problem: fmt.Sprintf("asks for the same figure as plot[%d]", first),
				Allowed: "another metric, variable, filter or size"}
		}
		asked[what] = i
		if s.File == "" {
			continue
		}
		if name := fileKey(s); names[name] {
			return &badinput.Error{Key: fmt.Sprintf("plot[%d].file", i), Value: s.File, Problem: "another figure has this name",
				Allowed: "names that differ in more than their ending or the case of letters"}
		} else {
			names[name] = true
		}
	}
	e.namePlots(names)
	return nil
}

// fileKey is the same for names of which one would overwrite the other's files, on some
// systems.
func fileKey(s *PlotSpec) string {
	p := results.PlotSpec{File: s.File}
	name, _ := p.Name()
	return strings.ToLower(name)
}

// namePlots names the figures that have no name after what they show, with a number where
// that name is taken.
func (e *Experiment) namePlots(taken map[string]bool) {
	for i := range e.Spec.Plots {
		s := &e.Spec.Plots[i]
		if s.File != "" {
			continue
		}
		name := s.Kind
		if s.Metric != "" {
			name += "-" + s.Metric
		}
		if s.Kind == results.PlotTradeoff {
			name += "-vs-" + s.X
		}
		if s.Per != "" {
			name += "-per-" + s.Per
		}
		s.File = name
		for n := 2; taken[fileKey(s)]; n++ {
			s.File = fmt.Sprintf("%s-%d", name, n)
		}
		taken[fileKey(s)] = true
	}
}

// askedFor is the same for figures that show the same, whatever they are called.
func (e *Experiment) askedFor(s *PlotSpec) string {
	p := e.plotted(s)
	p.File = ""
	if p.Size == "" {
		p.Size = results.PageSize
	}
	text, _ := json.Marshal(p)
	return string(text)
}

// plotted is the table as results have it: values are those of the sweep, in its order,
// and a filter that keeps all of a variable is none.
func (e *Experiment) plotted(s *PlotSpec) results.PlotSpec {
	p := results.PlotSpec{Kind: s.Kind, Metric: s.Metric, X: s.X, By: s.By, At: results.Place(s.At), Per: s.Per, Size: s.Size, File: s.File}
	if s.Window == results.WindowRun || s.Kind == results.PlotTimeline && s.Window == "" && e.changes() {
		p.Window = results.WindowRun
	}
	if len(e.Axes) > 0 {
		if kept := keptOf(e.Axes[0].Values, []results.Value{p.At.Value}); len(kept) > 0 {
			p.At.Value = kept[0]
		}
	}
	for path, values := range s.Filter {
		all := e.valuesOf(path)
		if kept := keptOf(all, values); len(kept) < len(all) {
			if p.Filter == nil {
				p.Filter = map[string][]results.Value{}
			}
			p.Filter[path] = kept
		}
	}
	return p
}

// changes tells whether replicas come and go, or the rate changes by design, in any run: a part of it
// would not show what it is about.
func (e *Experiment) changes() bool {
	varies := func(p scenario.Pool) bool {
		return p.Scaling != nil || p.Startup != nil || p.Restart != nil || len(p.Failures) > 0
	}
	return slices.ContainsFunc(e.cells, func(c cell) bool {
		return c.scenario.Traffic.Profiled() || slices.ContainsFunc(c.scenario.Pools, varies)
	})
}

// valuesOf are the values of a swept variable, or the names of strategies, each once; nil
// for any other path.
func (e *Experiment) valuesOf(path string) []results.Value {
	var all []results.Value
	if path == results.ByStrategy {
		for _, name := range e.strategyNames() {
			all = append(all, results.ValueOf(name))
		}
	}
	if i := e.axisAt(path); i >= 0 {
		if all = e.Axes[i].Values; e.zipped() { // of others each stands once
			all = keptOf(all, all)
		}
	}
	return all
}

// keptOf are those of all values that are among some, each once.
func keptOf(all, some []results.Value) []results.Value {
	wanted := map[results.Value]bool{}
	for _, v := range some {
		wanted[plain(v)] = true
	}
	var kept []results.Value
	for _, v := range all {
		if wanted[plain(v)] {
			kept = append(kept, v)
			delete(wanted, plain(v))
		}
	}
	return kept
}

// plain is the same for values that are the same: 8 and 8.0.
func plain(v results.Value) results.Value {
	if x, ok := v.Number(); ok {
		return results.ValueOf(x)
	}
	return v
}

// plots are the [[plot]] tables as data.
func (e *Experiment) plots() []results.PlotSpec {
	var all []results.PlotSpec
	for i := range e.Spec.Plots {
		all = append(all, e.plotted(&e.Spec.Plots[i]))
	}
	return all
}

// checkPlotScales refuses figures of scaled objectives where gaps between tokens are bounded, at some point of the sweep.
func (e *Experiment) checkPlotScales() error {
	asked := slices.IndexFunc(e.Spec.Plots, func(s PlotSpec) bool { return s.Kind == results.PlotSLOScale })
	if asked < 0 || !slices.ContainsFunc(e.cells, func(c cell) bool { return c.scenario.Objectives.BoundGaps() }) {
		return nil
	}
	return &badinput.Error{Key: fmt.Sprintf("plot[%d].kind", asked), Value: results.PlotSLOScale,
		Problem: "needs to know how far each request is from its bounds, and of gaps between tokens only how many are longer is known",
		Allowed: "bounds of ttft_ms, tpot_ms and e2el_ms"}
}

// checkPlotUnits refuses figures per dollar or watt where no strategy's accelerators have
// a price, or a power.
func (e *Experiment) checkPlotUnits() error {
	for i, s := range e.Spec.Plots {
		has := func(c cell) bool {
			d := c.scenario.Pools[0].Deployment.Roofline
			return d != nil && (s.Per == results.PerDollar && d.Accelerator.USDPerHour > 0 || s.Per == results.PerWatt && d.Accelerator.TDPWatts > 0)
		}
		if s.Per == "" || s.Per == results.PerAccelerator || slices.ContainsFunc(e.cells, has) {
			continue
		}
		lacks := map[string]string{results.PerDollar: "price", results.PerWatt: "power"}[s.Per]
		return &badinput.Error{Key: fmt.Sprintf("plot[%d].per", i), Value: s.Per, Problem: "no accelerator of the experiment has a " + lacks,
			Allowed: results.PerAccelerator + ", or leave it out"}
	}
	return nil
}
