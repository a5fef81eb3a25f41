package calibrate

import (
	"fmt"
	"slices"
	"strings"

	"kneepoint/hardware"
	"kneepoint/internal/columns"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// stepParser knows the indices of the columns.
type stepParser struct {
	indices []int   // of stepColumns
	time    int     // index of the time column
	unit    float64 // seconds of a unit of that column
	clock   string  // name of that column
	split   int     // index of the split column; -1: none
}

// newStepParser finds the columns by their names; a missing one is a *badinput.Error.
func newStepParser(names []string) (*stepParser, error) {
	indices, err := columns.Find(names, stepColumns...)
	if err != nil {
		return nil, err
	}
	p := &stepParser{indices: indices, time: -1, split: slices.Index(names, "split")}
	for i, name := range names {
		unit, known := timeColumns[name]
		if !known {
			continue
		}
		if p.time >= 0 {
			return nil, &badinput.Error{Line: 1, Problem: fmt.Sprintf("has both %s and %s", p.clock, name), Allowed: "one time column"}
		}
		p.time, p.unit, p.clock = i, unit, name
	}
	if p.time < 0 {
		return nil, &badinput.Error{Line: 1, Problem: "no column with the time of a step and its unit", Allowed: "time_ms, time_us or time_s"}
	}
	return p, nil
}

// step reads a row. A step without work, or whose context is too short for its
// sequences, is a *badinput.Error: the columns were mixed up.
func (p *stepParser) step(record []string) (Step, error) {
	var s Step
	var err error
	if s.Work.Prefill, err = parseChunks(record[p.indices[0]], record[p.indices[1]]); err != nil {
		return s, err
	}
	sequences, err := parseCount(stepColumns[2], record[p.indices[2]])
	if err != nil {
		return s, err
	}
	context, err := parseCount(stepColumns[3], record[p.indices[3]])
	if err != nil {
		return s, err
	}
	s.Work.DecodeRows, s.Work.DecodeContext = sequences, int64(context)
	s.Work.LogitRows = sequences + len(s.Work.Prefill)
	switch {
	case context < sequences:
		return s, &badinput.Error{
			Key:     stepColumns[3],
			Value:   context,
			Problem: fmt.Sprintf("less than one token for each of %d sequences", sequences),
		}
	case sequences == 0 && context > 0:
		return s, &badinput.Error{Key: stepColumns[3], Value: context, Problem: "no sequence decodes in this step"}
	case s.Work.Tokens() == 0:
		return s, &badinput.Error{Problem: "the step has neither prompt tokens nor decoding sequences"}
	}
	if s.Time, err = p.timeOf(record[p.time]); err != nil || p.split < 0 {
		return s, err
	}
	s.Holdout, err = splitOf(record[p.split])
	return s, err
}

// timeOf reads the time of a step, from a nanosecond to about a week: outside of this
// the unit is wrong.
func (p *stepParser) timeOf(text string) (units.Seconds, error) {
	text = strings.TrimSpace(text)
	x, ok := units.ParseDecimal(text)
	seconds := x * p.unit
	if !ok || !(seconds >= 1e-9) || seconds > 1e6 {
		return 0, &badinput.Error{Key: p.clock, Value: text, Problem: "not the time of a step", Allowed: "a number greater than 0"}
	}
	return units.Seconds(seconds), nil
}

// splitOf reads a cell of the split column.
func splitOf(text string) (holdout bool, err error) {
	switch text = strings.TrimSpace(text); text {
	case "train":
		return false, nil
	case "holdout":
		return true, nil
	}
	return false, &badinput.Error{Key: "split", Value: text, Problem: "unknown value", Allowed: "train or holdout"}
}

// parseChunks pairs the tokens of a step's chunks with their contexts.
func parseChunks(tokens, contexts string) ([]hardware.Chunk, error) {
	lengths, before := strings.Fields(tokens), strings.Fields(contexts)
	nothing := len(before) == 0 || len(lengths) == 0 && contexts == "0"
	if len(before) != len(lengths) && !nothing {
		return nil, &badinput.Error{
			Key:     stepColumns[1],
			Value:   contexts,
			Problem: fmt.Sprintf("has %d values for %d chunks", len(before), len(lengths)),
		}
	}
	var list []hardware.Chunk
	for i, text := range lengths {
		n, err := parseCount(stepColumns[0], text)
		if err != nil {
			return nil, err
		}
		c := hardware.Chunk{Tokens: n}
		if !nothing {
			if c.Context, err = parseCount(stepColumns[1], before[i]); err != nil {
				return nil, err
			}
		}
		if n > 0 {
			list = append(list, c)
		} else if c.Context > 0 {
			return nil, &badinput.Error{Key: stepColumns[1], Value: c.Context, Problem: "context of a chunk without tokens"}
		}
	}
	return list, nil
}

// mostTokens bounds every count of tokens, so that sums of them do not overflow.
const mostTokens = 1 << 30

// parseCount reads a whole number that is not negative; an empty cell is 0.
func parseCount(column, text string) (int, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, nil
	}
	n, ok := units.ParseCount(text)
	if !ok || n > mostTokens {
		return 0, &badinput.Error{Key: column, Value: text, Problem: "not a count", Allowed: "a whole number from 0 to 2^30"}
	}
	return int(n), nil
}
