package experiments

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/experiments/search"
	"kneepoint/internal/strict"
	"kneepoint/units/badinput"
)

// CheckKnees is Check for a search: of every strategy and every combination of the other
// swept variables it asks for the knee over the load of [search], where the file has points of
// its sweep. Expectations, claims and figures of the file are about such points, and left out.
func (f *File) CheckKnees() (*Experiment, error) {
	g, err := f.forKnees()
	if err != nil {
		return nil, f.locate(err)
	}
	e, err := g.Check()
	if err != nil {
		return nil, err
	}
	delete(e.Spec.Sweep, g.searched.load.path)
	if e.Spec.Search.asksBreakEvens() {
		return e, nil
	}
	return e, f.locate(e.checkObjectives())
}

// searchedLoad is what a search varies, and how.
type searchedLoad struct {
	load      searchable
	tolerance float64
	easiest   float64 // 0: none
	hardest   float64
}

// forKnees is the file as a search reads it: the load is the first variable of its sweep, with the
// one value from which the search starts.
func (f *File) forKnees() (*File, error) {
	tree := copyTree(f.tree).(map[string]any)
	spec, err := searchSpecOf(tree)
	if err != nil {
		return nil, err
	}
	load, values, err := f.loadOf(&spec)
	if err != nil {
		return nil, err
	}
	others := slices.DeleteFunc(slices.Clone(f.axes), func(path string) bool { return path == load.path })
	if err := f.checkOthers(others); err != nil {
		return nil, err
	}
	sweep, _ := tree["sweep"].(map[string]any)
	searched := map[string]any{load.path: values}
	for _, path := range others {
		searched[path] = sweep[path]
	}
	tree["sweep"] = searched
	expected := ofBreakEvens(tree["expect"])
	for _, table := range []string{"expect", "claim", "curve", "paper", "plot"} {
		delete(tree, table)
	}
	if expected != nil {
		tree["expect"] = expected
	}
	g := *f
	g.tree, g.axes, g.searched = tree, append([]string{load.path}, others...), load.searchedBy(&spec)
	return &g, nil
}

// loadOf is what a search varies, and the values of it that are checked beforehand, from the first of which it starts.
func (f *File) loadOf(spec *SearchSpec) (load searchable, values []any, err error) {
	if spec.asksBreakEvens() {
		return f.variedOf(spec)
	}
	load, err = searchableOf(cmp.Or(spec.Load, f.usualLoad()))
	if err == nil {
		err = cmp.Or(load.check(spec), f.checkRate(load.path))
	}
	return load, []any{load.value(f.startOf(&load, spec))}, err
}

// searchSpecOf reads the table [search].
func searchSpecOf(tree map[string]any) (SearchSpec, error) {
	var spec SearchSpec
	switch table := tree["search"].(type) {
	case nil:
		return spec, nil
	case map[string]any:
		return spec, badinput.Under("search", strict.Decode(table, &spec))
	}
	return spec, &badinput.Error{Key: "search", Value: tree["search"], Problem: "wrong kind of value", Allowed: "a table"}
}

// usualLoad is what is searched where the file does not say it: the first swept variable, where
// it is a load, and else what makes the traffic.
func (f *File) usualLoad() string {
	if len(f.axes) > 0 {
		if _, err := searchableOf(f.axes[0]); err == nil {
			return f.axes[0]
		}
	}
	process := keyAt(f.tree, "workload.arrival.process")
	switch {
	case keyAt(f.tree, "workload.session.users") != nil:
		return "workload.session.users"
	case process == "closed":
		return "workload.arrival.concurrency"
	case keyAt(f.tree, "workload.trace") != nil && (process == nil || process == "trace"):
		return "workload.trace.time_scale"
	}
	return "workload.arrival.rate"
}

// checkRate refuses a search over a rate that the file's arrivals have not.
func (f *File) checkRate(path string) error {
	arrivals, isRate := strings.CutSuffix(path, ".arrival.rate")
	if !isRate {
		return nil
	}
	for _, profile := range []string{"stages", "ramp"} {
		key := arrivals + ".arrival." + profile
		if keyAt(f.tree, key) != nil {
			return &badinput.Error{Key: "search.load", Value: path, Problem: "is no load here: " + key + " has the rates",
				Allowed: "another load, such as hardware.replicas or slo.ttft_ms"}
		}
	}
	return nil
}

