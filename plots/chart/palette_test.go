package chart

import (
	"image"
	"image/color"
	"testing"
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
	got, isIndexed := indexed(im).(*image.Paletted)
	if !isIndexed || len(got.Palette) > most || got.At(7, 7) != green {
		t.Errorf("%v, want %v", got.At(7, 7), green)
	}
	for x := range 600 {
		r, g, b, _ := got.At(x, 0).RGBA()
		if d := distance(uint32(r>>8)|uint32(g>>8)<<8|uint32(b>>8)<<16, uint32(x%256)|uint32(x%200)<<8|255<<16); d > 3*alike {
			t.Fatalf("shade %d is off by a squared %d", x, d)
		}
	}
}
