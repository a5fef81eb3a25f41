package workloads

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

// layout is what a format says of the columns of a trace, and of what stands in them.
type layout struct {
	columns [fields]column
	clock   func() timeReader
	block   int  // tokens that a hash ID names; 0: the format leaves it open
	failed  bool // a row without tokens of the answer is a request that failed, and left out
	loose   bool // a number of tokens may be written like 5.0
}

// entry is what a trace tells of one request, as it stands there.
type entry struct {
	time, input, output, session string
	hashIDs                      json.RawMessage
}

// entryParser turns entries into rows.
type entryParser struct {
	layout
	names  [fields]string // of the columns; empty: there is none
	read   timeReader
	latest float64
	talks  talks
}

// newEntryParser is that of a trace with columns of these names.
func newEntryParser(l layout, names [fields]string) (*entryParser, error) {
	switch hashed := names[hashField] != ""; {
	case hashed && l.block == 0:
		return nil, &badinput.Error{Key: "block_size", Problem: "missing: the trace has " + names[hashField], Allowed: "the number of tokens that an ID names"}
	case !hashed && l.block > 0:
		return nil, &badinput.Error{Key: "block_size", Value: l.block, Problem: "has no effect on a trace without hash_ids"}
	}
	return &entryParser{layout: l, names: names, read: l.clock(), talks: talks{byName: map[string]*talk{}}}, nil
}

// row is the row of an entry. It is false for a request that failed.
func (p *entryParser) row(e *entry) (r row, ok bool, err error) {
	if r.at, err = p.read(e.time); err != nil {
		return r, false, p.notATime(e.time, err)
	}
	if r.at < p.latest {
		return r, false, &badinput.Error{Problem: "is earlier than the row before: sort the trace by time"}
	}
	p.latest = r.at
	if p.failed && (e.output == "0" || e.input == "0") {
		return r, false, nil
	}
	if r.input, err = p.tokens(inputField, e.input); err != nil {
		return r, false, err
	}
	if r.output, err = p.tokens(outputField, e.output); err != nil {
		return r, false, err
	}
	return r, true, p.share(&r, e)
}

// notATime is the error of a time that its clock does not read.
func (p *entryParser) notATime(text string, allowed error) error {
	var wrong *badinput.Error
	if errors.As(allowed, &wrong) {
		return wrong
	}
	return &badinput.Error{Problem: fmt.Sprintf("%s %.40q is not a time", p.names[timeField], text), Allowed: allowed.Error()}
}

// tokens is a number of them.
func (p *entryParser) tokens(f field, text string) (int32, error) {
	if p.loose {
		text = strings.TrimSuffix(strings.TrimSpace(text), ".0")
	}
	return tokens(p.names[f], text)
}

// share names what the row has in common with others.
func (p *entryParser) share(r *row, e *entry) (err error) {
	if e.session != "" {
		p.talks.next(e.session, r)
	}
	if p.names[hashField] != "" {
		r.named = 0 // the IDs say it
		r.content, err = blocks(e.hashIDs, p.block, int(r.input))
	}
	return err
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
