package experiments

import (
	"strings"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

// searchable is a key that a search may vary: one of which more is always harder to
// serve, or always easier.
type searchable struct {
	path   string  // * stands for a name
	rising bool    // more is easier
	whole  bool    // it has no parts
	start  float64 // where a search starts that knows nothing better
	least  float64 // which is as good as nothing; 0: no matter
	most   float64 // 0: no matter
	unit   string  // that its values are written with, like GB/s; "": they are numbers
}

// mostReplicas is how many there may be of a pool.
const mostReplicas = 100_000

// loneRate is one at which every request is alone: one in a quarter of an hour.
const loneRate = 1e-3

// longestBound is what nobody waits for, an hour in milliseconds.
const longestBound = 3_600_000

// searchables are the keys that may be searched.
var searchables = []searchable{
	{path: "workload.arrival.rate", start: 1, least: loneRate},
	{path: "workload.arrival.concurrency", whole: true, start: 8},
	{path: "workload.session.users", whole: true, start: 8},
	{path: "workload.client.*.arrival.rate", start: 1, least: loneRate},
	{path: "workload.client.*.arrival.concurrency", whole: true, start: 8},
	{path: "workload.input.mean", start: 1000},
	{path: "workload.output.mean", start: 200},
	{path: "workload.session.first_input.mean", start: 1000},
	{path: "workload.session.input.mean", start: 200},
	{path: "workload.session.output.mean", start: 200},
	{path: "workload.client.*.input.mean", start: 1000},
	{path: "workload.client.*.output.mean", start: 200},
	{path: "workload.trace.time_scale", rising: true, start: 1},
	{path: "hardware.replicas", rising: true, whole: true, start: 1, most: mostReplicas},
	{path: "fleet.pool.*.replicas", rising: true, whole: true, start: 1, most: mostReplicas},
	{path: "strategy.*.speculation.acceptance", rising: true, start: 0.5, most: 1},
	{path: "slo.ttft_ms", rising: true, start: 1000, most: longestBound},
	{path: "slo.tpot_ms", rising: true, start: 50, most: longestBound},
	{path: "slo.e2el_ms", rising: true, start: 10_000, most: longestBound},
	{path: "slo.itl_p99_ms", rising: true, start: 100, most: longestBound},
	{path: "workload.client.*.slo.ttft_ms", rising: true, start: 1000, most: longestBound},
	{path: "workload.client.*.slo.tpot_ms", rising: true, start: 50, most: longestBound},
	{path: "workload.client.*.slo.e2el_ms", rising: true, start: 10_000, most: longestBound},
	{path: "workload.client.*.slo.itl_p99_ms", rising: true, start: 100, most: longestBound},
}

// searchableOf is the entry of a path; a *badinput.Error where no search may vary it.
func searchableOf(path string) (searchable, error) {
	own := path
	if rest, ok := strings.CutPrefix(path, "strategy."); ok { // a strategy's own [hardware] or [fleet]
		for _, part := range []string{".hardware.", ".fleet."} {
			if i := strings.Index(rest, part); i > 0 {
				own = rest[i+1:]
			}
		}
	}
	var known []string
	for _, s := range searchables {
		if s.matches(own) {
			s.path = path
			return s, nil
		}
		known = append(known, strings.ReplaceAll(s.path, "*", "NAME"))
	}
	return searchable{}, &badinput.Error{Key: "search.load", Value: path,
		Problem: "is no load: nobody knows that more of it is always harder to serve, or always easier",
		Allowed: strings.Join(known, ", "), Nearest: badinput.Nearest(path, known)}
}

// check refuses a bound beyond which the load has no values, or none that anybody would ask for.
func (s *searchable) check(spec *SearchSpec) error {
	if s.most == 0 || spec.Max == nil || *spec.Max <= s.most {
		return nil
	}
	return &badinput.Error{Key: "search.max", Value: *spec.Max, Problem: "is beyond what " + s.path + " may be",
		Allowed: "up to " + units.Shortest(s.most)}
}

// matches tells whether a path is one of the entry's. Names may contain dots.
func (s *searchable) matches(path string) bool {
	before, after, named := strings.Cut(s.path, "*")
	if !named {
		return path == s.path
	}
	return len(path) > len(before)+len(after) && strings.HasPrefix(path, before) && strings.HasSuffix(path, after)
}
