package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// newTable is a table in the style of all: no frame, a line under the header, and
// titles as they are written. Less ink is quicker to read, and is pasted into mail.
func newTable() table.Writer {
	t := table.NewWriter()
	style := table.StyleLight
	style.Options = table.Options{SeparateHeader: true}
	style.Format.Header = text.FormatDefault // else "TTFT p99" becomes "TTFT P99"
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	t.SetStyle(style)
	return t
}

// render writes a table of numbers: all columns flush right, so that digits of the
// same order are below each other.
func render(w io.Writer, t table.Writer, columns int) {
	t.SetColumnConfigs(flushRight(columns))
	fmt.Fprint(w, tableText(t))
}

// renderNamed writes a table whose first column is names of different lengths, which
// are found more quickly flush left.
func renderNamed(w io.Writer, t table.Writer, columns int) {
	configs := flushRight(columns)
	configs[0].Align, configs[0].AlignHeader = text.AlignLeft, text.AlignLeft
	t.SetColumnConfigs(configs)
	fmt.Fprint(w, tableText(t))
}

// flushRight aligns the given number of columns. It is said of each, since cells
// with a unit are text to the table writer.
func flushRight(columns int) []table.ColumnConfig {
	configs := make([]table.ColumnConfig, columns)
	for i := range configs {
		configs[i] = table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight}
	}
	return configs
}

// tableText is a table without the spaces that pad the last column: they would make
// lines wrap on a narrow terminal, and differ between files that look alike.
func tableText(t table.Writer) string {
	var b strings.Builder
	for _, line := range strings.Split(t.Render(), "\n") {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// bold marks a title where colours are shown.
func bold(s string, colour bool) string {
	if colour {
		return text.Bold.Sprint(s)
	}
	return s
}
