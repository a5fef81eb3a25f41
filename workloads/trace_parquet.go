package workloads

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"kneepoint/units/badinput"
)

// readParquet reads the rows of a Parquet file, of which only the columns that are needed, and hands them on, in order,
// until add wants no more. The line of an error is the number of its row.
func (l layout) readParquet(unit string, given TraceColumns) fileReader {
	return func(file *os.File, add addRow) (err error) {
		defer func() {
			if wrong := recover(); wrong != nil { // at pages that are not what their headers say
				err = notParquet(fmt.Errorf("%v", wrong))
			}
		}()
		info, err := file.Stat()
		if err != nil {
			return err
		}
		table, err := parquet.OpenFile(file, info.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
		if err != nil {
			return notParquet(err)
		}
		p, err := newParquetParser(table.Root(), l, unit, given)
		if err != nil {
			return err
		}
		if err := p.checkSize(table); err != nil {
			return err
		}
		rows := parquet.NewGenericReader[any](table, p.schema)
		defer rows.Close()
		return p.each(rows, add)
	}
}

// notParquet says what is wrong with a file.
func notParquet(err error) error {
	return &badinput.Error{Problem: "not Parquet: " + err.Error(), Allowed: "a whole Parquet file, not compressed as such"}
}

// parquetParser turns rows of a Parquet file into those of a trace.
type parquetParser struct {
	*entryParser
	schema *parquet.Schema // of the columns that are read
	fields []field         // by column of the schema
	ids    []byte          // of the present row, as a list
}

// newParquetParser finds the columns.
func newParquetParser(root *parquet.Column, l layout, unit string, given TraceColumns) (*parquetParser, error) {
	var names []string
	for _, c := range root.Columns() {
		names = append(names, c.Name())
	}
	found, err := findColumns(names, l.columns, given)
	if err != nil {
		return nil, err
	}
	group := parquet.Group{}
	for f, name := range found {
		if name == "" {
			continue
		}
		if err := checkType(field(f), root.Column(name)); err != nil {
			return nil, err
		}
		group[name] = root.Column(name)
	}
	if own := timestampUnit(root.Column(found[timeField])); own != "" {
		if unit != "" {
			return nil, &badinput.Error{Key: "time_unit", Value: unit, Problem: "has no effect on a column of timestamps, which has its own", Allowed: "to be left out"}
		}
		l.clock = func() timeReader { return sinceFirst(own) }
	}
	entries, err := newEntryParser(l, found)
	if err != nil {
		return nil, err
	}
	p := &parquetParser{entryParser: entries, schema: parquet.NewSchema("trace", group)}
	for _, path := range p.schema.Columns() {
		p.fields = append(p.fields, field(slices.Index(found[:], path[0])))
	}
	return p, nil
}

// checkSize refuses a file whose columns are larger than a trace can be, before they are in memory.
func (p *parquetParser) checkSize(table *parquet.File) error {
	all := int64(0)
	for _, group := range table.Metadata().RowGroups {
		for _, chunk := range group.Columns {
			if path := chunk.MetaData.PathInSchema; len(path) > 0 && slices.Contains(p.names[:], path[0]) {
				all += chunk.MetaData.TotalUncompressedSize
			}
		}
	}
	if all > mostText {
		return tooMuch(fmt.Sprintf("%d GiB of its columns, uncompressed", mostText>>30))
	}
	return nil
}

// each hands on the rows.
func (p *parquetParser) each(rows *parquet.GenericReader[any], add addRow) error {
	batch := make([]parquet.Row, 256)
	for done := 0; ; {
		n, err := rows.ReadRows(batch)
		for _, values := range batch[:n] {
			done++
			more, err := p.hand(values, add)
			if err != nil || !more {
				return atLine(done, err)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return notParquet(err)
		}
	}
}

// hand hands on one row, unless its request failed.
func (p *parquetParser) hand(values parquet.Row, add addRow) (more bool, err error) {
	e := p.entry(values)
	next, ok, err := p.row(&e)
	if err != nil || !ok {
		return true, err
	}
	return add(next)
}

// entry is what a row tells.
func (p *parquetParser) entry(values parquet.Row) (e entry) {
	p.ids = append(p.ids[:0], '[')
	for _, v := range values {
		text := valueText(v)
		switch p.fields[v.Column()] {
		case timeField:
			e.time = text
		case inputField:
			e.input = text
		case outputField:
			e.output = text
		case sessionField:
			e.session = text
		case hashField:
			if len(p.ids) > 1 {
				p.ids = append(p.ids, ',')
			}
			p.ids = append(p.ids, text...)
		}
	}
	p.ids = append(p.ids, ']')
	e.hashIDs = p.ids
	return e
}

// valueText is a value as text; empty for none.
func valueText(v parquet.Value) string {
	switch {
	case v.IsNull():
		return ""
	case v.Kind() == parquet.Int32:
		return strconv.FormatInt(int64(v.Int32()), 10)
	case v.Kind() == parquet.Int64:
		return strconv.FormatInt(v.Int64(), 10)
	case v.Kind() == parquet.Float:
		return strconv.FormatFloat(float64(v.Float()), 'f', -1, 32)
	case v.Kind() == parquet.Double:
		return strconv.FormatFloat(v.Double(), 'f', -1, 64)
	}
	return v.String()
}
