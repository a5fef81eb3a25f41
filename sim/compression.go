package sim

import (
	"math"

	"kneepoint/units"
	"kneepoint/workloads"
)

// Compression shortens prompts before the model reads them. A model of its own
// does so, on hardware of its own, as the first part of a request's front-end
// work:
//
//	tokens read = ceil(tokens sent / Ratio)
//	seconds     = tokens sent / TokensPerSecond
//
// A prefix that prompts share is shortened alike in all of them, by the same
// ratio. Methods of nil leave prompts as sent.
type Compression struct {
	Ratio           float64 // at least 1
	TokensPerSecond float64 // above 0
}

// Tokens is the number of tokens that the model reads of a prompt of sent tokens.
func (c *Compression) Tokens(sent int) int {
	if c == nil {
		return sent
	}
	return int(math.Ceil(float64(sent) / c.Ratio))
}

// content is what is left of the names of a request's tokens, and how many tokens
// they name. The start that prompts share is the same for all of them when it is
// shortened; where other parts are named, whether their shortened forms are equal is
// not known, so that none is shared.
func (c *Compression) content(r workloads.Request) (*workloads.Content, int) {
	switch {
	case c == nil || r.Content == nil:
		return r.Content, r.Named
	case len(r.Content.IDs) > 1 || r.Named > r.Input: // more than a shared start
		return nil, 0
	default:
		return r.Content, c.Tokens(r.Named)
	}
}

// longest is how many of a prompt's sent tokens may be kept so that the model reads at
// most a number of tokens.
func (c *Compression) longest(sent, tokens int) int {
	if c == nil {
		return min(sent, tokens)
	}
	return int(math.Min(float64(sent), math.Floor(float64(tokens)*c.Ratio)))
}

// time is the seconds that shortening a prompt of sent tokens lasts.
func (c *Compression) time(sent int) units.Seconds {
	if c == nil {
		return 0
	}
	return units.Seconds(float64(sent) / c.TokensPerSecond)
}
