package validate

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"kneepoint/units/badinput"
)

// Case is one measured run, as an experiment that repeats it.
type Case struct {
	ID       string
	Set      string            // "e2e" or "silicon"
	Labels   map[string]string // what groups it belongs to: accelerator, engine, …
	Measured []Measured
	Folder   string         // that relative paths in Tree start from
	Tree     map[string]any // the experiment
	Skip     string         // why it cannot be simulated; empty when it can
}

// Measured is one measured number of a run.
type Measured struct {
	Metric string  // as the measurement's column, like "tpot_mean_ms"
	Key    string  // of the results, like "mean_tpot_ms"
	Value  float64 // in the unit of both
}

// table is a CSV file with a header. Errors name the file, the line and the column.
type table struct {
	path  string
	rows  []map[string]string
	lines []int // of the file, by row: empty lines and cells of several lines count
}

// readTable reads a CSV file that has at least the given columns.
func readTable(path string, columns []string) (*table, error) {
	t, err := badinput.ReadFile(path, func(r io.Reader) (*table, error) { return parseTable(r, columns) })
	if err != nil {
		return nil, err
	}
	t.path = path
	return t, nil
}

func parseTable(r io.Reader, columns []string) (*table, error) {
	reader := csv.NewReader(r)
	header, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, &badinput.Error{Problem: "is empty", Allowed: "a header and rows"}
	}
	if err != nil {
		return nil, badinput.NotCSV(err)
	}
	for _, c := range columns {
		if !slices.Contains(header, c) {
			return nil, &badinput.Error{Line: 1, Problem: fmt.Sprintf("no column %q", c), Nearest: badinput.Nearest(c, header)}
		}
	}
	t := &table{}
	for {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if err != nil {
			return nil, badinput.NotCSV(err)
		}
		row := make(map[string]string, len(header))
		for j, name := range header {
			row[name] = strings.TrimSpace(record[j])
		}
		line, _ := reader.FieldPos(0)
		t.rows, t.lines = append(t.rows, row), append(t.lines, line)
	}
}

// number reads a cell as a number that is at least 0; false when it is empty.
func (t *table) number(i int, column string) (x float64, given bool, err error) {
	text := t.rows[i][column]
	if text == "" {
		return 0, false, nil
	}
	x, err = strconv.ParseFloat(text, 64)
	if err != nil || !(x >= 0) || x > 1e15 {
		return 0, false, &badinput.Error{
			File:    t.path,
			Line:    t.lines[i],
			Key:     column,
			Value:   text,
			Problem: "must be a number that is not negative",
		}
	}
	return x, true, nil
}

// whole reads a cell as a whole number that is at least 0; false when it is empty.
func (t *table) whole(i int, column string) (n int64, given bool, err error) {
	x, given, err := t.number(i, column)
	if err == nil && x != math.Trunc(x) {
		err = &badinput.Error{File: t.path, Line: t.lines[i], Key: column, Value: t.rows[i][column], Problem: "must be a whole number"}
	}
	return int64(x), given, err
}

// required reads a number from a cell that must not be empty.
func (t *table) required(i int, column string) (float64, error) {
	x, given, err := t.number(i, column)
	return x, t.checkGiven(i, column, given, err)
}

// requiredWhole reads a whole number from a cell that must not be empty.
func (t *table) requiredWhole(i int, column string) (int64, error) {
	n, given, err := t.whole(i, column)
	return n, t.checkGiven(i, column, given, err)
}

// checkGiven is err, or the error of a cell that is empty and must not be.
func (t *table) checkGiven(i int, column string, given bool, err error) error {
	if err == nil && !given {
		err = &badinput.Error{File: t.path, Line: t.lines[i], Key: column, Problem: "missing"}
	}
	return err
}

// measured reads the cells of the given columns that are not empty. A measured 0 is
// left out, since no relative error can be computed from it.
func (t *table) measured(i int, keys []Measured) ([]Measured, error) {
	var all []Measured
	for _, m := range keys {
		x, given, err := t.number(i, m.Metric)
		if err != nil {
			return nil, err
		}
		if given && x > 0 {
			all = append(all, Measured{m.Metric, m.Key, x})
		}
	}
	return all, nil
}
