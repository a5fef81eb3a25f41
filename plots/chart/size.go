package chart

import "gonum.org/v1/plot/vg"

// Size is the size of a page and of what is written on it.
type Size struct {
	Name   string
	Width  vg.Length
	Height vg.Length // 0: as high as what is on it
	Text   vg.Length // of tick labels; all other lengths are in proportion
	DPI    int       // of a PNG
}

// Sizes are those of a slide of 16 by 9, of the text of a page, and of one of two columns.
var Sizes = []Size{
	{Name: "page", Width: 6.5 * vg.Inch, Text: 8, DPI: 160},
	{Name: "slide", Width: 960, Height: 540, Text: 15, DPI: 120},
	{Name: "column", Width: 3.3 * vg.Inch, Text: 6.4, DPI: 360},
}

// SizeOf returns the size of a name; "" is the first one.
func SizeOf(name string) (Size, bool) {
	for _, s := range Sizes {
		if s.Name == name || name == "" {
			return s, true
		}
	}
	return Size{}, false
}
