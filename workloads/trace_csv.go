package workloads

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"kneepoint/internal/columns"
	"kneepoint/units/badinput"
)

// openCSV begins to parse a trace of comma-separated values with a header, in any order of the columns.
func (l layout) openCSV(given TraceColumns) textOpener {
	return func(text io.Reader) (rowReader, error) {
		table := newCSVTable(text)
		return newCSVParser(table, l, given)
	}
}

// next implements rowReader.
func (p *csvParser) next() (r row, ok bool, err error) {
	for {
		record, err := p.table.read()
		if errors.Is(err, io.EOF) {
			return r, false, nil
		}
		if err != nil {
			return r, false, err
		}
		r, ok, err = p.row(record)
		if err != nil || ok {
			return r, ok, atLine(p.table.line, err)
		}
	}
}

// csvParser turns records into rows.
type csvParser struct {
	*entryParser
	table  *csvTable
	width  int         // columns of the header
	column [fields]int // by field; -1: there is none
}

// newCSVParser reads the header.
func newCSVParser(table *csvTable, l layout, given TraceColumns) (*csvParser, error) {
	header, err := table.read()
	if errors.Is(err, io.EOF) {
		return nil, &badinput.Error{Problem: "the trace is empty", Allowed: "a header and rows"}
	}
	if err != nil {
		return nil, err
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
	p := &csvParser{entryParser: entries, table: table, width: len(header)}
	for f, name := range found {
		if p.column[f] = -1; name != "" {
			p.column[f] = slices.Index(names, name)
		}
	}
	return p, err
}

// at implements rowReader.
func (p *csvParser) at() int { return p.table.line }

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
