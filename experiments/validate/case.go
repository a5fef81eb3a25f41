package validate

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"kneepoint/internal/columns"
	"kneepoint/units"
	"kneepoint/units/badinput"
	"kneepoint/units/printable"
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

	// Held is how many decode steps a prompt waits in the mean before the server lets it join.
	Held float64
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
	t, err := badinput.ReadFile(path, badinput.MostTable, func(r io.Reader) (*table, error) { return parseTable(r, columns) })
	if err != nil {
		return nil, err
	}
	t.path = path
	return t, nil
}

func parseTable(r io.Reader, wanted []string) (*table, error) {
	reader := csv.NewReader(r)
	names, err := columns.Header(reader)
	if err != nil {
		return nil, err
	}
	if _, err := columns.Find(names, wanted...); err != nil {
		return nil, err
	}
	t := &table{}
	for {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, badinput.NotCSV(err)
		}
		row := make(map[string]string, len(names))
		for j, name := range names {
			row[name] = strings.TrimSpace(record[j])
		}
		line, _ := reader.FieldPos(0)
		t.rows, t.lines = append(t.rows, row), append(t.lines, line)
	}
	if len(t.rows) == 0 {
		return nil, &badinput.Error{Problem: "has no rows below its header", Allowed: "a row for each measured run"}
	}
	return t, t.checkText(wanted)
}

// checkText refuses a row without an ID or with that of another one, by which results are
// known, and text in the columns that results show which they could not.
func (t *table) checkText(shown []string) error {
	lines := map[string]int{}
	for i, row := range t.rows {
		for _, column := range shown {
			if !printable.Line(row[column]) {
				return t.wrong(i, column, "must be one line of text, without control characters", "")
			}
		}
		id := row["id"]
		if id == "" {
			return t.wrong(i, "id", "missing", "a name of the run")
		}
		if first, twice := lines[id]; twice {
			return t.wrong(i, "id", fmt.Sprintf("stands in line %d too", first), "each run once")
		}
		lines[id] = t.lines[i]
	}
	return nil
}

// wrong is the error of a cell.
func (t *table) wrong(i int, column, problem, allowed string) error {
	e := &badinput.Error{File: t.path, Line: t.lines[i], Key: column, Problem: problem, Allowed: allowed}
	if text := t.rows[i][column]; text != "" {
		e.Value = text
	}
	return e
}

// mostNumber bounds what a cell may hold: beyond it nothing was measured.
const mostNumber = 1e15

// number reads a cell as a number, which is at least 0; false when it is empty.
func (t *table) number(i int, column string) (x float64, given bool, err error) {
	text := t.rows[i][column]
	if text == "" {
		return 0, false, nil
	}
	x, ok := units.ParseDecimal(text)
	if !ok || x > mostNumber {
		return 0, false, t.wrong(i, column, "not a number", "digits, of at most 1e15")
	}
	return x, true, nil
}

// positive reads a cell as a number above 0; false when it is empty.
func (t *table) positive(i int, column string) (x float64, given bool, err error) {
	x, given, err = t.number(i, column)
	if err == nil && given && x == 0 {
		err = t.wrong(i, column, "must be greater than 0", "a number, or an empty cell where it is not known")
	}
	return x, given, err
}

// whole reads a cell as a whole number that is at least a smallest one; false when it is
// empty.
func (t *table) whole(i int, column string, least int64) (n int64, given bool, err error) {
	x, given, err := t.number(i, column)
	if err == nil && given && (x != math.Trunc(x) || int64(x) < least) {
		err = t.wrong(i, column, "not a count", fmt.Sprintf("a whole number from %d", least))
	}
	return int64(x), given, err
}

// required reads a number above 0 from a cell that must not be empty.
func (t *table) required(i int, column string) (float64, error) {
	x, given, err := t.positive(i, column)
	return x, t.checkGiven(i, column, given, err)
}

// requiredWhole reads a whole number from 1 from a cell that must not be empty.
func (t *table) requiredWhole(i int, column string) (int64, error) {
	n, given, err := t.whole(i, column, 1)
	return n, t.checkGiven(i, column, given, err)
}

// checkGiven is err, or the error of a cell that is empty and must not be.
func (t *table) checkGiven(i int, column string, given bool, err error) error {
	if err == nil && !given {
		err = t.wrong(i, column, "missing", "")
	}
	return err
}

// measured reads the cells of the given columns that are neither empty nor 0, which is
// how some write that nothing was measured.
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
