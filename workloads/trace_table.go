package workloads

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"kneepoint/units/badinput"
)

// csvTable reads records of comma-separated values as encoding/csv does, but quickly as far as nothing is quoted.
type csvTable struct {
	lines  *bufio.Reader
	line   int // of the last record
	record []string
	quoted *csv.Reader // from the first line with a quotation mark on, with numbers of lines less that of those before; nil: there was none
	before int         // lines
}

func newCSVTable(text io.Reader) *csvTable {
	return &csvTable{lines: bufio.NewReaderSize(text, 1<<16)}
}

// read is the next record, which is valid until one is read again. Its error says what is wrong.
func (t *csvTable) read() ([]string, error) {
	for t.quoted == nil {
		text, err := readLine(t.lines)
		if err != nil && (len(text) == 0 || !errors.Is(err, io.EOF)) {
			return nil, err
		}
		if bytes.IndexByte(text, '"') >= 0 {
			t.quote(text)
			break
		}
		t.line++
		if err == nil {
			text = text[:len(text)-1]
		}
		if text = bytes.TrimSuffix(text, []byte{'\r'}); len(text) > 0 {
			return t.split(string(text)), nil
		}
	}
	record, err := t.quoted.Read()
	if err != nil {
		return nil, t.shifted(notCSV(err))
	}
	line, _ := t.quoted.FieldPos(0)
	t.line = t.before + line
	return record, nil
}

// quote has the rest read by encoding/csv, from a line on.
func (t *csvTable) quote(line []byte) {
	t.quoted, t.before = csv.NewReader(io.MultiReader(bytes.NewReader(bytes.Clone(line)), t.lines)), t.line
	t.quoted.ReuseRecord, t.quoted.FieldsPerRecord = true, -1
}

func (t *csvTable) split(text string) []string {
	t.record = t.record[:0]
	for {
		field, rest, more := strings.Cut(text, ",")
		t.record = append(t.record, field)
		if text = rest; !more {
			return t.record
		}
	}
}

// notCSV leaves the end of a text as it is.
func notCSV(err error) error {
	if errors.Is(err, io.EOF) {
		return err
	}
	return badinput.NotCSV(err)
}

// shifted counts the lines before those that encoding/csv has read.
func (t *csvTable) shifted(err error) error {
	var wrong *badinput.Error
	if errors.As(err, &wrong) && wrong.Line > 0 {
		wrong.Line += t.before
	}
	return err
}
