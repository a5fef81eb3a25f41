// Package paging counts the blocks of keys and values that sequences hold.
//
// It knows tokens, groups of layers and their windows. It must not know models,
// policies or requests.
package paging

import "math"

// Windows is how the keys and values of layers with sliding-window attention lie in
// memory, beside those of the layers that attend to everything. The layers fall into
// groups of equal size, and a block holds a number of tokens of one group, its size. All
// groups take theirs from the same memory. Without groups a block holds those of all
// layers, and none comes free before its sequence ends.
//
// Source: the KV cache groups of vLLM's hybrid allocator.
type Windows struct {
	Tokens int // that the layers with a window attend to, the last one included
	Groups int // of these layers; 0: all layers keep everything
	Full   int // groups of layers that attend to everything
}

// BlocksFor is the number of blocks that a sequence holds whose next token follows the
// given number of tokens:
//
//	Full*b + Groups*min(b, ceil((Tokens-1)/size) + 1), b = ceil(tokens/size)
//
// since a window lies in at most that many blocks. It lies in one less for one token of
// a block where the window is whole blocks: the block that comes free then is needed
// again a token later, and stays.
func (w Windows) BlocksFor(tokens, size int) int {
	all := (tokens + size - 1) / size
	if w.Groups == 0 {
		return all
	}
	return w.Full*all + w.Groups*min(all, w.reach(size))
}

// reach is the most blocks of a group that a window lies in.
func (w Windows) reach(size int) int { return (w.Tokens-1+size-1)/size + 1 }

// Growing is the number of tokens up to which a sequence takes a block of every group
// for the next ones; beyond, only of those that attend to everything.
func (w Windows) Growing(size int) int { return w.reach(size) * size }

// ToCompute is the number of blocks that a sequence needs in order to compute
// tokens behind others: the first of them attends to Tokens-1 before it, and all of them
// are in memory at once.
func (w Windows) ToCompute(computed, tokens, size int) int {
	if w.Groups == 0 {
		return w.BlocksFor(computed+tokens, size)
	}
	all := (computed + tokens + size - 1) / size
	behind := max(0, computed-w.Tokens+1) / size
	return max(w.BlocksFor(computed+tokens, size), w.Full*all+w.Groups*(all-behind))
}

// ToPrefill is the number of blocks that always suffice for a prompt, where a step
// computes at most chunk tokens of it: it sees Tokens-1 tokens before its own.
func (w Windows) ToPrefill(tokens, chunk, size int) int {
	w.Tokens += chunk
	return w.BlocksFor(tokens, size)
}

// Longest is the most tokens of a sequence that a number of blocks always suffices for,
// where a step computes at most chunk tokens of it; 0: its whole prompt.
func (w Windows) Longest(blocks, size, chunk int) int {
	switch {
	case w.Groups == 0:
		return blocks * size
	case chunk == 0:
		return blocks / (w.Full + w.Groups) * size
	}
	w.Tokens += chunk
	if kept := w.reach(size); blocks >= (w.Full+w.Groups)*kept {
		if w.Full == 0 {
			return math.MaxInt
		}
		return (blocks - w.Groups*kept) / w.Full * size
	}
	return blocks / (w.Full + w.Groups) * size
}
