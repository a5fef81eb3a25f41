// Package printable tells which text can be shown on one line: by a terminal, in a table,
// in a CSV file, and in a figure, which is XML.
//
// It knows classes of characters. It must not know where text comes from, nor where it
// goes.
package printable

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line reports whether text is one line that everything can show as it is: valid
// UTF-8, without control characters (a terminal obeys them, XML forbids them), ends of
// lines, marks that turn the direction of what follows, and code points that are no
// characters.
func Line(text string) bool { return utf8.ValidString(text) && !strings.ContainsFunc(text, unshown) }

// Escape is text as a line that can be shown: what Line refuses is written as Go and
// TOML escape it, like \n or \u001b.
func Escape(text string) string {
	if Line(text) {
		return text
	}
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\ufffd") {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case unshown(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func unshown(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control, unicode.Noncharacter_Code_Point)
}
