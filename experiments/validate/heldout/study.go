package heldout

import (
	"context"

	"kneepoint/experiments/validate"
)

// perCampaign is how many runs of a campaign enter a fit: campaigns have from one to 177
// runs, which differ in load and lengths alone.
const perCampaign = 4

// Options say how a study is made; its outcome does not depend on them.
type Options struct {
	Workers  int                   // simulations at a time; 0: one per core
	Progress func(done, total int) // called after each refit
}

// Report is how well constants that were fitted without a group predict it.
type Report struct {
	Constants []Constant `json:"constants"` // fitted to all groups
	Folds     []Fold     `json:"folds"`
	Errors    []Errors   `json:"errors"` // by kind, group and metric
}

// Fold is a refit without a group.
type Fold struct {
	Of        string     `json:"of"` // Model, Version or Accelerator
	Left      string     `json:"left_out"`
	Constants []Constant `json:"constants"`
}

// Constant is one that was refitted.
type Constant struct {
	Owner string  `json:"owner"` // an engine profile, or a kind of expert kernels
	Key   string  `json:"key"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"` // empty: a share
}

// Study refits without every model, version and accelerator of the cases in turn. builtIn are
// the rows of the cases with the constants that are built in.
func Study(ctx context.Context, cases []validate.Case, builtIn []validate.Row, o Options) (*Report, error) {
	cases = studied(cases)
	s := &study{repeater: repeater{workers: o.Workers, known: map[outcome]rows{}}, builtIn: builtIn, report: &Report{}}
	s.runs = s.repeater.runs(cases)
	s.fitted = s.repeater.runs(thinned(brief(cases), perCampaign))
	if err := s.fitAll(ctx); err != nil {
		return nil, err
	}
	all := folds(cases)
	for i, f := range all {
		if err := s.leaveOut(ctx, f); err != nil {
			return nil, err
		}
		if o.Progress != nil {
			o.Progress(i+1, len(all))
		}
	}
	s.summarize()
	return s.report, nil
}

// study is one under way.
type study struct {
	repeater
	runs    []*run // that are predicted
	fitted  []*run // that constants are fitted to
	builtIn []validate.Row
	inFit   []validate.Row // of all runs with the constants that are fitted to all
	held    []prediction
	report  *Report
}

// prediction is the rows of a group with constants that were fitted without it.
type prediction struct {
	fold
	rows []validate.Row
}

// fitAll fits to all groups.
func (s *study) fitAll(ctx context.Context) error {
	at, err := s.fit(ctx, s.fitted)
	if err != nil {
		return err
	}
	s.report.Constants = s.constants(at)
	s.inFit, err = s.predicted(ctx, s.runs, at)
	return err
}

// leaveOut fits without a group, and predicts it.
func (s *study) leaveOut(ctx context.Context, f fold) error {
	_, others := f.split(s.fitted)
	at, err := s.fit(ctx, others)
	if err != nil {
		return err
	}
	s.report.Folds = append(s.report.Folds, Fold{f.of, f.name, s.constants(at)})
	held, _ := f.split(s.runs)
	if f.of != Accelerator {
		return s.hold(ctx, f, held, at)
	}
	for _, kind := range []string{Accelerator, Relatives} {
		unknown, err := unmeasured(held, standIns[kind])
		if err == nil {
			err = s.hold(ctx, fold{kind, f.name}, unknown, at)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// hold predicts the runs of a group with constants that were fitted without it.
func (s *study) hold(ctx context.Context, f fold, held []*run, at place) error {
	rows, err := s.predicted(ctx, held, at)
	s.held = append(s.held, prediction{f, rows})
	return err
}

// predicted are the rows of runs at a place, one after the other.
func (s *study) predicted(ctx context.Context, runs []*run, at place) ([]validate.Row, error) {
	found, err := s.predict(ctx, runs, at)
	var all []validate.Row
	for _, rows := range found {
		all = append(all, rows...)
	}
	return all, err
}

// constants are the values of a place.
func (s *study) constants(at place) []Constant {
	all := make([]Constant, len(at))
	for i := range at {
		k := &s.knobs[i]
		all[i] = Constant{k.owner, k.of.key, k.of.values[at[i]], k.of.unit}
	}
	return all
}
