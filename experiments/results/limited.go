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
