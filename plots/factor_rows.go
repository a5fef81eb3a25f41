package plots

import (
	"slices"
	"strings"

	"kneepoint/experiments/results"
)

// factorRow is two curves, of which one is held against the other.
type factorRow struct {
	name     string
	of, over *results.Series
	first    *results.Series // whose knee is where they are compared
}

// factorPlace is where on the curves.
type factorPlace struct {
	name string
	at   results.Place // without values of other variables: those are the rows'
	own  bool          // of claims: nothing else is shown there
}

// factorRows are the strategies over the first one, each followed by those over another one
// of which something is claimed.
func factorRows(r *request) []factorRow {
	if len(r.whole.Strategies) == 0 {
		return nil
	}
	spec := r.PlotSpec
	spec.Filter = without(spec.Filter, results.ByStrategy)
	all := selected(r.whole, &spec).Series
	var rows []factorRow
	for i := range r.res.Series {
		s := &r.res.Series[i]
		first := counterpart(all, r.whole.Strategies[0], s)
		var overs []string
		if first == nil {
			continue
		}
		if s.Strategy != first.Strategy {
			overs = []string{first.Strategy}
		}
		for _, c := range r.whole.Claimed {
			if c.Strategy == s.Strategy && !slices.Contains(overs, c.Over) {
				overs = append(overs, c.Over)
			}
		}
		for _, name := range overs {
			if over := counterpart(all, name, s); over != nil {
				row := factorRow{seriesName(*s), s, over, first}
				if name != first.Strategy {
					row.name += " over " + name
				}
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// without is a filter without one of its paths.
func without(filter map[string][]results.Value, path string) map[string][]results.Value {
	kept := map[string][]results.Value{}
	for p, values := range filter {
		if p != path {
			kept[p] = values
		}
	}
	return kept
}

// counterpart is the curve of a strategy that agrees with another curve in all values that
// both are at.
func counterpart(all []results.Series, strategy string, s *results.Series) *results.Series {
	for i := range all {
		other := &all[i]
		agrees := other.Strategy == strategy
		for path, v := range s.Fixed {
			w, both := other.Fixed[path]
			agrees = agrees && (!both || v.Same(w))
		}
		if agrees {
			return other
		}
	}
	return nil
}

// factorPlaces are the place that is asked for, or else lowest load, knee and highest load,
// and beside them where else anything is claimed; without a load and claims the highest
// value.
func factorPlaces(r *request) []factorPlace {
	res := r.whole
	if !isNowhere(r.At) {
		return located(res, nil, []results.Place{r.At})
	}
	var all []factorPlace
	if len(res.Sweep) > 0 && res.Sweep[0].IsLoad() && (res.OverLoads() || len(res.Claimed) == 0) {
		all = located(res, all, results.Loads())
	}
	loads := len(all)
	for _, c := range res.Claimed {
		all = located(res, all, c.At)
	}
	for i := range all {
		all[i].own = loads > 0 && i >= loads
	}
	switch {
	case len(all) > 0:
	case len(res.Sweep) > 0:
		all = located(res, all, []results.Place{{Word: results.Highest}})
	default:
		all = []factorPlace{{}}
	}
	return all
}

func isNowhere(p results.Place) bool { return p.Word == "" && p.Value.IsZero() && p.Values == nil }

// located adds places by their values, each once: where the knee is the highest load, one
// place has both names.
func located(res *results.Results, all []factorPlace, wanted []results.Place) []factorPlace {
	for _, p := range wanted {
		place, there := locate(res, p)
		if !there {
			continue
		}
		i := slices.IndexFunc(all, func(q factorPlace) bool { return sameOnCurve(q.at, place.at) })
		if i < 0 {
			all = append(all, place)
			continue
		}
		if word, _, named := strings.Cut(place.name, " ("); named && !strings.Contains(all[i].name, word) {
			all[i].name = strings.Replace(all[i].name, " (", ", "+word+" (", 1)
		}
	}
	return all
}

// locate finds a place along the first swept variable; false for the knee where there is none.
func locate(res *results.Results, p results.Place) (factorPlace, bool) {
	if axes := res.Sweep; len(axes) > 0 && !axes[0].IsLoad() && (p.Word == results.Lowest || p.Word == results.Highest) {
		p = results.Place{Values: results.Setting{axes[0].Path: axes[0].Place(p.Word)}}
	}
	if p.Values == nil {
		name, at := res.Locate(p)
		if at == nil {
			return factorPlace{}, false
		}
		return factorPlace{name: name, at: *at}, true
	}
	axis := res.Sweep[0]
	v := p.Values[axis.Path]
	name := strings.TrimSpace(axis.Label + " " + v.String() + " " + axis.Unit)
	if axis.Unit != "" {
		name = valueName(v) + " " + axis.Unit
	}
	return factorPlace{name: name, at: results.Place{Value: v}}, true
}

func sameOnCurve(a, b results.Place) bool { return a.Word == b.Word && a.Value.Same(b.Value) }
