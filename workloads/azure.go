package workloads

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"kneepoint/internal/badinput"
)

// azureColumns are those of the Azure LLM inference traces of 2023 and 2024
// (github.com/Azure/AzurePublicDataset): a wall clock time, prompt tokens and
// generated tokens. Others may stand between them, in any order.
var azureColumns = [3]string{"TIMESTAMP", "ContextTokens", "GeneratedTokens"}

// readAzure parses a trace in the Azure format and hands on its rows, in order,
// until add wants no more. Times count from the first row.
func readAzure(r io.Reader, add func(row) (more bool)) error {
	table := csv.NewReader(r)
	table.ReuseRecord, table.FieldsPerRecord = true, -1
	header, err := table.Read()
	if errors.Is(err, io.EOF) {
		return &badinput.Error{Problem: "the trace is empty", Allowed: "a header and rows"}
	}
	if err != nil {
		return malformed(err)
	}
	p := azureParser{}
	if p.columns, err = findColumns(header); err != nil {
		return err
	}
	for {
		record, err := table.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return malformed(err)
		}
		next, err := p.row(record)
		if err != nil {
			return atLine(err, table)
		}
		if !add(next) {
			return nil
		}
	}
}

// findColumns returns the places of the columns in the header.
func findColumns(header []string) (places [3]int, err error) {
	for i, name := range azureColumns {
		places[i] = slices.IndexFunc(header, func(h string) bool { return strings.TrimSpace(h) == name })
		if places[i] < 0 {
			e := &badinput.Error{Line: 1, Problem: fmt.Sprintf("no column %q", name), Allowed: strings.Join(azureColumns[:], ",")}
			if near := badinput.Nearest(name, header); near != "" {
				e.Problem += fmt.Sprintf(" (%q is close)", near)
			}
			return places, e
		}
	}
	return places, nil
}

// azureParser turns records into rows.
type azureParser struct {
	columns [3]int
	layout  int // of timeLayouts: the one that fitted last
	first   time.Time
	latest  float64
	started bool
}

func (p *azureParser) row(record []string) (r row, err error) {
	if widest := slices.Max(p.columns[:]); widest >= len(record) {
		return r, &badinput.Error{Problem: fmt.Sprintf("has %d columns, too few", len(record))}
	}
	at, err := p.time(record[p.columns[0]])
	if err != nil {
		return r, err
	}
	if !p.started {
		p.first, p.started = at, true
	}
	r.at = at.Sub(p.first).Seconds()
	if r.at < p.latest {
		return r, &badinput.Error{Problem: "is earlier than the row before: sort the trace by time"}
	}
	p.latest = r.at
	if r.input, err = tokens(azureColumns[1], record[p.columns[1]]); err != nil {
		return r, err
	}
	r.output, err = tokens(azureColumns[2], record[p.columns[2]])
	return r, err
}

// timeLayouts are the notations of time that were seen in these traces; Go reads
// fractions of a second after any of them.
var timeLayouts = [...]string{"2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05"}

func (p *azureParser) time(text string) (time.Time, error) {
	text = strings.TrimSpace(text)
	for range timeLayouts {
		if at, err := time.Parse(timeLayouts[p.layout], text); err == nil {
			return at, nil
		}
		p.layout = (p.layout + 1) % len(timeLayouts)
	}
	return time.Time{}, &badinput.Error{Problem: fmt.Sprintf("%s %.40q is not a time", azureColumns[0], text), Allowed: "like 2023-11-16 18:15:46.6805900"}
}

func tokens(column, text string) (int32, error) {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 32)
	if err != nil || n < 1 || n > mostTokens {
		return 0, &badinput.Error{Problem: fmt.Sprintf("%s %.40q is not a number of tokens", column, text), Allowed: "whole numbers of at least 1"}
	}
	return int32(n), nil
}

// malformed turns an error of the CSV reader into one of ours; errors of the
// file below it pass.
func malformed(err error) error {
	var syntax *csv.ParseError
	if errors.As(err, &syntax) {
		return &badinput.Error{Line: syntax.Line, Problem: "not CSV: " + syntax.Err.Error()}
	}
	return err
}

// atLine adds the line of the record that table read last.
func atLine(err error, table *csv.Reader) error {
	var wrong *badinput.Error
	if !errors.As(err, &wrong) {
		return err
	}
	wrong.Line, _ = table.FieldPos(0)
	return wrong
}
