package experiments

import (
	"slices"

	"kneepoint/experiments/results"
	"kneepoint/experiments/scenario"
	"kneepoint/units/badinput"
)

// Experiment is what a file asks for: a sweep of points, strategies at each, and a
// scenario for every strategy at every point, in as many replications. What does
// not depend on the replication is found once, when the file is resolved; the
// scenario of a run is then a copy with another number in it, made when a worker
// is free. So an experiment of many replications takes no more memory, and starts
// no later, than one of few.
type Experiment struct {
	File    *File
	Spec    Spec           // at the first point, with all strategies and without their overrides
	Axes    []results.Axis // swept variables in the order of the file; nil: nothing is swept
	points  []point
	cells   []cell            // by points, at each by strategies
	builder *scenario.Builder // shared by all runs, so that equal deployments share a cost model
	common  *shared           // by which further points are resolved
}

// cell is a strategy at a point.
type cell struct {
	strategy string
	point    point
	slo      results.SLO        // at this point
	clients  []results.Client   // likewise
	facts    results.Deployment // with the strategy's overrides
	traffic  results.Traffic    // at this point
	limits   []results.Limits   // that engines' profiles gave; nil: the file states them
	scenario scenario.Scenario  // of the first replication
	warnings []results.Warning  // that hold before anything is simulated
}

// Check resolves the file and builds every strategy at every point once, so that
// whatever is wrong is found before anything is simulated: a run of hours should not
// end at its last point. Wrong input is a *badinput.Error that names file and key.
func (f *File) Check() (*Experiment, error) {
	e, err := f.resolveAll(&scenario.Traces{})
	if err == nil {
		err = e.checkCells()
	}
	if err != nil {
		return nil, f.locate(err)
	}
	return e, nil
}

// Resolve reads every key of the file at every point for every strategy. What
// depends on several of them, such as whether the model fits, is found by Check,
// or when a scenario is built. The traces that are replayed are added to traces, where
// a Builder of the caller's finds them by their digests. Wrong input is a
// *badinput.Error that names file and key.
func (f *File) Resolve(traces *scenario.Traces) (*Experiment, error) {
	e, err := f.resolveAll(traces)
	return e, f.locate(err)
}

// resolveAll makes the scenario of every strategy at every point.
func (f *File) resolveAll(traces *scenario.Traces) (*Experiment, error) {
	if err := f.checkNoPlan(); err != nil {
		return nil, err
	}
	f, err := f.withTarget()
	if err != nil {
		return nil, err
	}
	axes, err := f.axesOf()
	if err != nil {
		return nil, err
	}
	// Swept keys may be missing outside the sweep, so the file is read with the
	// first value of each. What its tables say of each other is checked before any
	// point is resolved: a claim about a strategy that is not there would else be
	// found after a thousand of them.
	sweep, _ := f.tree["sweep"].(map[string]any)
	if err := f.checkSearch(axes); err != nil {
		return nil, err
	}
	if err := f.checkPoints(axes, sweep["mode"] == "zip"); err != nil {
		return nil, err
	}
	e := &Experiment{File: f, Axes: axes, points: points(axes, sweep["mode"] == "zip"), builder: scenario.NewBuilder(traces)}
	common := newShared(f.Traces, traces)
	e.common = common
	if e.Spec, err = f.resolve(axes, e.points[0], -1, common); err != nil {
		return nil, err
	}
	if err := e.checkRuns(); err != nil {
		return nil, err
	}
	if err := e.checkAcrossTables(); err != nil {
		return nil, err
	}
	var unread unreadKeys
	for _, p := range e.points {
		for i := range e.Spec.Strategies {
			spec, err := e.addCell(p, i, common)
			if err != nil {
				return nil, e.withCauses(&e.Spec.Strategies[i], p, err)
			}
			unread.note(spec)
		}
	}
	for _, check := range []func() error{unread.check, e.checkPriorities, e.checkPriced, e.checkPlotUnits, e.checkPlotScales} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// checkNoPlan refuses the tables of a plan.
func (f *File) checkNoPlan() error {
	for _, table := range planTables {
		if f.tree[table] != nil {
			return &badinput.Error{Key: table, Problem: "is planned, not run", Allowed: "kneepoint plan FILE"}
		}
	}
	return nil
}

// checkAcrossTables refuses tables that are about strategies, places or classes
// which the experiment does not have.
func (e *Experiment) checkAcrossTables() error {
	for _, check := range []func() error{e.checkExpectations, e.checkClaims, e.checkCurves, e.checkWitnesses, e.checkPlots} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// addCell resolves a strategy at a point. Names are looked up here, in catalogs and
// files, and nowhere later: a file that changes while simulations run changes none. It
// returns the resolved file.
func (e *Experiment) addCell(p point, strategy int, common *shared) (*Spec, error) {
	spec, c, err := e.cellAt(p, strategy, common)
	if err != nil {
		return nil, err
	}
	if len(e.cells) == strategy { // at the first point
		shown := &e.Spec.Strategies[strategy]
		shown.MaxNumSeqs, shown.MaxNumBatchedTokens = spec.Strategies[0].MaxNumSeqs, spec.Strategies[0].MaxNumBatchedTokens
		shown.Frontend.Stream = spec.Strategies[0].Frontend.Stream
	}
	e.cells = append(e.cells, c)
	return &spec, nil
}

// cellAt is a strategy at a point, which need not be one of the sweep, and its resolved
// file.
func (e *Experiment) cellAt(p point, strategy int, common *shared) (Spec, cell, error) {
	spec, err := e.File.resolve(e.Axes, p, strategy, common)
	if err != nil {
		return spec, cell{}, err
	}
	limits, err := spec.takeDefaults()
	if err != nil {
		return spec, cell{}, err
	}
	if _, err := spec.priceBasis(common); err != nil {
		return spec, cell{}, err
	}
	x, err := spec.scenario(common)
	if err != nil {
		return spec, cell{}, err
	}
	return spec, cell{strategy: spec.Strategies[0].Name, point: p,
		slo: spec.SLO.forResults(), clients: spec.clients(),
		facts: spec.deploymentFacts(), traffic: trafficFacts(&spec.Workload, common.drawnMean), limits: limits, scenario: x,
		warnings: slices.Concat(spec.prefixWarnings(), spec.transferWarnings(), spec.priceWarnings(&x))}, nil
}

// checkCells builds every strategy at every point once, since most of what can be wrong
// concerns several keys together, and a sweep may make it wrong at one point alone.
func (e *Experiment) checkCells() error {
	for i := range e.cells {
		c := &e.cells[i]
		rests, err := e.builder.Check(c.scenario, e.Spec.Replications)
		if err != nil {
			return e.withCauses(&e.Spec.Strategies[i%len(e.Spec.Strategies)], c.point, err)
		}
		c.warnings = slices.Concat(c.warnings, warningsOf(rests), trafficWarnings(&c.scenario.Traffic))
	}
	return nil
}
