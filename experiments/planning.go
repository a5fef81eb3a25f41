package experiments

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kneepoint/experiments/planner"
	"kneepoint/experiments/results"
	"kneepoint/experiments/runner"
	"kneepoint/experiments/scenario"
	"kneepoint/experiments/search"
	"kneepoint/experiments/uncertainty"
	"kneepoint/hardware"
	"kneepoint/internal/strict"
	"kneepoint/units/badinput"
)

// Planning is a plan that is asked for: a demand, and candidates to serve it.
type Planning struct {
	File       *File
	Spec       PlanSpec
	demand     results.Demand
	base       *Spec // of the first candidate
	expected   []results.PlanExpected
	candidates []planner.Candidate
	unfit      []results.Option // that cannot be built, or have no price
	builder    *scenario.Builder
	common     *shared
	factors    []uncertainty.Factor // that are drawn; nil: none are
	unread     unreadKeys
	warnings   []results.Warning
}

// PlanOptions say how a plan is made. Its answer depends on none of them.
type PlanOptions struct {
	Workers  int // simulations at a time; 0: one per core
	Store    runner.Store
	Shard    planner.Shard // that this is, of several that share the store
	Progress func(planner.Progress)
}

// Planning resolves a file with a [plan]: every candidate is built once, so that whatever is
// wrong is found before anything is simulated. One whose replicas cannot be built is
// part of the answer, with the reason. Wrong input is a *badinput.Error.
func (f *File) Planning() (*Planning, error) {
	p := &Planning{File: f}
	if err := p.resolve(); err != nil {
		return nil, f.locate(err)
	}
	return p, nil
}

func (p *Planning) resolve() error {
	table, _ := p.File.tree["plan"].(map[string]any)
	if p.File.tree["plan"] != nil && table == nil {
		return &badinput.Error{Key: "plan", Value: p.File.tree["plan"], Problem: "wrong kind of value", Allowed: "a table"}
	}
	if err := badinput.Under("plan", strict.Decode(table, &p.Spec)); err != nil {
		return err
	}
	for _, key := range []string{"sweep", "search", "claim", "curve", "paper", "plot", "replications"} {
		if p.File.tree[key] != nil {
			return &badinput.Error{Key: key, Problem: "has no effect on a plan", Allowed: "in an experiment that is run"}
		}
	}
	all, err := p.File.candidates()
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return &badinput.Error{Key: "strategy", Problem: "missing"}
	}
	if err := p.expectations(all); err != nil {
		return err
	}
	traces := &scenario.Traces{}
	p.builder, p.common = scenario.NewBuilder(traces), newShared(p.File.Traces, traces)
	for i := range all {
		if err := p.add(&all[i]); err != nil {
			return ofCandidate(err, &all[i])
		}
	}
	if err := p.unread.check(); err != nil {
		return err
	}
	if len(p.candidates) == 0 {
		return p.noneFits()
	}
	if err := p.takeFactors(); err != nil {
		return err
	}
	return p.checkNamed(all)
}

// ofCandidate says which candidate wrong input concerns, where it is of how one serves.
func ofCandidate(err error, c *candidate) error {
	var bad *badinput.Error
	if !errors.As(err, &bad) {
		return err
	}
	if root, _, _ := strings.Cut(bad.Key, "."); !slices.Contains(servingTables, root) || len(c.keys) == 0 {
		return err
	}
	named := *bad
	named.Problem += fmt.Sprintf(" (candidate %q)", c.name)
	return &named
}

// add resolves a candidate. What is wrong with its keys is wrong input; what is wrong with the
// deployment that they describe makes it no answer.
func (p *Planning) add(c *candidate) error {
	file, err := p.File.fileOf(c)
	if err != nil {
		return err
	}
	spec, err := file.resolve(nil, nil, 0, p.common)
	if err == nil {
		err = spec.eachPool(func(_ *PoolSpec, own *Spec) error { return own.checkNames() })
	}
	if err == nil {
		err = p.ask(&spec)
	}
	if err != nil {
		return err
	}
	if _, err := spec.priceBasis(p.common); err != nil { // of all candidates
		return err
	}
	p.unread.note(&spec)
	option := results.Option{Name: c.name, Strategy: spec.Strategies[0].Name, Choices: c.choices()}
	if err := p.hasten(file, &spec.Workload); err != nil {
		return err
	}
	err = p.build(file, option)
	var bad *badinput.Error
	if !errors.As(err, &bad) {
		return err
	}
	option.Out, option.Detail = results.OutUnfit, bad.Error()
	p.unfit = append(p.unfit, option)
	return nil
}

// build builds a candidate once.
func (p *Planning) build(file *File, option results.Option) error {
	e := Experiment{File: file, builder: p.builder, common: p.common}
	_, cell, err := e.cellAt(nil, 0, p.common)
	if err != nil {
		return err
	}
	rests, err := p.builder.Check(cell.scenario, 1)
	if err != nil {
		return err
	}
	p.warn(slices.Concat(cell.warnings, warningsOf(rests)))
	cell.scenario.Fleet.RegretSamples = 0 // no answer has it
	p.price(option, cell.scenario)
	return nil
}

// choices are the values that tell the candidate from others of its table.
func (c *candidate) choices() map[string]any {
	all := map[string]any{}
	for _, k := range c.keys {
		all[k.path] = k.value
	}
	return all
}

// warn notes what the numbers of a candidate rest on, once.
func (p *Planning) warn(all []results.Warning) {
	for _, w := range all {
		known := func(other results.Warning) bool { return other.Kind == w.Kind && other.Text == w.Text }
		if !slices.ContainsFunc(p.warnings, known) {
			p.warnings = append(p.warnings, w)
		}
	}
}

