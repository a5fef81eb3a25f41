package chart

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"image"
	"image/color"
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
func indexed(rgba *image.RGBA, room *[]uint8) *image.Paletted {
	all := shadesOf(rgba)
	colours := apartFirst(all.byFrequency())
	kept := colours[:min(len(colours), most)]
	size := rgba.Rect.Size()
	*room = slices.Grow((*room)[:0], size.X*size.Y)
	to := &image.Paletted{Pix: (*room)[:size.X*size.Y], Stride: size.X, Rect: rgba.Rect}
	index := make([]uint8, len(colours)) // in the palette, by number
	for i, c := range kept {
		to.Palette = append(to.Palette, color.RGBA{uint8(c), uint8(c >> 8), uint8(c >> 16), uint8(c >> 24)})
		index[all.number[c]] = uint8(i)
	}
	for _, c := range colours[len(kept):] {
		index[all.number[c]] = uint8(nearest(kept, c, math.MaxInt))
	}
	clear(to.Pix) // the most frequent one, which is most of an image
	pix := to.Pix
	for _, r := range all.runs {
		if i := index[r.number]; i > 0 {
			for k := range pix[:r.n] {
				pix[k] = i
			}
		}
		pix = pix[r.n:]
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
		if len(kept) < most && nearest(kept, c, alike+1) < 0 {
			kept = append(kept, c)
		} else {
			others = append(others, c)
		}
	}
	return append(kept, others...)
}

// nearest is the place of the colour with the least squared distance to another one, of those with less than some; -1: none.
func nearest(colours []uint32, to uint32, less int) (place int) {
	place = -1
	for i, c := range colours {
		d := squared(c, to, 0)
		if d >= less { // as most are
			continue
		}
		if d += squared(c, to, 8) + squared(c, to, 16) + squared(c, to, 24); d < less {
			place, less = i, d
		}
	}
	return place
}

// squared is the squared distance of two colours in one of their bytes.
func squared(a, b uint32, shift int) int {
	d := int(uint8(a>>shift)) - int(uint8(b>>shift))
	return d * d
}

// shades are the pixels of an image, from the first to the last, and their colours, packed as in an image.RGBA.
type shades struct {
	runs   []pixels
	number map[uint32]int
	colour []uint32 // by number
	counts []int    // of its pixels, by number
}

// pixels are n of one colour beside each other.
type pixels struct {
	number, n int
}

func shadesOf(im *image.RGBA) *shades {
	s := &shades{number: map[uint32]int{}, runs: make([]pixels, 0, len(im.Pix)/64)}
	for pix := im.Pix; len(pix) > 0; {
		n := alikeAtFirst(pix)
		s.add(binary.LittleEndian.Uint32(pix), n)
		pix = pix[4*n:]
	}
	return s
}

// add adds pixels of a colour.
func (s *shades) add(colour uint32, n int) {
	number, ok := s.number[colour]
	if !ok {
		number = len(s.colour)
		s.number[colour] = number
		s.colour, s.counts = append(s.colour, colour), append(s.counts, 0)
	}
	s.counts[number] += n
	s.runs = append(s.runs, pixels{number, n})
}

// byFrequency are the colours, the most frequent one first.
func (s *shades) byFrequency() []uint32 {
	numbers := make([]int, len(s.colour))
	for i := range numbers {
		numbers[i] = i
	}
	slices.SortFunc(numbers, func(a, b int) int {
		return cmp.Or(cmp.Compare(s.counts[b], s.counts[a]), cmp.Compare(s.colour[a], s.colour[b]))
	})
	colours := make([]uint32, len(numbers))
	for i, n := range numbers {
		colours[i] = s.colour[n]
	}
	return colours
}

// alikeAtFirst is how many pixels, from the first one on, have its colour.
func alikeAtFirst(pix []uint8) int {
	const many = 256
	at, colour := 4, binary.LittleEndian.Uint32(pix)
	for at+many <= len(pix) && bytes.Equal(pix[at:at+many], pix[at-4:at+many-4]) { // each is like the one before it
		at += many
	}
	for at < len(pix) && binary.LittleEndian.Uint32(pix[at:]) == colour {
		at += 4
	}
	return at / 4
}
