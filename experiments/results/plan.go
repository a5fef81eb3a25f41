package results

import (
	"slices"
	"strings"

	"kneepoint/sim/metrics"
)

// Plan is what an experiment asks, as plain data: all that aggregation needs
// besides the outcomes of the simulations.
type Plan struct {
	Version      string         `json:"version"` // of kneepoint
	Name         string         `json:"name"`    // of the file, without .toml
	Title        string         `json:"title"`
	Experiment   map[string]any `json:"experiment"` // fully resolved, defaults included
	Facts        Facts          `json:"facts"`
	Seed         uint64         `json:"seed"`
	Replications int            `json:"replications"`      // runs of each strategy at each point, which differ in their random numbers
	Strategies   []string       `json:"strategies"`        // in the order of the file; the first one is the baseline
	Sweep        []Axis         `json:"sweep"`             // empty without a sweep
	Zipped       bool           `json:"zipped"`            // the axes go together, value by value, instead of as a product
	Points       []PlannedPoint `json:"points"`            // of the sweep, in order; one without values where there is none
	SLO          SLO            `json:"slo"`               // at every point that has none of its own
	Clients      []Client       `json:"clients,omitempty"` // classes of requests, likewise
	Expected     []Expected     `json:"expected"`          // of the [[expect]] tables
	Claimed      []Claimed      `json:"claimed"`           // of the [[claim]] tables

	Paper     *Paper           `json:"paper,omitempty"`     // nil: the experiment repeats none
	Published []PublishedCurve `json:"published,omitempty"` // of the [[curve]] tables
	Plots     []PlotSpec       `json:"plots,omitempty"`     // of the [[plot]] tables; empty: the default figures
	Prices    *Prices          `json:"prices,omitempty"`    // what costs rest on; absent where no accelerator has a price
	Foreseen  []Warning        `json:"foreseen"`            // warnings that hold before anything is simulated

	// Searched is what searches found on the curves: like the runs it is found by
	// simulations, and no part of what was asked.
	Searched []Searched `json:"searched"`

	// BreakEvens are likewise the values at which strategies are as good as each other.
	BreakEvens []BreakEven `json:"break_evens,omitempty"`

	// Timelines are of the runs that figures ask for, likewise.
	Timelines []Timeline `json:"timelines,omitempty"`

	// Drawn are the requests that figures show.
	Drawn []DrawnTraffic `json:"drawn,omitempty"`

	// Cells are the simulations, by points, strategies and replications. Which of
	// them there are follows from the rest, and the keys are in the runs.
	Cells []Cell `json:"-"`
}

// PlannedPoint is one combination of the swept variables' values.
type PlannedPoint struct {
	Values  []Value  `json:"values"`            // in the order of the axes
	SLO     *SLO     `json:"slo,omitempty"`     // where it differs from the plan's, being swept
	Clients []Client `json:"clients,omitempty"` // likewise

	// Deployments are those of the strategies, where one differs from that of the facts, being
	// swept.
	Deployments []Deployment `json:"deployments,omitempty"`

	Traffic *Traffic `json:"traffic,omitempty"` // where it differs from that of the facts, being swept

	// Searched are the replications that a search made here, by strategy, where it chose the
	// point; nil: all strategies have those of the plan.
	Searched map[string]Replications `json:"searched,omitempty"`
}

// Replications are runs that differ in their random numbers alone, numbered one by one.
type Replications struct {
	First int `json:"first"`
	Count int `json:"count"`
}

// replications are those of a strategy at the point.
func (p *Plan) replications(point int, strategy string) Replications {
	if own := p.Points[point].Searched; own != nil {
		return own[strategy]
	}
	return Replications{Count: p.Replications}
}

// Cell is one simulation of the plan. Cells of equal keys have one outcome.
type Cell struct {
	Strategy    string
	Point       int // of Plan.Points
	Replication int
	Seed        uint64
	Key         string // under which the outcome is looked up; "" until it is known
}

// SLO is the service level objective as in the experiment, in milliseconds; zero means
// no bound. A request meets it that meets all bounds.
type SLO struct {
	TTFTms     float64 `json:"ttft_ms"`    // time to first token
	TPOTms     float64 `json:"tpot_ms"`    // time per output token after the first
	E2ELms     float64 `json:"e2el_ms"`    // end to end
	ITLp99ms   float64 `json:"itl_p99_ms"` // 99th percentile of a request's gaps between tokens
	Attainment float64 `json:"attainment"` // share of the requests that must meet the bounds
}

// Bound is one that binds.
type Bound struct {
	Name string // of what is bounded: TTFT
	MS   float64
}

// Bounds are those that bind.
func (s *SLO) Bounds() []Bound {
	all := []Bound{{"TTFT", s.TTFTms}, {"TPOT", s.TPOTms}, {"E2EL", s.E2ELms}, {"p99 ITL", s.ITLp99ms}}
	return slices.DeleteFunc(all, func(b Bound) bool { return b.MS == 0 })
}

// Key is the metric to hold against a bound of a latency (ttft, tpot or e2el): the
// percentile that the attainment asks for, like p90_ttft_ms.
func (s *SLO) Key(latency string) string { return metrics.ShareKey(latency, s.Attainment) }

