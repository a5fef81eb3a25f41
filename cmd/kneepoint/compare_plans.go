package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kneepoint/experiments/compare"
	"kneepoint/experiments/results"
	"kneepoint/units/badinput"
)

// isPlan tells whether a folder holds a plan.
func isPlan(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, planFile))
	return err == nil && !results.IsIn(dir)
}

// comparedPlans compares two plans, or two candidates.
func comparedPlans(folders, names []string, o compare.Options) (*compare.Comparison, error) {
	a, b, err := readBoth(folders, readPlan)
	if err != nil {
		return nil, err
	}
	of, over := *a, *b
	if len(names) == 2 {
		of.Candidate, over.Candidate = names[0], names[1]
		if err := errors.Join(checkCandidate(a, names[0]), checkCandidate(b, names[1])); err != nil {
			return nil, err
		}
	}
	return compare.Plans(&of, &over, o)
}

// readPlan reads a plan's folder.
func readPlan(dir string) (*compare.PlanSide, error) {
	answer, err := results.ReadAnswer(filepath.Join(dir, planFile))
	if err != nil {
		return nil, err
	}
	return &compare.PlanSide{Name: dir, Answer: answer}, nil
}

// checkCandidate refuses a candidate that is not among those that serve the demand.
func checkCandidate(p *compare.PlanSide, name string) error {
	var names []string
	for i := range p.Answer.Options {
		names = append(names, p.Answer.Options[i].Name)
	}
	if slices.Contains(names, name) {
		return nil
	}
	return &badinput.Error{File: p.Name, Key: "candidate", Value: name, Problem: "does not serve the demand, or is none",
		Allowed: strings.Join(names, "; "), Nearest: badinput.Nearest(name, names)}
}
