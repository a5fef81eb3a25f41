package workloads

import (
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// A text is refused where a record of it, in which lines may be quoted, is too long when a part of it has been read, and only there.
func TestBoundedText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("a\"\n")), 0, 30, -1).Draw(t, "text")
		const most = 5
		fits, record, quoted := true, 0, false
		for _, c := range text {
			if quoted = quoted != (c == '"'); c == '\n' && !quoted {
				record = 0
				continue
			}
			record++
			fits = fits && record <= most
		}
		one := &boundedText{text: iotest.OneByteReader(strings.NewReader(text)), most: most}
		var err error
		for p := make([]byte, 1); err == nil; {
			_, err = one.Read(p)
		}
		if got := err.Error() == "EOF"; got != fits {
			t.Errorf("byte by byte %v, want %t", err, fits)
		}
		all := &boundedText{text: strings.NewReader(text), most: most}
		if _, err := all.Read(make([]byte, len(text)+1)); text != "" && (err == nil) != (record <= most) {
			t.Errorf("at once %v, of which the last %d bytes are a record", err, record)
		}
		if text != "" && (all.record != record || all.quoted != quoted) {
			t.Errorf("a record of %d bytes so far, quoted %t; want %d, %t", all.record, all.quoted, record, quoted)
		}
	})
}