// Client is a class of requests, a [[workload.client]] of the experiment, with its own
// objective: bounds that it leaves out are those of [slo], and the attainment is that of all.
type Client struct {
	Name string `json:"name"`
	SLO  SLO    `json:"slo"`
}

// AllCells are the simulations of a plan by points, strategies and replications, the
// last fastest. They have no keys yet: those are given by what simulates them.
func (p *Plan) AllCells() []Cell {
	var all []Cell
	for point := range p.Points {
		for _, strategy := range p.Strategies {
			r := p.replications(point, strategy)
			for i := range r.Count {
				all = append(all, Cell{Strategy: strategy, Point: point, Replication: r.First + i, Seed: p.Seed})
			}
		}
	}
	return all
}

// Run is the outcome of a cell with its coordinates: several cells may share an
// outcome, but no two a run.
func (p *Plan) Run(cell *Cell, outcome *Outcome) Run {
	return Run{Strategy: cell.Strategy, Point: p.SettingAt(cell.Point), Seed: cell.Seed,
		Replication: cell.Replication, Key: cell.Key, Outcome: *outcome, point: cell.Point}
}

// slo is the objective at a point.
func (p *Plan) slo(point int) SLO {
	if own := p.Points[point].SLO; own != nil {
		return *own
	}
	return p.SLO
}

// traffic is what a run served, in the words of facts.
func (p *Plan) traffic(run *Run) *Traffic {
	if own := p.Points[run.point].Traffic; own != nil {
		return own
	}
	return &p.Facts.Traffic
}

// deployment is what a run ran on, as far as it is known.
func (p *Plan) deployment(run *Run) Deployment {
	all := p.Facts.Strategies
	if own := p.Points[run.point].Deployments; own != nil {
		all = own
	}
	if i := slices.Index(p.Strategies, run.Strategy); i < len(all) {
		return all[i]
	}
	return Deployment{}
}

// SettingAt is the values of the swept variables at a point of the plan, from 0 on.
func (p *Plan) SettingAt(point int) Setting {
	s := make(Setting, len(p.Sweep))
	for i, axis := range p.Sweep {
		s[axis.Path] = p.Points[point].Values[i]
	}
	return s
}

// OverLoads tells whether each strategy has one curve, and that over a load.
func (p *Plan) OverLoads() bool {
	return len(p.Sweep) > 0 && len(p.CurveAxes()) == 0 && p.Sweep[0].IsLoad()
}

// CurveAxes are the axes whose values tell the curves of a strategy apart: all but the
// first one of a product. Zipped axes go along the one curve as long as the values of
// the first axis differ; where they repeat, the axes that take a value several times
// name the curves, or all but the first one, if points would still fall together.
func (p *Plan) CurveAxes() []Axis {
	switch {
	case len(p.Sweep) < 2:
		return nil
	case !p.Zipped:
		return p.Sweep[1:]
	case !repeat(p.Sweep[:1]):
		return nil
	}
	var repeating []Axis
	for _, axis := range p.Sweep[1:] {
		if repeat([]Axis{axis}) {
			repeating = append(repeating, axis)
		}
	}
	if repeat(append([]Axis{p.Sweep[0]}, repeating...)) {
		return p.Sweep[1:]
	}
	return repeating
}

// curveAxes are those of the CurveAxes that change anything for a strategy: a key of
// another one does not, and with its values the same curve would be there several times.
func (p *Plan) curveAxes(strategy string) []Axis {
	var all []Axis
	for _, axis := range p.CurveAxes() {
		if p.Concerns(axis, strategy) {
			all = append(all, axis)
		}
	}
	return all
}

// Concerns tells whether an axis is not one of a product that varies a key of another
// strategy. Zipped axes concern all, since other values go with theirs.
func (p *Plan) Concerns(axis Axis, strategy string) bool {
	owner := ""
	for _, name := range p.Strategies {
		if strings.HasPrefix(axis.Path, "strategy."+name+".") && len(name) > len(owner) {
			owner = name // names may contain dots
		}
	}
	return p.Zipped || owner == "" || owner == strategy
}

// onCurve tells whether a point is one of a strategy's curves: of those that differ in
// nothing that concerns it the first one is. All are points of the first axis.
func (p *Plan) onCurve(point int, strategy string) bool {
	for i, axis := range p.Sweep {
		if i > 0 && !p.Concerns(axis, strategy) && !p.Points[point].Values[i].Same(axis.Values[0]) {
			return false
		}
	}
	return true
}

// repeat tells whether zipped axes take the same values at two points.
func repeat(axes []Axis) bool {
	same := func(i, j int) bool {
		return !slices.ContainsFunc(axes, func(a Axis) bool { return !a.Values[i].Same(a.Values[j]) })
	}
	for i := range axes[0].Values {
		for j := range i {
			if same(i, j) {
				return true
			}
		}
	}
	return false
}

// SettingOf is the values of all swept variables at a point of a curve.
func (p *Plan) SettingOf(s *Series, point *Point) Setting {
	if point.group != nil {
		return p.SettingAt(point.group.point)
	}
	for i := range p.Points {
		if len(p.Sweep) > 0 && !p.Points[i].Values[0].Same(point.Value) {
			continue // before a setting is made of every point for every point
		}
		if setting := p.SettingAt(i); s.holds(&Place{Values: setting}) {
			return setting
		}
	}
	return nil
}
