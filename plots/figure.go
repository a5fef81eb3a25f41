package plots

import (
	"gonum.org/v1/plot/vg"
)

// Figure is one figure, ready to be drawn.
type Figure struct {
	Name     string   // of its files, without ending: "ttft-p99"
	Title    string   // what was found, or what is shown
	Subtitle string   // metric, model, accelerator, workload
	Notes    []string // provenance, and what the marks mean
	body     body
}

// page is a figure laid out: broken into lines, with all sizes known.
type page struct {
	title, subtitle, notes []string
	size                   vg.Point
	area                   vg.Rectangle // of the data
	body                   body
}

const innerWidth = pageWidth - 2*pageMargin

// layout breaks the texts of the figure and places its data area; the page
// grows in height with what it has to hold.
func (f Figure) layout(t typesetter) page {
	pg := page{
		title:    t.wrap(f.Title, titleStyle, innerWidth, 2),
		subtitle: t.fillLines([]string{f.Subtitle}, "", subtitleStyle, innerWidth),
		notes:    t.fillLines(f.Notes, " · ", footerStyle, innerWidth),
		body:     f.body,
	}
	fr := f.body.frame(t, innerWidth)
	header := blockHeight(len(pg.title), titleStyle) + subtitleGap + blockHeight(len(pg.subtitle), subtitleStyle)
	footer := blockHeight(len(pg.notes), footerStyle)

	pg.area.Min = vg.Point{X: pageMargin + fr.left, Y: pageMargin + footer + 12 + fr.below}
	pg.area.Max = vg.Point{X: pageWidth - pageMargin - fr.right, Y: pg.area.Min.Y + fr.height}
	pg.size = vg.Point{X: pageWidth, Y: pg.area.Max.Y + fr.above + headerGap + header + pageMargin}
	return pg
}

// draw draws the page.
func (pg page) draw(p pen) {
	p.polygon([]vg.Point{{}, {X: pg.size.X}, pg.size, {Y: pg.size.Y}}, paper)
	at := vg.Point{X: pageMargin, Y: pg.size.Y - pageMargin}
	p.block(at, pg.title, titleStyle)
	at.Y -= blockHeight(len(pg.title), titleStyle) + subtitleGap
	p.block(at, pg.subtitle, subtitleStyle)
	pg.body.draw(p, pg.area)
	at.Y = pageMargin + blockHeight(len(pg.notes), footerStyle)
	p.block(at, pg.notes, footerStyle)
}
