package results

import "fmt"

// limitedSearches warn of searches that ended before neighbouring whole numbers were told apart.
func (p *Plan) limitedSearches() []Warning {
	var where []Where
	for i := range p.Searched {
		if found := &p.Searched[i]; found.Limited {
			where = append(where, Where{found.Strategy, found.Fixed, p.curveName(found.Strategy, found.Fixed)})
		}
	}
	if where == nil {
		return nil
	}
	return []Warning{{SearchLimited, "the search ended before it told all whole numbers of the interval apart: search.max_requests gives it more requests",
		where}}
}

// edgesOfSearches say of searches why there were no loads beyond some.
func (p *Plan) edgesOfSearches() []Warning {
	var all []Warning
	for i := range p.Searched {
		if found := &p.Searched[i]; found.Edge != "" {
			all = append(all, Warning{SearchEdge, "the search ends where loads are impossible: " + found.Edge,
				[]Where{{found.Strategy, found.Fixed, p.curveName(found.Strategy, found.Fixed)}}})
		}
	}
	return all
}

// curveName is a strategy with the values that are fixed for its curve, in words.
func (p *Plan) curveName(strategy string, fixed Setting) string {
	name := strategy
	for _, axis := range p.Sweep {
		if v, ok := fixed[axis.Path]; ok {
			name += fmt.Sprintf(", %s = %v", axis.Label, v)
		}
	}
	return name
}
