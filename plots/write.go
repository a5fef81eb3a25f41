package plots

import (
	"bytes"
	"fmt"
	"html"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"kneepoint/experiments/results"
)

// Image is a file of a figure.
type Image struct {
	Name  string // of the file
	Bytes []byte
}

// Images draws the default figures of res, in a fixed order, each as PNG (1600 pixels
// wide) and as SVG. Equal results give equal bytes.
func Images(res *results.Results) ([]Image, error) {
	var images []Image
	for _, f := range Default(res) {
		for _, format := range []struct {
			ending string
			encode func() ([]byte, error)
		}{{".png", f.PNG}, {".svg", f.SVG}} {
			name := f.Name + format.ending
			image, err := format.encode()
			if err != nil {
				return nil, fmt.Errorf("drawing %s: %w", name, err)
			}
			images = append(images, Image{name, image})
		}
	}
	return images, nil
}

// PNG returns the figure as a PNG image of two pixels to a CSS pixel.
func (f Figure) PNG() ([]byte, error) {
	t := newTypesetter()
	pg := f.layout(t)
	canvas := vgimg.NewWith(vgimg.UseWH(pg.size.X, pg.size.Y), vgimg.UseDPI(pngDPI))
	pg.draw(pen{t, canvas})
	var b bytes.Buffer
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(&b)
	return b.Bytes(), err
}

// SVG returns the figure as an SVG image. Its text is text: it can be selected
// and searched, and is set in Liberation Sans, or Arial or Helvetica, whose
// widths are the same.
func (f Figure) SVG() ([]byte, error) {
	t := newTypesetter()
	pg := f.layout(t)
	canvas := vgsvg.NewWith(vgsvg.UseWH(pg.size.X, pg.size.Y))
	pg.draw(pen{t, canvas})
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, err
	}
	return []byte(f.finishSVG(b.String(), pg.size)), nil
}

// finishSVG gives the image a title for screen readers, and its text the fonts
// to fall back on.
func (f Figure) finishSVG(svg string, size vg.Point) string {
	open := strings.Index(svg, "<svg")
	end := open + strings.Index(svg[open:], ">") + 1
	head := fmt.Sprintf(`<svg width="%gpt" height="%.5gpt" viewBox="0 0 %g %.5g" role="img" xmlns="http://www.w3.org/2000/svg">`+
		"\n<title>%s</title>", size.X, size.Y, size.X, size.Y, html.EscapeString(f.Title))
	fonts := strings.NewReplacer("font-family:Liberation Sans;", "font-family:'Liberation Sans',Arial,Helvetica,sans-serif;",
		"font-variant:normal;", "", "font-style:normal;", "")
	return `<?xml version="1.0"?>` + "\n" + head + fonts.Replace(svg[end:])
}
