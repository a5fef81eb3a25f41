package calibrate

import (
	"encoding/csv"
	"errors"
	"io"

	"kneepoint/hardware"
	"kneepoint/internal/columns"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// Step is one timed step.
type Step struct {
	Work    hardware.Work
	Time    units.Seconds
	Holdout bool // as the split column says
}

// Steps is a table of timed steps.
type Steps struct {
	Rows  []Step
	Split bool // the table has a split column
}

// stepColumns are the columns that a table of steps must have, besides a time.
var stepColumns = []string{"prefill_tokens", "prefill_context", "decode_sequences", "decode_context_tokens"}

// timeColumns are the columns that can hold the time of a step, with their unit in
// seconds.
var timeColumns = map[string]float64{"time_ms": 1e-3, "time_us": 1e-6, "time_s": 1}

// ReadSteps reads a table of steps from a CSV file; see ParseSteps.
func ReadSteps(path string) (*Steps, error) {
	return badinput.ReadFile(path, badinput.MostTable, ParseSteps)
}

// ParseSteps reads comma-separated values with a header, one step per row:
//
//	prefill_tokens         tokens of the step's prompt chunks, separated by spaces
//	prefill_context        for each chunk, the tokens that are in the KV cache already
//	decode_sequences       sequences that decode
//	decode_context_tokens  sum of the tokens they attend to, each with its new one
//	time_ms                how long the step took; or time_us, or time_s
//	split                  optional: train or holdout
//
// An empty cell is 0. Other columns may be among them, and are ignored. What is wrong is
// a *badinput.Error with its line.
func ParseSteps(r io.Reader) (*Steps, error) {
	table := csv.NewReader(r)
	table.ReuseRecord, table.TrimLeadingSpace = true, true
	names, err := columns.Header(table)
	if err != nil {
		return nil, err
	}
	p, err := newStepParser(names)
	if err != nil {
		return nil, err
	}
	steps := &Steps{Split: p.split >= 0}
	for {
		record, err := table.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, badinput.NotCSV(err)
		}
		step, err := p.step(record)
		if err != nil {
			return nil, badinput.AtRecord(err, table)
		}
		steps.Rows = append(steps.Rows, step)
	}
	if len(steps.Rows) == 0 {
		return nil, &badinput.Error{Problem: "has no rows below its header", Allowed: "a row for each step"}
	}
	return steps, nil
}
