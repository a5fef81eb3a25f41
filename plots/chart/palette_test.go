package chart

import (
	"image"
	"image/color"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestRareColoursStay: a mark whose colour is the only one of its kind keeps it, however many shades of others there are more of.
func TestRareColoursStay(t *testing.T) {
	im := image.NewRGBA(image.Rect(0, 0, 600, 10))
	for x := range 600 {
		for y := range 10 {
			im.SetRGBA(x, y, color.RGBA{uint8(x % 256), uint8(x % 200), 255, 255})
		}
	}
	green := color.RGBA{0, 120, 80, 255}
	im.SetRGBA(7, 7, green)
	got := indexed(im, new([]uint8))
	if len(got.Palette) > most || got.At(7, 7) != green {
		t.Errorf("%v, want %v", got.At(7, 7), green)
	}
	for x := range 600 {
		r, g, b, _ := got.At(x, 0).RGBA()
		got, want := uint32(r>>8)|uint32(g>>8)<<8|uint32(b>>8)<<16, uint32(x%256)|uint32(x%200)<<8|255<<16
		if nearest([]uint32{got}, want, 3*alike+1) < 0 {
			t.Fatalf("shade %d is %x, want about %x", x, got, want)
		}
	}
}

// TestFewColoursAreKept: of an image of few colours every pixel has its own, however long the runs of one colour.
func TestFewColoursAreKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		im, counts := image.NewRGBA(image.Rect(0, 0, 70, 10)), map[color.Color]int{}
		for at := 0; at < len(im.Pix); {
			shade := rapid.Uint8Range(0, 2).Draw(t, "shade")
			for range rapid.OneOf(rapid.IntRange(1, 3), rapid.IntRange(60, 70), rapid.IntRange(1, 300)).Draw(t, "pixels") {
				if at < len(im.Pix) {
					copy(im.Pix[at:], []uint8{255, shade, 255, 255})
					at += 4
				}
			}
		}
		room := slices.Repeat([]uint8{9}, 1000)
		got := indexed(im, &room)
		for y := range 10 {
			for x := range 70 {
				if got.At(x, y) != im.At(x, y) {
					t.Fatalf("at %d, %d: %v, want %v", x, y, got.At(x, y), im.At(x, y))
				}
				counts[im.At(x, y)]++
			}
		}
		for colour, n := range counts {
			if first := counts[got.Palette[0]]; n > first {
				t.Errorf("%d pixels are %v, and %d of the first colour", n, colour, first)
			}
		}
	})
}

// TestNearest: each byte of a colour counts, and one that is not near enough is none.
func TestNearest(t *testing.T) {
	for shift := 0; shift < 32; shift += 8 {
		colours := []uint32{20 << shift, 10 << shift, 0xffffffff}
		if got := nearest(colours, 0, 101); got != 1 {
			t.Errorf("%d is nearest, want 1", got)
		}
		if got := nearest(colours, 0, 100); got != -1 {
			t.Errorf("%d is nearest, want none", got)
		}
	}
}
