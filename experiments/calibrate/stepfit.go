package calibrate

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"kneepoint/hardware"
	"kneepoint/units/badinput"
)

// StepFit is the outcome of a fit to timed steps.
type StepFit struct {
	Cost     hardware.Measured
	Training Errors   // of the steps that were fitted
	Holdout  Errors   // zero when nothing was held out
	Warnings []string // what the rows leave open
}

// The rules of a second range of batch sizes: each side has at least rangeRows
// decoding rows, and it reduces the loss to rangeGain of that of one range.
const (
	rangeRows  = 12
	rangeGain  = 0.8
	rangeTries = 16 // boundaries that are tried
)

// FitSteps fits hardware.Measured to steps. The share holdout of the rows is
// kept out of it, unless a split column says which. Coefficients are not
// negative and minimise a robust loss of the relative errors, so that a few
// rows that went wrong do not matter; decode has one or two ranges of batch
// sizes. Too few rows are a *badinput.Error.
func FitSteps(ctx context.Context, steps *Steps, holdout float64) (*StepFit, error) {
	if err := checkHoldout(holdout); err != nil {
		return nil, err
	}
	training, held := steps.divide(holdout)
	if err := checkRows(training); err != nil {
		return nil, err
	}
	best := fitSteps(training, nil)
	wanted := rangeGain * best.loss
	for _, limit := range boundaries(training) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if c := fitSteps(training, []int{limit}); c.loss < min(wanted, best.loss) {
			best = c
		}
	}
	fit := &StepFit{Cost: best.cost, Warnings: openQuestions(training, &best.cost)}
	fit.Training = summarize(relativeErrors(&fit.Cost, training))
	fit.Holdout = summarize(relativeErrors(&fit.Cost, held))
	if err := fit.Cost.Validate(); err != nil {
		return nil, err
	}
	return fit, ctx.Err()
}

// divide parts the rows as the split column says, or by chance.
func (s *Steps) divide(holdout float64) (training, held []Step) {
	chosen := heldOut(len(s.Rows), holdout)
	for i, row := range s.Rows {
		if s.Split && row.Holdout || !s.Split && chosen[i] {
			held = append(held, row)
		} else {
			training = append(training, row)
		}
	}
	return training, held
}

// checkRows refuses rows that are fewer than the parameters and two, or that
// lack one kind of work.
func checkRows(rows []Step) error {
	parameters := newStepModel(nil).parameters()
	if len(rows) < parameters+2 {
		return &badinput.Error{Problem: fmt.Sprintf("has %d steps to fit %d constants to", len(rows), parameters),
			Allowed: fmt.Sprintf("at least %d steps besides those held out", parameters+2)}
	}
	prefills, decodes := countPure(rows)
	if decodes == len(rows) {
		return &badinput.Error{Problem: "no step that is fitted to has prompt tokens", Allowed: "steps of both kinds"}
	}
	if prefills == len(rows) {
		return &badinput.Error{Problem: "in no step that is fitted to a sequence decodes", Allowed: "steps of both kinds"}
	}
	return nil
}

// boundaries are batch sizes that may end a first range.
func boundaries(rows []Step) []int {
	sizes := batches(rows)
	var distinct []int
	for i := rangeRows; i+rangeRows <= len(sizes); i++ {
		if sizes[i] != sizes[i-1] {
			distinct = append(distinct, sizes[i-1])
		}
	}
	if len(distinct) <= rangeTries {
		return distinct
	}
	tried := make([]int, rangeTries)
	for i := range tried {
		tried[i] = distinct[i*(len(distinct)-1)/(rangeTries-1)]
	}
	return tried
}

// openQuestions tells which coefficients the rows cannot tell apart or never
// show.
func openQuestions(rows []Step, cost *hardware.Measured) []string {
	var open []string
	model := newStepModel(limitsOf(cost))
	prefills, decodes := countPure(rows)
	if prefills == 0 {
		open = append(open, "no step has prompt tokens alone: the base of prefill is seen only where it is larger than that of decode")
	}
	if decodes == 0 {
		open = append(open, "in no step sequences decode alone: the base of decode is seen only where it is larger than that of prefill")
	}
	if dependentColumns(model, rows, 0) {
		open = append(
			open,
			"prefill: the prompts' lengths are too much alike to tell base, per_token and per_token2 apart; predictions hold for such lengths only",
		)
	}
	for r := range cost.Decode {
		if dependentColumns(model, rows, 3+3*r) {
			open = append(
				open,
				fmt.Sprintf(
					"decode[%d]: batch and context grow together, or not at all: base, per_context_token and per_sequence cannot be told apart",
					r,
				),
			)
		}
	}
	return open
}

// limitsOf are the largest batches of all ranges but the last, which has no limit.
func limitsOf(cost *hardware.Measured) []int {
	var limits []int
	for _, d := range cost.Decode[:len(cost.Decode)-1] {
		limits = append(limits, d.MaxBatch)
	}
	return limits
}

// nearlyDependent is the least eigenvalue of three columns of length 1 below
// which noise of a percent leaves their coefficients open.
const nearlyDependent = 1e-5

// dependentColumns tells whether three coefficients, from the first one on, are
// left open by the rows.
func dependentColumns(model *stepModel, rows []Step, first int) bool {
	l := model.relative(rows)
	gram := mat.NewSymDense(3, nil)
	for i := range rows {
		part := l.row(i)[first : first+3]
		gram.SymRankOne(gram, 1, mat.NewVecDense(3, part))
	}
	normalize(gram)
	var eigen mat.EigenSym
	return !eigen.Factorize(gram, false) || eigen.Values(nil)[0] < nearlyDependent
}
