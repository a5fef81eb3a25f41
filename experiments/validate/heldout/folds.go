package heldout

import (
	"maps"
	"slices"
	"strings"

	"kneepoint/experiments/validate"
	"kneepoint/units/badinput"
)

// fold is a group of runs that a fit leaves out.
type fold struct {
	of, name string // like "model", "llama-3.1-8b"
}

// Kinds of groups, in the order in which they are reported.
const (
	Model       = "model"
	Version     = "version"
	Accelerator = "accelerator"
)

// Relatives is the kind of predictions of an accelerator that was left out with the kernels that the
// catalog has for one that was not measured: each that of another of its architecture of which it was measured, of its
// class where there is none.
const Relatives = "accelerator beside relatives"

// kinds are all kinds of groups, and reported those of predictions.
var (
	kinds    = []string{Model, Version, Accelerator}
	reported = append(slices.Clone(kinds), Relatives)
)

// groupOf is the group of a kind that a case is in.
func groupOf(c *validate.Case, kind string) string {
	switch kind {
	case Model:
		return family(c.Labels["model"])
	case Version:
		if c.Labels["version"] == "" {
			return c.Labels["engine"] + ", version unknown"
		}
		return c.Labels["version"]
	}
	return c.Labels[kind]
}

// family is a model without its publisher, instructed or not.
func family(name string) string {
	_, name, _ = strings.Cut(strings.ToLower(name), "/")
	for _, suffix := range []string{"-hf", "-2407", "-instruct", "-v0.1"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return name
}

// folds leave out every group of every kind in turn. Without a second group of a kind there
// would be nothing to fit to.
func folds(cases []validate.Case) []fold {
	var all []fold
	for _, kind := range kinds {
		names := map[string]bool{}
		for i := range cases {
			names[groupOf(&cases[i], kind)] = true
		}
		if len(names) < 2 {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(names)) {
			all = append(all, fold{kind, name})
		}
	}
	return all
}

// studied are the cases that constants are fitted to: prompts and answers on replicas of
// their own have numbers of clients that are not recorded.
func studied(cases []validate.Case) []validate.Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c validate.Case) bool { return c.Skip != "" || c.Labels["mode"] == "disagg" })
}

// Check refuses cases of which no group can be left out.
func Check(cases []validate.Case) error {
	if len(folds(studied(cases))) > 0 {
		return nil
	}
	return &badinput.Error{Key: "--held-out", Value: true, Problem: "nothing is left to fit to without the only model, version and accelerator",
		Allowed: "measurements of two models, versions of an engine, or accelerators"}
}

// holds tells whether a run is left out.
func (f fold) holds(x *run) bool { return groupOf(x.c, f.of) == f.name }

// split is the runs that are left out, and the others.
func (f fold) split(runs []*run) (held, others []*run) {
	for _, x := range runs {
		if f.holds(x) {
			held = append(held, x)
		} else {
			others = append(others, x)
		}
	}
	return held, others
}
