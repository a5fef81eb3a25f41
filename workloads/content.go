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

// At returns the ID that names the token at index i, counted from 0.
func (c *Content) At(i int) int { return c.IDs[min(i/c.Span, len(c.IDs)-1)] }

// End returns the index behind the tokens that the ID of the token at index i names:
// math.MaxInt where it is the last one.
func (c *Content) End(i int) int {
	if id := i / c.Span; id < len(c.IDs)-1 {
		return (id + 1) * c.Span
	}
	return math.MaxInt
}

// contentOf is content that one ID names.
func contentOf(id int) *Content { return &Content{IDs: []int{id}, Span: 1} }
