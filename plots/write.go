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
func Images(res *results.Results, o Options) ([]Image, error) {
	var images []Image
	for _, f := range Figures(res) {
		own, err := o.of(f).style()
		if err != nil {
			return nil, err
		}
		sheet := f.Sheet(own)
		for _, format := range o.of(f).formats() {
			name := f.Name + "." + format
			image, err := sheet.File(format)
			if err != nil {
				return nil, fmt.Errorf("drawing %s: %w", name, err)
			}
			images = append(images, Image{name, image})
		}
		images = append(images, Image{f.Name + ".txt", f.Caption()}, Image{f.Name + ".csv", f.Data.CSV()})
	}
	return images, nil
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
