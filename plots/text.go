package plots

import (
	"strings"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
)

// ellipsis is shown for what did not fit.
const ellipsis = "…"

// typesetter measures text in Liberation Sans, whose widths are those of Arial
// and Helvetica: a viewer without it still gets the same layout.
type typesetter struct {
	fonts *font.Cache
}

func newTypesetter() typesetter {
	return typesetter{fonts: font.NewCache(liberation.Collection())}
}

func (t typesetter) face(s textStyle) font.Face {
	f := font.Font{Typeface: "Liberation", Variant: "Sans"}
	if s.bold {
		f.Weight = xfont.WeightBold
	}
	return t.fonts.Lookup(f, s.size)
}

func (t typesetter) width(text string, s textStyle) vg.Length {
	face := t.face(s)
	return face.Width(text)
}

// widest returns the width of the widest of some lines.
func (t typesetter) widest(lines []string, s textStyle) vg.Length {
	var w vg.Length
	for _, line := range lines {
		w = max(w, t.width(line, s))
	}
	return w
}

// wrap breaks text into at most n lines no wider than width, at spaces and
// after hyphens; what does not fit is cut out of the middle of the last line,
// because the names of strategies differ at their ends.
func (t typesetter) wrap(text string, s textStyle, width vg.Length, n int) []string {
	var lines []string
	rest := strings.TrimSpace(text)
	for len(lines) < n-1 && t.width(rest, s) > width {
		cut := t.breakAt(rest, s, width)
		if cut == 0 {
			break
		}
		lines = append(lines, strings.TrimRight(rest[:cut], " "))
		rest = strings.TrimLeft(rest[cut:], " ")
	}
	return append(lines, t.shorten(rest, s, width))
}

// breakAt returns the last position at which text may be broken so that its
// beginning fits into width; 0 when there is none.
func (t typesetter) breakAt(text string, s textStyle, width vg.Length) int {
	best := 0
	for i, r := range text {
		if i == 0 || !strings.ContainsRune(" -,_/", r) {
			continue
		}
		if t.width(strings.TrimRight(text[:i+1], " "), s) > width {
			break
		}
		best = i + 1
	}
	return best
}

// shorten cuts runes out of the middle of text until it fits into width.
func (t typesetter) shorten(text string, s textStyle, width vg.Length) string {
	if t.width(text, s) <= width {
		return text
	}
	runes := []rune(text)
	for keep := len(runes) - 1; keep > 1; keep-- {
		short := string(runes[:(keep+1)/2]) + ellipsis + string(runes[len(runes)-keep/2:])
		if t.width(short, s) <= width {
			return short
		}
	}
	return ellipsis
}

// fillLines breaks parts into lines no wider than width, with a separator between
// the parts of one line. A part that is too wide on its own is wrapped.
func (t typesetter) fillLines(parts []string, separator string, s textStyle, width vg.Length) []string {
	var lines []string
	line := ""
	for _, part := range parts {
		joined := part
		if line != "" {
			joined = line + separator + part
		}
		if t.width(joined, s) <= width {
			line = joined
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		wrapped := t.wrap(part, s, width, 3)
		lines = append(lines, wrapped[:len(wrapped)-1]...)
		line = wrapped[len(wrapped)-1]
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// blockHeight is the height of n lines of text.
func blockHeight(n int, s textStyle) vg.Length {
	return vg.Length(n) * s.size * lineSpacing
}
