package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/term"
)

// page is where text is printed, and what it may look like there.
type page struct {
	io.Writer
	width  int  // of a line, in columns of a terminal; 0: as wide as it takes
	colour bool // escape sequences are shown as colours
	drawn  bool // characters that draw lines are shown as such
}

// unknownWidth is the width of a page that nobody knows, such as a pipe's.
const unknownWidth = 80

// newPage is the page that a command prints on. It has colours on a terminal, unless the
// user wants none.
func newPage(w io.Writer, noColor bool) page {
	p := page{Writer: w, width: unknownWidth}
	if !isTerminal(w) {
		return p
	}
	if width, _, err := term.GetSize(int(w.(*os.File).Fd())); err == nil && width > 0 {
		p.width = width
	}
	p.colour = !noColor && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	p.drawn = isUnicode()
	return p
}

// isTerminal reports whether w is a terminal, where colour and a moving progress bar
// make sense. In a pipe or file their control characters would be read as text.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// isUnicode tells whether the terminal shows UTF-8, as the locale says: POSIX's variables,
// of which the first that is set counts. Go writes Unicode to consoles of Windows.
func isUnicode() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToUpper(os.Getenv(name)); locale != "" {
			return strings.Contains(locale, "UTF-8") || strings.Contains(locale, "UTF8")
		}
	}
	return runtime.GOOS == "windows"
}

// on is the page with another writer.
func (p page) on(w io.Writer) page {
	p.Writer = w
	return p
}

// paragraph prints text, wrapped to the page.
func (p page) paragraph(s string) {
	for _, line := range p.wrap(s) {
		fmt.Fprintln(p, line)
	}
}

// heading prints a title of a part, below an empty line.
func (p page) heading(s string) {
	fmt.Fprintln(p)
	p.paragraph(p.bold(s))
}

// wrap is text as the lines of a paragraph.
func (p page) wrap(s string) []string {
	if p.width > 0 {
		s = text.WrapSoft(s, p.width)
	}
	return trimmedLines(s)
}

// atMost is up to n lines of a paragraph, the last of which says that there would be more.
func (p page) atMost(n int, s string) []string {
	lines := p.wrap(s)
	if len(lines) <= n {
		return lines
	}
	last := text.Trim(lines[n-1], p.width-1)
	return append(lines[:n-1:n-1], last+"…")
}

// bold marks a title where colours are shown.
func (p page) bold(s string) string {
	if p.colour {
		return text.Bold.Sprint(s)
	}
	return s
}

// red marks what a user must not miss where colours are shown.
func (p page) red(s string) string {
	if p.colour {
		return text.FgRed.Sprint(s)
	}
	return s
}

// trimmedLines are lines without the spaces at their ends: they would make lines wrap on
// a narrow terminal, and differ between files that look alike.
func trimmedLines(s string) []string {
	lines := slices.Collect(strings.Lines(s))
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \n")
	}
	return lines
}

// widest is the width of the widest of some lines.
func widest(lines []string) int {
	most := 0
	for _, line := range lines {
		most = max(most, text.StringWidthWithoutEscSequences(line))
	}
	return most
}