// checkOthers refuses what the other swept variables cannot be beside a search.
func (f *File) checkOthers(others []string) error {
	if len(others) > 0 && keyAt(f.tree, "sweep.mode") == "zip" {
		return &badinput.Error{Key: "sweep.mode", Value: "zip",
			Problem: "variables that go together have no values beside a load that is searched",
			Allowed: "leave it out"}
	}
	return nil
}

// startOf is where the search begins: at the middle of the swept loads, or what the file has
// without a sweep, within the bounds.
func (f *File) startOf(load *searchable, spec *SearchSpec) float64 {
	start := load.start
	if x, ok := results.ValueOf(keyAt(f.tree, load.path)).Number(); ok && x > 0 {
		start = x
	}
	sweep, _ := f.tree["sweep"].(map[string]any)
	if values, ok := sweep[load.path].([]any); ok && len(values) > 0 {
		if x, ok := results.ValueOf(values[len(values)/2]).Number(); ok && x > 0 {
			start = x
		}
	}
	return min(max(start, given(spec.Min, load.least)), given(spec.Max, math.Inf(1)))
}

// value is a load as the file would have it.
func (l *searchable) value(x float64) any {
	switch {
	case l.whole:
		return int64(math.Round(x))
	case l.unit != "":
		return strconv.FormatFloat(x, 'f', -1, 64) + l.unit
	}
	return x
}

// number is a load that value made, as a number.
func (l *searchable) number(v results.Value) float64 {
	if x, ok := v.Number(); ok {
		return x
	}
	x, _ := strconv.ParseFloat(strings.TrimSuffix(v.String(), l.unit), 64)
	return x
}

// searchedBy is the load with what a file asks of its search.
func (l *searchable) searchedBy(spec *SearchSpec) *searchedLoad {
	usual := search.Tolerance
	if l.whole && l.rising { // replicas, each of which is paid for; of hundreds of users nobody minds one
		usual = 0
	}
	s := &searchedLoad{load: *l, tolerance: given(spec.Tolerance, usual)}
	if s.easiest, s.hardest = given(spec.Min, l.least), given(spec.Max, l.most); l.rising {
		s.easiest, s.hardest = s.hardest, s.easiest
	}
	return s
}

// given is the value of a key, or what there is without it.
func given(key *float64, otherwise float64) float64 {
	if key == nil {
		return otherwise
	}
	return *key
}

// withTarget is the file with the target of its search as the attainment that is asked for.
func (f *File) withTarget() (*File, error) {
	spec, err := searchSpecOf(f.tree)
	if err != nil || spec.Target == nil {
		return f, err
	}
	if slices.Contains(f.axes, "slo.attainment") {
		return nil, &badinput.Error{Key: "search.target", Value: *spec.Target, Problem: "takes the place of slo.attainment, which is swept",
			Allowed: "one of them"}
	}
	g := *f
	g.tree = copyTree(f.tree).(map[string]any)
	return &g, setKey(g.tree, "slo.attainment", *spec.Target)
}

// checkSearch refuses the table [search] in an experiment of points that has none around a knee over its load.
func (f *File) checkSearch(axes []results.Axis) error {
	spec, err := searchSpecOf(f.tree)
	if err != nil || f.searched != nil || f.tree["search"] == nil {
		return err
	}
	if spec.asksBreakEvens() {
		return &badinput.Error{Key: "search.metric", Value: spec.Metric, Problem: "asks for a break-even, which a run of points does not search",
			Allowed: "kneepoint knee"}
	}
	if len(axes) > 0 && axes[0].IsLoad() && (spec.Load == "" || spec.Load == axes[0].Path) {
		return nil
	}
	return &badinput.Error{Key: "search",
		Problem: "a run of points has knees over the first variable of its sweep alone, a rate or a number of clients or users",
		Allowed: "kneepoint knee, which searches without points"}
}

// checkObjectives refuses a search for what no requests are held against, and for a share that
// no number of them shows.
func (e *Experiment) checkObjectives() error {
	for i := range e.cells {
		c := &e.cells[i]
		if !c.scenario.Objectives.Bound() {
			return &badinput.Error{Key: "slo", Problem: "missing: a knee is where an objective is just met",
				Allowed: "ttft_ms, tpot_ms or e2el_ms"}
		}
		if c.slo.Attainment > highestTarget {
			return &badinput.Error{Key: "slo.attainment", Value: c.slo.Attainment,
				Problem: "no number of requests shows that none of them ever misses",
				Allowed: "up to " + results.ValueOf(highestTarget).String()}
		}
	}
	return nil
}
