package plots

import (
	"cmp"
	"fmt"

	"golang.org/x/image/font/opentype"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
)

// Options say how figures are drawn.
type Options struct {
	Formats []string       // endings of chart.Formats; nil: PNG and SVG
	Size    string         // of chart.Sizes; "": a page
	Theme   string         // of chart.Themes; "": light
	Font    *opentype.Font // of letters that Liberation Sans lacks; nil: none
}

// Image is a file of a figure.
type Image struct {
	Name  string // of the file
	Bytes []byte
}

// Images draws the figures of res, in a fixed order: each as an image in every
// format, with its caption as text and its values as CSV. Equal results give equal bytes.
// What formats without text cannot write is named in warnings.
func Images(res *results.Results, o Options) (images []Image, warnings []string, err error) {
	style, err := o.style()
	if err != nil {
		return nil, nil, err
	}
	shown, warnings := written(res, style.CanWrite)
	replaced := Figures(shown)
	for i, f := range Figures(res) {
		style, err := o.of(f).style()
		if err != nil {
			return nil, nil, err
		}
		sheet := f.Sheet(style)
		drawn := sheet
		if len(warnings) > 0 {
			drawn = replaced[i].Sheet(style)
		}
		f.Notes = append(f.Notes, warnings...)
		files, err := o.of(f).files(f, sheet, drawn)
		if err != nil {
			return nil, nil, err
		}
		images = append(images, files...)
	}
	return images, warnings, nil
}

// Images draws the figures as those of results are drawn.
func (e *Estimate) Images(o Options) (images []Image, err error) {
	style, err := o.style()
	if err != nil {
		return nil, err
	}
	for _, f := range e.Figures() {
		sheet := f.Sheet(style)
		files, err := o.files(f, sheet, sheet)
		if err != nil {
			return nil, err
		}
		images = append(images, files...)
	}
	return images, nil
}

// files are those of a figure: drawn in formats that have no text of their own.
func (o Options) files(f Figure, sheet, drawn *chart.Sheet) (files []Image, err error) {
	for _, format := range o.formats() {
		of := drawn
		if chart.HasText(format) {
			of = sheet
		}
		name := f.Name + "." + format
		image, err := of.File(format)
		if err != nil {
			return nil, fmt.Errorf("drawing %s: %w", name, err)
		}
		files = append(files, Image{name, image})
	}
	return append(files, Image{f.Name + ".txt", f.Caption()}, Image{f.Name + ".csv", f.Data.CSV()}), nil
}

// of is how a figure is drawn that may ask for a size or a format of its own.
func (o Options) of(f Figure) Options {
	o.Size = cmp.Or(f.size, o.Size)
	if f.formats != nil {
		o.Formats = f.formats
	}
	return o
}

func (o Options) formats() []string {
	if o.Formats == nil {
		return chart.Formats[:2]
	}
	return o.Formats
}

func (o Options) style() (*chart.Style, error) {
	size, ok := chart.SizeOf(o.Size)
	if !ok {
		return nil, fmt.Errorf("no figures have the size %q", o.Size)
	}
	theme, ok := chart.ThemeOf(o.Theme)
	if !ok {
		return nil, fmt.Errorf("no figures have the theme %q", o.Theme)
	}
	return chart.NewStyle(size, theme, o.Font), nil
}
