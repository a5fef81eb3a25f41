package workloads

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"kneepoint/internal/jsonfields"
	"kneepoint/units/badinput"
)

// readJSONL parses a trace of one JSON object a line and hands on its rows, in order, until add wants no more. Where
// names are the usual ones, the first line says which there are.
func (l layout) readJSONL(given TraceColumns) textReader {
	return func(r io.Reader, add addRow) error {
		p := &jsonlParser{layout: l, given: given}
		return eachObject(r, func(line jsonfields.Fields) (more bool, err error) { return p.hand(line, add) })
	}
}

// byteOrderMark begins some texts in UTF-8.
const byteOrderMark = "\ufeff"

// eachObject hands on the objects in lines that are not empty, each until the next one, until next wants no more. Wrong input in a line gets its
// number.
func eachObject(r io.Reader, next func(line jsonfields.Fields) (more bool, err error)) error {
	lines := bufio.NewReaderSize(r, 1<<16)
	if mark, _ := lines.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		_, _ = lines.Discard(len(byteOrderMark))
	}
	var split jsonfields.Splitter
	for line := 1; ; line++ {
		text, err := readLine(lines)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		ended := err != nil
		if text = bytes.TrimSpace(text); len(text) > 0 {
			object, err := split.Split(text)
			more := false
			if err == nil {
				more, err = next(object)
			}
			if err != nil || !more {
				return atLine(line, err)
			}
		}
		if ended {
			return nil
		}
	}
}

// readLine is the next line, which is valid until one is read again.
func readLine(lines *bufio.Reader) ([]byte, error) {
	text, err := lines.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return text, err
	}
	begin := bytes.Clone(text)
	rest, err := lines.ReadBytes('\n')
	return append(begin, rest...), err
}

// atLine is wrong input in a line; nil stays nil.
func atLine(line int, err error) error {
	var wrong *badinput.Error
	if errors.As(err, &wrong) {
		wrong.Line = line
	}
	return err
}

// jsonlParser turns lines into rows.
type jsonlParser struct {
	layout
	given   TraceColumns
	entries *entryParser // nil before the first line
	keys    []string     // that are read
}

// hand hands on the row of a line, unless its request failed.
func (p *jsonlParser) hand(line jsonfields.Fields, add addRow) (more bool, err error) {
	next, ok, err := p.row(line)
	if err != nil || !ok {
		return true, err
	}
	return add(next)
}

// row is that of a line. It is false for a request that failed.
func (p *jsonlParser) row(line jsonfields.Fields) (r row, ok bool, err error) {
	if p.entries == nil {
		if err := p.start(line); err != nil {
			return r, false, err
		}
	}
	if err := jsonfields.CheckCase(line, p.keys...); err != nil {
		return r, false, err
	}
	value := func(f field) json.RawMessage {
		if name := p.entries.names[f]; name != "" {
			return line.Get(name)
		}
		return nil
	}
	return p.entries.row(&entry{
		time:    string(value(timeField)),
		input:   string(value(inputField)),
		output:  string(value(outputField)),
		session: sessionName(value(sessionField)),
		hashIDs: value(hashField),
	})
}

// start finds the keys, by the first line where they are not known.
func (p *jsonlParser) start(line jsonfields.Fields) (err error) {
	names := p.exactNames()
	if p.loose {
		if names, err = findColumns(line.Keys(), p.columns, p.given); err != nil {
			return err
		}
	}
	p.keys = slices.DeleteFunc(slices.Clone(names[:]), func(name string) bool { return name == "" })
	p.entries, err = newEntryParser(p.layout, names)
	return err
}

// sessionName is the text of a conversation's name, which is a string or a number; empty where there is none.
func sessionName(value json.RawMessage) string {
	if string(value) == "null" {
		return ""
	}
	return strings.Trim(string(value), `"`)
}
