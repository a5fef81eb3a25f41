package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// newTable is a table in the style of all: no frame, a line under the header, and
// titles as they are written. Less ink is quicker to read, and is pasted into mail.
func newTable() table.Writer {
	t := table.NewWriter()
	style := table.StyleLight
	style.Options = table.Options{SeparateHeader: true}
	style.Format.Header = text.FormatDefault // else "p99 TTFT" becomes "P99 TTFT"
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	t.SetStyle(style)
	return t
}

// head is the top of a column.
type head struct {
	title string // what is in the column, and on a line of its own in which unit
	name  role
	spare int // 0: needed; of the others those with the highest numbers go first where there is no room
}

// role says whether a column names the row: those that do come first, and again where a
// table goes on below itself.
type role int

const (
	isValue  role = iota // a number, flush right, so that digits of the same order are below each other
	isNumber             // a number that names the row
	isName               // text that names the row, found more quickly flush left
)

// sheet is a table that fits on a page.
type sheet struct {
	table.Writer
	heads []head
	keep  int // highest number of a spare column that is shown
}

func newSheet(heads ...head) *sheet {
	s := &sheet{Writer: newTable(), heads: heads}
	row := table.Row{}
	for _, h := range heads {
		row = append(row, h.title)
		s.keep = max(s.keep, h.spare)
	}
	s.AppendHeader(row)
	return s
}

// values are heads of columns that do not name the row.
func values(titles ...string) []head {
	var heads []head
	for _, title := range titles {
		heads = append(heads, head{title: title})
	}
	return heads
}

// named is a sheet whose first column names the row.
func named(first string, titles ...string) *sheet {
	return newSheet(append([]head{{title: first, name: isName}}, values(titles...)...)...)
}

// printSheets prints tables that have the same columns, as wide as the page: what is spare is left
// out of all of them, and if it takes more, a table goes on below itself. before and after are
// called around each.
func printSheets(p page, sheets []*sheet, before, after func(i int)) {
	keep := math.MaxInt
	for _, s := range sheets {
		s.fit(p)
		keep = min(keep, s.keep)
	}
	for i, s := range sheets {
		s.keep = keep
		before(i)
		s.fold(p)
		after(i)
	}
}

// print prints one table.
func (s *sheet) print(p page) {
	s.fit(p)
	s.fold(p)
}

// fit leaves out as many spare columns as it takes.
func (s *sheet) fit(p page) {
	for s.keep > 0 && p.width > 0 && widest(s.lines(p, slices.Concat(s.names(), s.values()))) > p.width {
		s.keep--
	}
}

// fold prints the table, and what does not fit beside the rest below it.
func (s *sheet) fold(p page) {
	shown := s.values()
	for first := true; first || len(shown) > 0; first = false {
		if !first {
			fmt.Fprintln(p)
		}
		var lines []string
		lines, shown = s.part(p, shown)
		for _, line := range lines {
			fmt.Fprintln(p, line)
		}
	}
}

// values are the numbers of the columns that do not name the rows and are shown.
func (s *sheet) values() []int {
	var shown []int
	for i, h := range s.heads {
		if h.name == isValue && h.spare <= s.keep {
			shown = append(shown, i)
		}
	}
	return shown
}

// names are the numbers of the columns that name the rows.
func (s *sheet) names() []int {
	var names []int
	for i, h := range s.heads {
		if h.name != isValue {
			names = append(names, i)
		}
	}
	return names
}

// part is a table of as many of the shown columns as fit, at least one, and the others.
func (s *sheet) part(p page, shown []int) (lines []string, others []int) {
	for n := len(shown); ; n-- {
		lines = s.lines(p, slices.Concat(s.names(), shown[:n]))
		if n <= 1 || p.width == 0 || widest(lines) <= p.width {
			return lines, shown[n:]
		}
	}
}

// lines are those of a table of some of the columns. Names are wrapped where that makes it fit.
func (s *sheet) lines(p page, shown []int) []string {
	var lines []string
	for _, part := range []int{2, 3, 4} {
		lines = s.linesWith(p, shown, p.width/part)
		if widest(lines) <= p.width || p.width == 0 {
			break
		}
	}
	return lines
}

// linesWith are the lines of a table whose names are wrapped to a width.
func (s *sheet) linesWith(p page, shown []int, nameWidth int) []string {
	configs := make([]table.ColumnConfig, len(s.heads))
	for i, h := range s.heads {
		configs[i] = table.ColumnConfig{Number: i + 1, Hidden: !slices.Contains(shown, i), WidthMaxEnforcer: text.WrapSoft}
		configs[i].Align, configs[i].AlignHeader = text.AlignRight, text.AlignRight
		if h.name == isName {
			configs[i].Align, configs[i].AlignHeader = text.AlignLeft, text.AlignLeft
		}
		if p.width > 0 {
			configs[i].WidthMax = s.columnWidth(p, h, nameWidth)
		}
	}
	s.SetColumnConfigs(configs)
	return trimmedLines(s.Render())
}

// valueWidth is that of the widest value.
const valueWidth = 20

// columnWidth is up to where a column of a page is not wrapped: names leave room for a value.
func (s *sheet) columnWidth(p page, h head, nameWidth int) int {
	if h.name == isValue {
		return valueWidth
	}
	return max(min(max(nameWidth, 16), (p.width-valueWidth)/len(s.names())-2), 3)
}
