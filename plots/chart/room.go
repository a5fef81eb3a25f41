package chart

import (
	"bytes"
	"image"
	"image/png"
	"slices"
	"sync"
)

// pngRoom is memory that a PNG is made in, megabytes of it, which the next one uses again.
type pngRoom struct {
	pixels  []uint8
	indices []uint8 // of an indexed image
	file    bytes.Buffer
	encoder *png.EncoderBuffer
}

var room = sync.Pool{New: func() any { return new(pngRoom) }}

// image is one of a size, with whatever was drawn there.
func (r *pngRoom) image(width, height int) *image.RGBA {
	size := 4 * width * height
	r.pixels = slices.Grow(r.pixels[:0], size)[:size]
	return &image.RGBA{Pix: r.pixels, Stride: 4 * width, Rect: image.Rect(0, 0, width, height)}
}

// Get implements png.EncoderBufferPool.
func (r *pngRoom) Get() *png.EncoderBuffer { return r.encoder }

// Put implements png.EncoderBufferPool.
func (r *pngRoom) Put(b *png.EncoderBuffer) { r.encoder = b }
