package chart

import (
	"cmp"
	"encoding/binary"
	"image"
	"image/color"
	"image/draw"
	"maps"
	"math"
	"slices"
)

// most is the number of colours of a PNG that has a byte for each pixel.
const most = 256

// alike is the squared distance up to which of two colours one may stand for the other before a third one is left out: the rims
// of letters have hundreds of shades of few colours, and a mark in the key may be the only one of its own.
const alike = 3 * 8 * 8

// indexed returns an image of at most 256 colours: the most frequent ones that are not alike, and for the
// others, at the rims of letters and lines, the nearest of these. A PNG of it is a third as
// large, and takes a third of the time.
func indexed(from draw.Image) image.Image {
	rgba, ok := from.(*image.RGBA)
	if !ok {
		return from
	}
	runs := runsOf(rgba)
	counts := map[uint32]int{}
	for _, r := range runs {
		counts[r.colour] += r.n
	}
	colours := slices.SortedFunc(maps.Keys(counts), func(a, b uint32) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	colours = apartFirst(colours)
	kept := colours[:min(len(colours), most)]
	to := image.NewPaletted(rgba.Rect, nil)
	index := make(map[uint32]uint8, len(colours))
	for i, c := range kept {
		to.Palette = append(to.Palette, color.RGBA{uint8(c), uint8(c >> 8), uint8(c >> 16), uint8(c >> 24)})
		index[c] = uint8(i)
	}
	for _, c := range colours[len(kept):] {
		index[c] = nearest(kept, c)
	}
	start := 0
	for _, r := range runs {
		i := index[r.colour]
		for k := range r.n {
			to.Pix[start+k] = i
		}
		start += r.n
	}
	return to
}

// apartFirst are colours, the most frequent ones first, with those behind that are like one before them, where there are too many.
func apartFirst(colours []uint32) []uint32 {
	if len(colours) <= most {
		return colours
	}
	var kept, others []uint32
	for _, c := range colours {
		if len(kept) < most && (len(kept) == 0 || distance(kept[nearest(kept, c)], c) > alike) {
			kept = append(kept, c)
		} else {
			others = append(others, c)
		}
	}
	return append(kept, others...)
}

// nearest is the place of the colour with the least squared distance to another.
func nearest(colours []uint32, to uint32) uint8 {
	best, least := 0, math.MaxInt
	for i, c := range colours {
		if d := distance(c, to); d < least {
			best, least = i, d
		}
	}
	return uint8(best)
}

// distance is the squared one of two colours.
func distance(a, b uint32) int {
	sum := 0
	for shift := 0; shift < 32; shift += 8 {
		d := int(uint8(a>>shift)) - int(uint8(b>>shift))
		sum += d * d
	}
	return sum
}

// pixels are n of one colour beside each other, packed as in an image.RGBA.
type pixels struct {
	colour uint32
	n      int
}

// runsOf are all pixels, from the first to the last.
func runsOf(im *image.RGBA) []pixels {
	runs := make([]pixels, 0, len(im.Pix)/64)
	last := pixels{}
	for i := 0; i+4 <= len(im.Pix); i += 4 {
		c := binary.LittleEndian.Uint32(im.Pix[i:])
		if c != last.colour {
			runs = append(runs, last)
			last = pixels{colour: c}
		}
		last.n++
	}
	return append(runs, last)
}
