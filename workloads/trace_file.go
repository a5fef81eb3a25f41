package workloads

import (
	"errors"
	"io"
	"math"
	"os"
	"time"

	"kneepoint/units/badinput"
)

// mostKept is how many rows of a trace are kept in memory where they could be read anew.
const mostKept = 1 << 16

// rowReader reads one row after the other; false: there is none any more.
type rowReader interface {
	next() (r row, ok bool, err error)
	at() (line int) // of the last one
}

// textOpener begins to read the rows of a text, which knows of errors what is wrong with the header.
type textOpener func(text io.Reader) (rowReader, error)

// rowFile is a trace of more rows than are kept, which tell nothing that they have in common: each replay reads them from the file as it
// asks for them.
type rowFile struct {
	path        string
	size        int64
	changed     time.Time // when the file last did
	open        textOpener
	wanted      selection // of none yet
	rows        int
	first, last float64 // arrivals
	digest      string
}

// rowText is the text of a file that may be compressed, with records of at most so many bytes.
func rowText(file io.Reader, most int) (io.Reader, error) {
	plain, err := decompress(file)
	return &boundedText{text: plain, most: most}, err
}

// push hands the rows of a reader on to add, until that wants no more.
func push(rows rowReader, add addRow) error {
	for {
		r, ok, err := rows.next()
		if err != nil || !ok {
			return err
		}
		if more, err := add(r); err != nil || !more {
			return atLine(rows.at(), err)
		}
	}
}

// chunk is rows of a trace that follow each other.
type chunk struct {
	rows []row
	next *chunk // nil: not read yet
}

// chunkRows is how many rows are read from a file at once.
const chunkRows = 1024

// feed is the rows of a trace for one replay, over and over. Those who look at them have a cursor each; what all of these have passed
// is forgotten.
type feed struct {
	trace *Trace
	err   error // of a file that is not as it was; nil: it is

	file   *os.File // that is being read; nil: none is
	reader rowReader
	wanted selection
}

// cursor is a place in a feed.
type cursor struct {
	feed *feed
	at   *chunk
	i    int
}

// begin is a place at the first row.
func (t *Trace) begin() *cursor {
	f := &feed{trace: t}
	if t.file != nil {
		return &cursor{feed: f, at: f.read()}
	}
	all := &chunk{rows: t.rows}
	all.next = all
	return &cursor{feed: f, at: all}
}

// again is another cursor at the same place.
func (c *cursor) again() *cursor {
	other := *c
	return &other
}

// peek is the row at a cursor.
func (c *cursor) peek() *row {
	if c.i == len(c.at.rows) {
		if c.at.next == nil {
			c.at.next = c.feed.read()
		}
		c.at, c.i = c.at.next, 0
	}
	return &c.at.rows[c.i]
}

// next is the row at a cursor, which goes on.
func (c *cursor) next() *row {
	r := c.peek()
	c.i++
	return r
}

// read reads the next rows from the file, from the first one on behind the last.
func (f *feed) read() *chunk {
	if f.err == nil {
		rows, err := f.more()
		if err == nil {
			return &chunk{rows: rows}
		}
		f.err = err
		f.close()
	}
	return &chunk{rows: []row{{at: math.Inf(1), input: 1, output: 1}}}
}

// more reads rows, some at least.
func (f *feed) more() ([]row, error) {
	if f.file == nil {
		if err := f.open(); err != nil {
			return nil, err
		}
	}
	f.wanted.rows = make([]row, 0, min(chunkRows, f.trace.file.rows-f.wanted.taken))
	for len(f.wanted.rows) < cap(f.wanted.rows) {
		r, ok, err := f.reader.next()
		if err == nil && ok {
			_, err = f.wanted.add(r)
		}
		if err != nil || !ok {
			return nil, f.trace.file.isAnother()
		}
	}
	if f.wanted.taken == f.trace.file.rows {
		f.close()
	}
	return f.wanted.rows, nil
}

// open opens the file, unless it is another one.
func (f *feed) open() error {
	of := f.trace.file
	file, err := os.Open(of.path)
	if err != nil {
		return unreadable(of.path, err)
	}
	f.file, f.wanted = file, of.wanted
	info, err := file.Stat()
	if err != nil || info.Size() != of.size || !info.ModTime().Equal(of.changed) {
		return of.isAnother()
	}
	if f.reader, err = of.open(file); err != nil {
		return of.isAnother()
	}
	return nil
}

func (f *feed) close() {
	if f.file != nil {
		_ = f.file.Close() // it was only read
	}
	f.file, f.reader = nil, nil
}

// isAnother is the error of a file that is not the one that was read before.
func (r *rowFile) isAnother() error {
	return &badinput.Error{File: r.path, Problem: "has changed since it was read first: a trace of more rows than are kept is read again by each simulation",
		Allowed: "a file that stays as it is"}
}

// fromFile is traffic that reads a trace as it goes.
type fromFile struct {
	Traffic
	rows *feed
}

// Failure is why traffic ended that could not go on; nil: nothing.
func Failure(t Traffic) error {
	if read, ok := t.(*fromFile); ok {
		return read.rows.err
	}
	return nil
}

// errShares ends the reading of a trace of which the rows need not be kept, at one that has something in common with others.
var errShares = errors.New("a row has something in common with others")
