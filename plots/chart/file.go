package chart

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"html"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"strings"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"git.sr.ht/~sbinet/gg"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Formats are the endings of the files that a sheet can be written as.
var Formats = []string{"png", "svg", "pdf"}

// HasText tells whether files of a format hold letters as text, for which a viewer has
// fonts: in the others they are drawn.
func HasText(format string) bool { return format == "svg" }

// File returns the sheet as a file of a format. Equal pages give equal bytes.
func (h *Sheet) File(format string) ([]byte, error) {
	switch format {
	case "png":
		return h.png()
	case "svg":
		return h.svg()
	case "pdf":
		return h.pdf()
	}
	return nil, fmt.Errorf("no figures are written as %q", format)
}

func (h *Sheet) png() ([]byte, error) {
	pixels := func(l vg.Length) int { return int(l.Dots(float64(h.DPI)) + 0.5) }
	r := room.Get().(*pngRoom)
	defer room.Put(r)
	to := r.image(pixels(h.size.X), pixels(h.size.Y))
	h.draw(outlined{h.canvas(to)})
	r.file.Reset()
	encoder := png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: r}
	err := encoder.Encode(&r.file, indexed(to, &r.indices))
	return withDPI(r.file.Bytes(), h.DPI), err
}

// canvas draws on an image. Without a context vgimg would make one, and copy the image into it.
func (h *Sheet) canvas(to *image.RGBA) *vgimg.Canvas {
	context := gg.NewContextForRGBA(to)
	context.SetLineCapButt()
	context.InvertY()
	c := vgimg.NewWith(vgimg.UseImageWithContext(to, context), vgimg.UseDPI(h.DPI))
	draw.Draw(to, to.Rect, image.NewUniform(h.Paper), image.Point{}, draw.Src)
	return c
}

// fillPaper fills the page with the colour of its paper.
func (h *Sheet) fillPaper(c vg.Canvas) {
	c.SetColor(h.Paper)
	c.Fill(vg.Rectangle{Max: h.size}.Path())
}

// withDPI puts the resolution into a PNG, which Go's encoder leaves away: as pixels per
// meter in a chunk after the header.
func withDPI(file []byte, dpi int) []byte {
	const header = 8 + 4 + 4 + 13 + 4 // signature; length, type, data and checksum of IHDR
	perMeter := uint32(math.Round(float64(dpi) / 0.0254))
	chunk := binary.BigEndian.AppendUint32([]byte("pHYs"), perMeter)
	chunk = append(binary.BigEndian.AppendUint32(chunk, perMeter), 1)
	whole := append(bytes.Clone(file[:header]), 0, 0, 0, 9)
	whole = append(whole, chunk...)
	whole = binary.BigEndian.AppendUint32(whole, crc32.ChecksumIEEE(chunk))
	return append(whole, file[header:]...)
}

// svg leaves text as text: it can be selected and searched, and a viewer has letters that
// no font here has.
func (h *Sheet) svg() ([]byte, error) {
	canvas := vgsvg.NewWith(vgsvg.UseWH(h.size.X, h.size.Y))
	h.fillPaper(canvas)
	h.draw(canvas)
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, err
	}
	return []byte(h.finishSVG(b.String())), nil
}

// finishSVG gives the image a title for screen readers, and its text the fonts to fall
// back on.
func (h *Sheet) finishSVG(svg string) string {
	open := strings.Index(svg, "<svg")
	end := open + strings.Index(svg[open:], ">") + 1
	head := fmt.Sprintf(`<svg width="%gpt" height="%.5gpt" viewBox="0 0 %g %.5g" role="img" xmlns="http://www.w3.org/2000/svg">`+
		"\n<title>%s</title>", h.size.X, h.size.Y, h.size.X, h.size.Y, html.EscapeString(h.page.Title))
	fonts := strings.NewReplacer("font-family:Liberation Sans;", "font-family:'Liberation Sans',Arial,Helvetica,sans-serif;",
		"font-variant:normal;", "", "font-style:normal;", "")
	return `<?xml version="1.0"?>` + "\n" + head + fonts.Replace(svg[end:])
}

// undated gives PDFs no date of the day, so that equal pages give equal bytes.
var undated = sync.OnceFunc(func() {
	epoch := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	fpdf.SetDefaultCreationDate(epoch)
	fpdf.SetDefaultModificationDate(epoch)
	fpdf.SetDefaultCatalogSort(true)
})

func (h *Sheet) pdf() ([]byte, error) {
	undated()
	canvas := vgpdf.New(h.size.X, h.size.Y)
	h.fillPaper(canvas)
	h.draw(plain{outlined{canvas}})
	var b bytes.Buffer
	_, err := canvas.WriteTo(&b)
	return b.Bytes(), err
}

// outlined is a canvas that draws text as the outlines of its letters: it is the same in
// every viewer, and needs no font of one.
type outlined struct{ vg.Canvas }

// FillString fills the outlines of the letters.
func (o outlined) FillString(face font.Face, at vg.Point, text string) {
	outlines(face, at, text, o.Fill)
}

// plain is a PDF's canvas that is told colours as it takes them: with a translucent one
// it expects the colour itself, and gonum hands it over darkened by its opacity.
type plain struct{ outlined }

// SetColor sets the colour of what is drawn next.
func (p plain) SetColor(c color.Color) {
	if c == nil { // black, as gonum has it
		c = color.Black
	}
	n, _ := color.NRGBAModel.Convert(c).(color.NRGBA)
	p.outlined.SetColor(undimmed{n})
}

// undimmed is a colour whose parts are not multiplied by its opacity.
type undimmed struct{ color.NRGBA }

// RGBA returns the parts of the colour.
func (u undimmed) RGBA() (r, g, b, a uint32) {
	const byteTo16 = 0x101
	return uint32(u.R) * byteTo16, uint32(u.G) * byteTo16, uint32(u.B) * byteTo16, uint32(u.A) * byteTo16
}
