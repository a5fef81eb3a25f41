package chart

import (
	"sort"
	"strings"
	"unicode"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// ellipsis is shown for what did not fit.
const ellipsis = "…"

// Wrapped breaks a text into at most n lines of a width, and shortens it where it does not
// fit into these.
func Wrapped(txt string, sty text.Style, width vg.Length, n int) string {
	return strings.Join(wrap(txt, sty, width, n), "\n")
}

// wrap breaks a text into at most n lines no wider than width, at spaces and after
// hyphens and commas, but for those of numbers; what does not fit is cut out of the middle of the last line, because names
// differ at their ends.
func wrap(txt string, sty text.Style, width vg.Length, n int) []string {
	var lines []string
	rest := strings.Join(strings.Fields(txt), " ")
	for len(lines) < n-1 && sty.Width(rest) > width {
		cut := breakAt(rest, sty, width)
		if cut == 0 {
			break
		}
		lines = append(lines, strings.TrimRight(rest[:cut], " "))
		rest = strings.TrimLeft(rest[cut:], " ")
	}
	return append(lines, shorten(rest, sty, width))
}

// breakAt returns the last position at which a text may be broken so that its beginning
// fits into width; 0 when there is none.
func breakAt(txt string, sty text.Style, width vg.Length) int {
	best := 0
	for i, r := range txt {
		if i == 0 || !strings.ContainsRune(" -,_", r) || r == ',' && startsWithDigit(txt[i+1:]) {
			continue
		}
		if sty.Width(strings.TrimRight(txt[:i+1], " ")) > width {
			break
		}
		best = i + 1
	}
	return best
}

func startsWithDigit(txt string) bool { return txt != "" && unicode.IsDigit(rune(txt[0])) }

// shorten cuts letters out of the middle of a text until it fits into width.
func shorten(txt string, sty text.Style, width vg.Length) string {
	if sty.Width(txt) <= width {
		return txt
	}
	runes := []rune(txt)
	without := func(cut int) string {
		keep := len(runes) - cut
		return string(runes[:(keep+1)/2]) + ellipsis + string(runes[len(runes)-keep/2:])
	}
	return without(sort.Search(len(runes), func(cut int) bool { return sty.Width(without(cut)) <= width }))
}

// fill writes parts into at most n lines no wider than width, with dots between the parts
// of one line. No part is cut: what does not fit is left away. It returns how many parts
// are written.
func fill(parts []string, sty text.Style, width vg.Length, n int) (lines []string, written int) {
	line := ""
	for _, part := range parts {
		joined := part
		if line != "" {
			joined = line + " · " + part
		}
		switch {
		case sty.Width(joined) <= width:
			line = joined
		case sty.Width(part) <= width && len(lines)+2 <= n:
			lines, line = append(lines, line), part
		default:
			continue
		}
		written++
	}
	return append(lines, line), written
}

// Fit shortens a text to a width.
func (s *Style) Fit(txt string, sty text.Style, width vg.Length) string {
	return shorten(txt, sty, width)
}
