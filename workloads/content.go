package workloads

import "math"

// Content names the tokens of requests, prompts and answers, so that it can be
// told which of them begin alike. IDs[i] names the tokens from i·Span up to
// (i+1)·Span and for all before them, the last ID for whatever follows: requests
// with the same ID at the same token are alike up to there.
type Content struct {
	IDs  []int
	Span int // tokens of an ID, at least 1
}

// Name returns the ID that names the token at index i, and the index behind the tokens that it names: math.MaxInt where it is the last one.
func (c *Content) Name(i int) (id, end int) {
	at := i / c.Span
	if last := len(c.IDs) - 1; at >= last {
		return c.IDs[last], math.MaxInt
	}
	return c.IDs[at], (at + 1) * c.Span
}

// At returns the ID that names the token at index i, counted from 0.
func (c *Content) At(i int) int { return c.IDs[min(i/c.Span, len(c.IDs)-1)] }

// contentOf is content that one ID names.
func contentOf(id int) *Content { return &Content{IDs: []int{id}, Span: 1} }
