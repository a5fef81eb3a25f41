package plots

import (
	"bytes"
	"encoding/csv"
	"strings"

	"gonum.org/v1/plot"

	"kneepoint/plots/chart"
)

// Figure is one figure, ready to be drawn in any size and theme.
type Figure struct {
	Name     string   // of its files, without ending: "goodput"
	Title    string   // what was found, or what is shown
	Subtitle string   // metric, model, accelerator, workload
	Notes    []string // what the marks mean, and what the figure rests on: whole in the caption
	Data     Table    // what is drawn

	plainTitle string   // what is shown, where Title is a finding that another figure states; "": Title
	size       string   // of chart.Sizes, that it asks for; "": that of all figures
	formats    []string // likewise; nil: those of all figures
	body       body
}

// body is what a figure shows between its title and its footer.
type body interface {
	draw(s *chart.Style) drawing
}

// drawing is a body in a style.
type drawing struct {
	panels    [][]*plot.Plot
	labels    []*chart.Labels
	bar       *plot.Plot // of colours; nil for none
	key       []chart.Entry
	rowHeight float64 // of a row of panels, in sizes of the text; 0: of one that fills a page
}

// Sheet lays the figure out.
func (f Figure) Sheet(s *chart.Style) *chart.Sheet {
	d := f.body.draw(s)
	return s.Lay(chart.Page{Title: f.Title, Subtitle: f.Subtitle, Panels: d.panels, Labels: d.labels, Bar: d.bar, Key: d.key,
		RowHeight: d.rowHeight, Notes: f.Notes, Rest: "more in " + f.Name + ".txt"})
}

// Caption is what a reader of the figure should know, in full.
func (f Figure) Caption() []byte {
	lines := []string{f.Title, f.Subtitle, ""}
	for _, note := range f.Notes {
		lines = append(lines, "- "+note)
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}

// Table is the values of a figure.
type Table struct {
	Header []string
	Rows   [][]string
}

func (t *Table) add(cells ...string) { t.Rows = append(t.Rows, cells) }

// CSV is the table as a file, with its header.
func (t Table) CSV() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write(t.Header) // a buffer takes all
	_ = w.WriteAll(t.Rows)
	return b.Bytes()
}
