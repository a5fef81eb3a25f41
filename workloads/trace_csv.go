package workloads

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"kneepoint/internal/columns"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// csvFormat is a trace format of comma-separated values with a header: which
// columns hold the time, the prompt tokens and the generated tokens, and how a
// time reads. Other columns may come between them, in any order.
type csvFormat struct {
	columns [3]string
	clock   func() func(text string) (seconds float64, err error)
}

// csvFormats are the formats by their name in an experiment file.
var csvFormats = map[string]csvFormat{
	// The Azure LLM inference traces of 2023 and 2024
	// (github.com/Azure/AzurePublicDataset); times are a wall clock's.
	"azure": {[3]string{"TIMESTAMP", "ContextTokens", "GeneratedTokens"}, wallClock},
	// The per-request files of serving measurements; times are seconds.
	"measured": {[3]string{"arrival_s", "prompt_tokens", "output_tokens"}, secondsClock},
}

// read parses a trace and hands on its rows, in order, until add wants no more.
func (f csvFormat) read(r io.Reader, add addRow) error {
	table := csv.NewReader(r)
	table.ReuseRecord, table.FieldsPerRecord = true, -1
	header, err := table.Read()
	if errors.Is(err, io.EOF) {
		return &badinput.Error{Problem: "the trace is empty", Allowed: "a header and rows"}
	}
	if err != nil {
		return badinput.NotCSV(err)
	}
	names, err := columns.Names(header)
	if err != nil {
		return err
	}
	found, err := columns.Find(names, f.columns[:]...)
	if err != nil {
		return err
	}
	p := csvParser{format: f, clock: f.clock(), width: len(header), column: [3]int(found)}
	for {
		record, err := table.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return badinput.NotCSV(err)
		}
		next, err := p.row(record)
		if err != nil {
			return badinput.AtRecord(err, table)
		}
		more, err := add(next)
		if err != nil {
			return badinput.AtRecord(err, table)
		}
		if !more {
			return nil
		}
	}
}

// csvParser turns records into rows.
type csvParser struct {
	format csvFormat
	width  int // columns of the header
	column [3]int
	clock  func(text string) (seconds float64, err error)
	latest float64
}

func (p *csvParser) row(record []string) (r row, err error) {
	if len(record) != p.width {
		return r, &badinput.Error{Problem: fmt.Sprintf("has %d columns", len(record)), Allowed: fmt.Sprintf("%d, as the header", p.width)}
	}
	if r.at, err = p.clock(record[p.column[0]]); err != nil {
		return r, &badinput.Error{Problem: fmt.Sprintf("%s %.40q is not a time", p.format.columns[0], record[p.column[0]]), Allowed: err.Error()}
	}
	if r.at < p.latest {
		return r, &badinput.Error{Problem: "is earlier than the row before: sort the trace by time"}
	}
	p.latest = r.at
	if r.input, err = tokens(p.format.columns[1], record[p.column[1]]); err != nil {
		return r, err
	}
	r.output, err = tokens(p.format.columns[2], record[p.column[2]])
	return r, err
}

// secondsClock reads numbers of seconds, not negative.
func secondsClock() func(string) (float64, error) {
	return func(text string) (float64, error) {
		at, ok := units.ParseDecimal(strings.TrimSpace(text))
		if !ok {
			return 0, errors.New("a number of seconds from 0 on")
		}
		return at, nil
	}
}

// timeLayouts are the notations of time that were seen in these traces; Go reads
// fractions of a second after any of them.
var timeLayouts = [...]string{"2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05"}

// wallClock reads dates with times; they count from the first one.
func wallClock() func(string) (float64, error) {
	var first time.Time
	layout, started := 0, false
	return func(text string) (float64, error) {
		for range timeLayouts {
			at, err := time.Parse(timeLayouts[layout], strings.TrimSpace(text))
			if err != nil {
				layout = (layout + 1) % len(timeLayouts) // the one that fits stays
				continue
			}
			if !started {
				first, started = at, true
			}
			return at.Sub(first).Seconds(), nil
		}
		return 0, errors.New("like 2023-11-16 18:15:46.6805900")
	}
}

func tokens(column, text string) (int32, error) {
	n, ok := units.ParseCount(strings.TrimSpace(text))
	if !ok || n < 1 || n > mostTokens {
		return 0, &badinput.Error{
			Problem: fmt.Sprintf("%s %.40q is not a number of tokens", column, text),
			Allowed: fmt.Sprintf("whole numbers from 1 to %d", mostTokens),
		}
	}
	return int32(n), nil
}
