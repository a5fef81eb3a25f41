package chart

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// keyed is an entry of a key with its place in a row.
type keyed struct {
	Entry
	left vg.Length
}

// numbered are the entries of names that did not fit.
func numbered(l *Labels) []Entry {
	entries := make([]Entry, len(l.Names))
	for i, n := range l.Names {
		entries[i] = Entry{fmt.Sprintf("%d %s", n.Number, n.Text), n.Entry}
	}
	return entries
}

// flow puts the entries of a key beside each other, into rows as wide as the page.
func (s *Style) flow(entries []Entry) [][]keyed {
	var rows [][]keyed
	style := s.Text(1, s.Ink)
	right := s.inner()
	for _, e := range entries {
		e.Name = shorten(e.Name, style, s.inner()-s.swatch())
		width := s.swatch() + style.Width(e.Name)
		if right+width > s.inner() {
			rows, right = append(rows, nil), 0
		}
		row := &rows[len(rows)-1]
		*row = append(*row, keyed{e, right})
		right += width + s.Em(1.6)
	}
	return rows
}

// swatch is the room for a swatch and the gap after it.
func (s *Style) swatch() vg.Length { return s.Em(2.3) }

// drawKey draws the rows of the key below each other.
func (h *Sheet) drawKey(c draw.Canvas, at vg.Point) {
	step := h.Em(leading)
	for _, row := range h.key {
		y := at.Y - step/2
		for _, e := range row {
			left := at.X + e.left
			centre := vg.Point{X: left + h.swatch()/2 - h.Em(0.25), Y: y}
			icon := draw.Canvas{Canvas: c.Canvas, Rectangle: boxAround(centre, h.swatch()-h.Em(0.5), h.Em(0.8))}
			e.Swatch.Thumbnail(&icon)
			h.FillMiddle(c, h.Text(1, h.Ink), vg.Point{X: left + h.swatch(), Y: y}, e.Name)
		}
		at.Y -= step
	}
}
