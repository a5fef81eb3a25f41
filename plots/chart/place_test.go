package chart

import (
	"testing"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// TestCollision: lines are kept off the rim above and below a label, as they would touch its letters, and the axis below likewise; dots
// and other labels weigh more than lines.
func TestCollision(t *testing.T) {
	rectangle := func(x0, y0, x1, y1 vg.Length) vg.Rectangle {
		return vg.Rectangle{Min: vg.Point{X: x0, Y: y0}, Max: vg.Point{X: x1, Y: y1}}
	}
	label := rectangle(40, 40, 60, 50)
	for name, c := range map[string]struct {
		at       vg.Rectangle
		line     vg.Length // its height; 0 for none
		dot      bool
		from, to float64
	}{
		"free":           {at: label},
		"line across":    {at: label, line: 45, from: 0.05, to: 0.99},
		"line in rim":    {at: label, line: 39, from: 0.05, to: 0.99},
		"line above":     {at: label, line: 51, from: 0.05, to: 0.99},
		"line below rim": {at: label, line: 37},
		"dot":            {at: label, dot: true, from: 1, to: 1},
		"on the axis":    {at: rectangle(40, 1, 60, 11), from: 1000, to: 1000},
		"above the axis": {at: rectangle(40, 2, 60, 12)},
		"beyond":         {at: rectangle(90, 40, 110, 50), from: 1000, to: 1000},
	} {
		t.Run(name, func(t *testing.T) {
			room := &clutter{bounds: rectangle(0, 0, 100, 100), rim: 2}
			if c.line > 0 {
				room.addLine([]vg.Point{{X: 0, Y: c.line}, {X: 100, Y: c.line}}, 1)
			}
			if c.dot {
				room.addDot(vg.Point{X: 50, Y: 45}, 3)
			}
			if got := room.collision(c.at); got < c.from || got > c.to {
				t.Errorf("collides by %v, want %v to %v", got, c.from, c.to)
			}
		})
	}
}

// TestLabelsHaveARim: what a page's labels keep clear of has the rim.
func TestLabelsHaveARim(t *testing.T) {
	s := NewStyle(Sizes[0], Themes[0], nil)
	room := s.Labels().clutter(draw.Canvas{}, func(plotter.XY) vg.Point { return vg.Point{} })
	if room.rim < s.Em(0.1) || room.rim > s.Em(0.3) {
		t.Errorf("a rim of %v for letters of %v", room.rim, s.Em(1))
	}
}
