package workloads

import (
	"bytes"
	"fmt"
	"io"

	"kneepoint/units/badinput"
)

// Bounds of a trace's text, which a device without an end and a small file that is
// compressed many times over have not.
const (
	mostText   = 2 << 30   // bytes, uncompressed
	mostRecord = 16 << 20  // of a line, or of several with a quoted text over them
	mostObject = 256 << 20 // of a whole run or session in one line
	mostRows   = 30_000_000
)

// boundedText reads a text of records, and fails where one of them, or all together, are
// longer than those of any trace: else they would be in memory before anybody looks at them.
type boundedText struct {
	text   io.Reader
	most   int   // bytes of a record
	all    int64 // bytes so far
	record int   // bytes of the present record so far
	quoted bool  // within quotes, where lines end and records do not
}

func (b *boundedText) Read(p []byte) (int, error) {
	n, err := b.text.Read(p)
	for rest := p[:n]; len(rest) > 0; {
		line, behind, ended := bytes.Cut(rest, []byte{'\n'})
		if b.record += len(line); bytes.Count(line, []byte{'"'})%2 == 1 {
			b.quoted = !b.quoted
		}
		switch {
		case ended && b.quoted:
			b.record++
		case ended:
			b.record = 0
		}
		rest = behind
	}
	if b.all += int64(n); b.all > mostText {
		return 0, tooMuch(fmt.Sprintf("%d GiB of text, uncompressed", mostText>>30))
	}
	if b.record > b.most {
		return 0, tooMuch(fmt.Sprintf("%d MiB for a row", b.most>>20))
	}
	return n, err
}

// tooMuch is the error of a trace that is larger than allowed.
func tooMuch(allowed string) error {
	return &badinput.Error{Problem: "larger than a trace can be", Allowed: allowed + "; limit and end read a part of a file"}
}