// price adds a candidate that can be built, with what a unit of it costs and how many there
// may be.
func (p *Planning) price(option results.Option, s scenario.Scenario) {
	u := unitOf(&s)
	option.Unit = u.forResults()
	c := planner.Candidate{Option: option, Price: u.usdPerHour}
	if u.unpriced != "" && p.needsPrices() {
		option.Out, option.Detail = results.OutPriceless, u.unpriced
		p.unfit = append(p.unfit, option)
		return
	}
	if p.Spec.Objective == "accelerators" {
		c.Price = float64(u.accelerators)
	}
	c.Most, c.Bound = p.most(&u, 1)
	s.Traffic = p.planned(s.Traffic)
	c.Unit = s
	p.candidates = append(p.candidates, c)
}

// noneFits is the error of a plan none of whose candidates can be an answer.
func (p *Planning) noneFits() error {
	first := &p.unfit[0]
	problem := fmt.Sprintf("no candidate has a price: there is none for %s (%s)", first.Detail, hardware.PricedIn(first.Detail))
	switch {
	case first.Out == results.OutPriceless && p.Spec.Objective == "cost":
		return &badinput.Error{Key: "plan.objective", Value: "cost", Problem: problem, Allowed: "accelerators, or a price"}
	case first.Out == results.OutPriceless:
		return &badinput.Error{Key: "plan.max_usd_per_hour", Value: p.Spec.MaxUSDPerHour, Problem: problem, Allowed: "0, or a price"}
	}
	return &badinput.Error{Key: "candidate", Problem: fmt.Sprintf("none can be built; %q: %s", first.Name, first.Detail)}
}

// checkNamed refuses numbers and prices of accelerators that no candidate has.
func (p *Planning) checkNamed(all []candidate) error {
	known := map[string]bool{p.base.Hardware.acceleratorName(): true}
	for i := range p.candidates {
		for _, a := range priced(&p.candidates[i].Unit) {
			known[a.Name] = true
		}
	}
	for i := range all { // also those that cannot be built
		for _, k := range all[i].keys {
			if strings.HasSuffix(k.path, "hardware.accelerator") {
				known[fmt.Sprint(k.value)] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Spec.Available)) {
		if !known[name] {
			names := slices.Sorted(maps.Keys(known))
			return &badinput.Error{Key: fmt.Sprintf("plan.available.%q", name), Problem: "no candidate has this accelerator",
				Allowed: strings.Join(names, ", "), Nearest: badinput.Nearest(name, names)}
		}
	}
	return checkPrices(p.base.Prices.USDPerHour, known)
}

// Run makes the plan. What was found when ctx ends is returned with the error; the answer
// is never nil.
func (p *Planning) Run(ctx context.Context, o PlanOptions) (*results.Answer, error) {
	q := planner.Question{Target: p.base.SLO.Attainment, Spare: p.Spec.Spare}
	for _, level := range p.demand.Levels {
		q.Levels = append(q.Levels, level.Factor)
	}
	options := planner.Options{Workers: o.Workers, Builder: p.builder, Store: o.Store, Shard: o.Shard,
		Progress: o.Progress, Uncertain: p.uncertain()}
	if p.Spec.MaxRequests != nil {
		options.Allowed = *p.Spec.MaxRequests
	}
	found, err := planner.Find(ctx, p.candidates, q, options)
	a := &results.Answer{Version: Version, Name: p.File.Name, Title: p.base.Title, Experiment: p.shown(),
		Demand: p.demand, SLO: p.base.SLO.forResults(), Target: p.base.SLO.Attainment, Least: p.Spec.Objective,
		Options: found.Options, Pruned: slices.Concat(p.unfit, found.Pruned), Runs: found.Runs, Requests: found.Requests,
		Warnings: p.warnings}
	a.SchemaVersion = results.SchemaVersion
	a.FindFronts()
	a.Uncertainty = p.described(found.Uncertainty)
	switch {
	case err != nil:
	case len(a.Options) == 0:
		a.Unlimited, err = p.withoutLimits(ctx, a, "without limits", 1, q, options)
	case p.Spec.WhatIf:
		err = p.whatIf(ctx, a, q, options)
	}
	if err == nil {
		a.Expect(p.expected)
	}
	var all []*hardware.Accelerator
	for i := range p.candidates {
		all = append(all, priced(&p.candidates[i].Unit)...)
	}
	a.Prices = p.base.pricesOf(all, p.common)
	return a, p.located(err)
}

// located says by which key a plan's runs are too short, or would have to be too long, where they are.
func (p *Planning) located(err error) error {
	var few *search.TooFewError
	var many *planner.TooManyError
	switch {
	case errors.As(err, &many):
		return p.File.locate(&badinput.Error{Key: "workload", Problem: many.Error(),
			Allowed: "a share of the demand: of fleets so large a tenth serves a tenth"})
	case !errors.As(err, &few):
		return err
	}
	key := "workload.duration"
	if p.base.Workload.Trace != nil {
		key = "workload.trace"
	}
	return p.File.locate(&badinput.Error{Key: key, Problem: "too short: " + few.Error()})
}

// shown is the file, resolved for its first candidate.
func (p *Planning) shown() map[string]any {
	all := strict.Encode(p.base)
	all["plan"] = strict.Encode(&p.Spec)
	for _, key := range []string{"candidate", "expect"} {
		if tables := p.File.tree[key]; tables != nil {
			all[key] = tables
		}
	}
	return all
}
