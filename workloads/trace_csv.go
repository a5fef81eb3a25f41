package workloads

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"kneepoint/internal/columns"
	"kneepoint/units/badinput"
)

// readCSV parses a trace of comma-separated values with a header, in any order of the columns, and hands on its rows, in
// order, until add wants no more.
func (l layout) readCSV(given TraceColumns) textReader {
	return func(r io.Reader, add addRow) error {
		table := csv.NewReader(r)
		table.ReuseRecord, table.FieldsPerRecord = true, -1
		p, err := newCSVParser(table, l, given)
		if err != nil {
			return err
		}
		for {
			record, err := table.Read()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return badinput.NotCSV(err)
			}
			next, ok, err := p.row(record)
			if err == nil && !ok {
				continue
			}
			more := false
			if err == nil {
				more, err = add(next)
			}
			if err != nil {
				return badinput.AtRecord(err, table)
			}
			if !more {
				return nil
			}
		}
	}
}

// csvParser turns records into rows.
type csvParser struct {
	*entryParser
	width  int         // columns of the header
	column [fields]int // by field; -1: there is none
}

// newCSVParser reads the header.
func newCSVParser(table *csv.Reader, l layout, given TraceColumns) (*csvParser, error) {
	header, err := table.Read()
	if errors.Is(err, io.EOF) {
		return nil, &badinput.Error{Problem: "the trace is empty", Allowed: "a header and rows"}
	}
	if err != nil {
		return nil, badinput.NotCSV(err)
	}
	names, err := columns.Names(header)
	if err != nil {
		return nil, err
	}
	found, err := findColumns(names, l.columns, given)
	if err != nil {
		return nil, err
	}
	entries, err := newEntryParser(l, found)
	p := &csvParser{entryParser: entries, width: len(header)}
	for f, name := range found {
		if p.column[f] = -1; name != "" {
			p.column[f] = slices.Index(names, name)
		}
	}
	return p, err
}

func (p *csvParser) row(record []string) (r row, ok bool, err error) {
	if len(record) != p.width {
		return r, false, &badinput.Error{Problem: fmt.Sprintf("has %d columns", len(record)), Allowed: fmt.Sprintf("%d, as the header", p.width)}
	}
	e := entry{time: record[p.column[timeField]], input: record[p.column[inputField]], output: record[p.column[outputField]]}
	if at := p.column[sessionField]; at >= 0 {
		e.session = record[at]
	}
	if at := p.column[hashField]; at >= 0 {
		e.hashIDs = json.RawMessage(record[at])
	}
	return p.entryParser.row(&e)
}
