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

// openJSONL begins to parse a trace of one JSON object a line. Where names are the usual ones, the first line says which there are.
func (l layout) openJSONL(given TraceColumns) textOpener {
	return func(text io.Reader) (rowReader, error) {
		return &jsonlParser{layout: l, given: given, objects: newObjects(text)}, nil
	}
}

// byteOrderMark begins some texts in UTF-8.
const byteOrderMark = "\ufeff"

// eachObject hands on the objects in lines that are not empty, each until the next one, until next wants no more. Wrong input in a line gets its
// number.
func eachObject(r io.Reader, next func(line jsonfields.Fields) (more bool, err error)) error {
	objects := newObjects(r)
	for {
		object, err := objects.next()
		if err != nil {
			return unlessEnd(err)
		}
		if more, err := next(object); err != nil || !more {
			return atLine(objects.line, err)
		}
	}
}

// unlessEnd is an error but the end of a text.
func unlessEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// objects reads the objects in lines of a text that are not empty.
type objects struct {
	lines *bufio.Reader
	line  int // of the last one
	ended bool
	split jsonfields.Splitter
}

func newObjects(text io.Reader) *objects {
	o := &objects{lines: bufio.NewReaderSize(text, 1<<16)}
	if mark, _ := o.lines.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		_, _ = o.lines.Discard(len(byteOrderMark))
	}
	return o
}

// next is the next object, which is valid until one is read again; io.EOF: there is none. Wrong input has the number of its line.
func (o *objects) next() (jsonfields.Fields, error) {
	for !o.ended {
		text, err := readLine(o.lines)
		if err != nil && !errors.Is(err, io.EOF) {
			return jsonfields.Fields{}, err
		}
		o.line++
		o.ended = err != nil
		if text = bytes.TrimSpace(text); len(text) > 0 {
			object, err := o.split.Split(text)
			return object, atLine(o.line, err)
		}
	}
	return jsonfields.Fields{}, io.EOF
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
	objects *objects
	entries *entryParser // nil before the first line
	keys    []string     // that are read
}

// next implements rowReader.
func (p *jsonlParser) next() (r row, ok bool, err error) {
	for {
		line, err := p.objects.next()
		if err != nil {
			return r, false, unlessEnd(err)
		}
		r, ok, err = p.row(line)
		if err != nil || ok {
			return r, ok, atLine(p.objects.line, err)
		}
	}
}

// at implements rowReader.
func (p *jsonlParser) at() int { return p.objects.line }

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
