package main

import (
	"kneepoint/units/badinput"
)

// runFlags are the flags of run.
type runFlags struct {
	out       string
	set       []string
	engine    string
	metrics   string
	seed      uint64
	workers   int
	requests  bool
	why       bool
	json      bool
	quiet     bool
	noColor   bool
	noFigures bool
}

// check refuses values that the flags' types allow, before anything is read or
// simulated.
func (f *runFlags) check() error {
	if err := checkWorkers(f.workers); err != nil {
		return err
	}
	if err := oneOf("--engine", f.engine, "stretch", "reference"); err != nil {
		return err
	}
	if err := oneOf("--metrics", f.metrics, "exact", "streaming"); err != nil {
		return err
	}
	if f.requests && f.metrics == "streaming" {
		return &badinput.Error{Key: "--metrics", Value: f.metrics, Problem: "keeps no requests to write with --requests", Allowed: "exact"}
	}
	return nil
}

// figures says whether to draw any. A program that reads JSON has no use for them.
func (f *runFlags) figures() bool { return !f.json && !f.noFigures }
