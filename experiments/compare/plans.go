package compare

import (
	"fmt"
	"math"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
)

// PlanSide is a plan, and a candidate of it.
type PlanSide struct {
	Name      string // of the folder, for messages
	Answer    *results.Answer
	Candidate string // empty: the best, and after it all that both plans have
}

// usualOfPlans are the metrics of fleets that are compared unless others are asked for.
func usualOfPlans(a, b *results.SLO) []string {
	return append([]string{metrics.Accelerators, metrics.PricePerHour, metrics.CostPerMillionGoodTokens, metrics.P99TTFT}, tails(a, b)...)
}

// Plans compares what two plans answer, or two candidates of one: fleets that serve the demand. Their runs are not paired, as
// fleets of other sizes share no requests, replica by replica. Errors are *badinput.Error: other demands, nothing in
// common, a plan without an answer.
func Plans(a, b *PlanSide, o Options) (*Comparison, error) {
	if a.Answer.Demand.Unit != b.Answer.Demand.Unit {
		return nil, &badinput.Error{Problem: fmt.Sprintf("%s and %s are plans of demands in other units: %s, %s", a.Name, b.Name,
			a.Answer.Demand.Unit, b.Answer.Demand.Unit)}
	}
	c := &Comparison{SchemaVersion: SchemaVersion, A: a.Name, B: b.Name, Unpaired: "fleets of plans are of runs of their own",
		Interrupted: interrupted(a.Answer.Incomplete, b.Answer.Incomplete)}
	if a.Answer != b.Answer {
		c.Differs = differingTables(tablesOf(a.Answer.Experiment), tablesOf(b.Answer.Experiment))
	}
	pairs, err := a.options(b)
	if err != nil {
		return nil, err
	}
	compared := wanted(o.Metrics, usualOfPlans(&a.Answer.SLO, &b.Answer.SLO))
	for _, p := range pairs {
		for _, metric := range compared {
			c.add(p.row(metric))
		}
	}
	c.OnlyA, c.OnlyB = alone(a.Answer, b.Answer), alone(b.Answer, a.Answer)
	return c.judged(o)
}

// optionPair is a fleet of each plan; the option of B is nil where it serves no demand.
type optionPair struct {
	name    string
	a, b    *results.Option
	certain bool // whether their sizes are
}

// options are the fleets that are compared.
func (a *PlanSide) options(b *PlanSide) ([]optionPair, error) {
	pairOf := func(name string, x, y *results.Option) optionPair {
		return optionPair{name, x, y, sized(x, a.Answer.Target) && sized(y, b.Answer.Target)}
	}
	if a.Candidate != "" {
		x, y := find(a.Answer, a.Candidate), find(b.Answer, b.Candidate)
		return []optionPair{pairOf(a.Candidate+" → "+b.Candidate, x, y)}, nil
	}
	if len(a.Answer.Options) == 0 {
		return nil, &badinput.Error{Problem: a.Name + ": no candidate serves the demand"}
	}
	best, other := &a.Answer.Options[0], (*results.Option)(nil)
	name := "best: " + best.Name
	if len(b.Answer.Options) > 0 {
		if other = &b.Answer.Options[0]; other.Name != best.Name {
			name += " → " + other.Name
		}
	}
	all := []optionPair{pairOf(name, best, other)}
	for i := range a.Answer.Options {
		x := &a.Answer.Options[i]
		y := find(b.Answer, x.Name)
		if y != nil && (i > 0 || y != other) {
			all = append(all, pairOf(x.Name, x, y))
		}
	}
	return all, nil
}

// find is the option of a name that serves the demand; nil where none does.
func find(a *results.Answer, name string) *results.Option {
	for i := range a.Options {
		if a.Options[i].Name == name {
			return &a.Options[i]
		}
	}
	return nil
}

// sized tells whether it is known that the units of an option are enough, and fewer are not.
func sized(o *results.Option, target float64) bool {
	return o != nil && o.Judged.Clear(target) && (o.Fewer == nil || o.Fewer.Clear(target))
}

// row compares a metric of two fleets; nil where A has none.
func (p *optionPair) row(metric string) *Row {
	x, there := p.a.Metric(metric)
	if !there {
		return nil
	}
	y := metrics.Estimate{Mean: math.NaN(), Half: math.NaN()}
	if p.b != nil {
		if e, there := p.b.Metric(metric); there {
			y = e
		}
	}
	row := newRow(metric, x, y, nil)
	switch {
	case math.IsNaN(y.Mean):
	case metric == metrics.Accelerators || metric == metrics.PricePerHour:
		row = newRow(metric, x, y, sizes{x.Mean, y.Mean, p.certain})
	default:
		row = newRow(metric, x, y, estimatedMoments(x, y))
	}
	row.Strategy = p.name
	return &row
}

// sizes is what follows from how many units serve a demand: a whole number, that is known for certain or not.
type sizes struct {
	a, b    float64
	certain bool
}

func (s sizes) against(r float64) (t, df float64) {
	gap := s.b - r*s.a
	if !s.certain || math.Abs(gap) <= negligible*(math.Abs(s.b)+math.Abs(r*s.a)) {
		return 0, many
	}
	return math.Copysign(math.Inf(1), gap), many
}

func (s sizes) difference() metrics.Estimate {
	return metrics.Estimate{Mean: s.b - s.a, Half: math.NaN()}
}

func (s sizes) ratio() Interval { return Interval{s.b / s.a, math.NaN(), math.NaN()} }

// alone are the candidates that serve the demand in one plan only.
func alone(a, b *results.Answer) []string {
	var names []string
	for i := range a.Options {
		if name := a.Options[i].Name; find(b, name) == nil {
			names = append(names, name)
		}
	}
	return names
}
