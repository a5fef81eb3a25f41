package badinput

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Bounds of files, beyond which they are no such thing: a device without an end, say.
const (
	MostText  = 16 << 20 // of files that people write
	MostTable = 64 << 20 // of measurements
	MostData  = 1 << 30  // of what programs write for programs
)

// ReadText is the text of a file that somebody wrote, of at most MostText bytes.
func ReadText(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(&bounded{file, MostText, MostText})
}

// bounded reads a file that is no larger than most bytes, of which left are to come.
type bounded struct {
	file       io.Reader
	left, most int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.file.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, fmt.Errorf("larger than %d MiB", b.most>>20)
	}
	return n, err
}

// ReadFile parses the file at path, of at most some bytes. An *Error of parse is given the
// file's name; anything else, such as that there is no file, makes it unreadable.
func ReadFile[T any](path string, most int64, parse func(io.Reader) (T, error)) (T, error) {
	var none T
	file, err := os.Open(path)
	if err != nil {
		return none, Unreadable(path, err)
	}
	defer file.Close()
	parsed, err := parse(&bounded{file, most, most})
	var wrong *Error
	switch {
	case errors.As(err, &wrong):
		return none, wrong.In(path)
	case err != nil:
		return none, Unreadable(path, err)
	}
	return parsed, nil
}

// Unreadable says why a file cannot be read, its name only once.
func Unreadable(path string, err error) *Error {
	return &Error{File: path, Problem: "cannot be read: " + Reason(err)}
}

// Reason is an error without the file's name, which is elsewhere in the
// message.
func Reason(err error) string {
	var inner *fs.PathError
	if errors.As(err, &inner) {
		return inner.Err.Error()
	}
	return err.Error()
}

// NotCSV turns a syntax error of a CSV reader into an *Error with its line. Other
// errors, which are those of the file that it reads, pass.
func NotCSV(err error) error {
	var syntax *csv.ParseError
	if errors.As(err, &syntax) {
		return &Error{
			Line:    syntax.Line,
			Problem: "not CSV: " + syntax.Err.Error(),
			Allowed: "comma-separated values, as many in each row as in the header",
		}
	}
	return err
}

// AtRecord adds the line of the record that table read last to an *Error.
func AtRecord(err error, table *csv.Reader) error {
	var wrong *Error
	if !errors.As(err, &wrong) {
		return err
	}
	c := *wrong
	c.Line, _ = table.FieldPos(0)
	return &c
}
