package workloads

import (
	"slices"
	"testing"
)

// TestAnswersAreNamed: three turns of a conversation, and others that only share its
// system prompt, ask again, or are too short to hold an answer.
func TestAnswersAreNamed(t *testing.T) {
	trace := mustLoad(t, `
{"timestamp": 0, "input_length": 12, "output_length": 9, "hash_ids": [1, 2, 3]}
{"timestamp": 1, "input_length": 9, "output_length": 2, "hash_ids": [1, 8, 9]}
{"timestamp": 2, "input_length": 30, "output_length": 5, "hash_ids": [1, 2, 4, 5, 6, 7, 10, 11]}
{"timestamp": 3, "input_length": 30, "output_length": 5, "hash_ids": [1, 2, 4, 5, 6, 7, 10, 12]}
{"timestamp": 4, "input_length": 40, "output_length": 5, "hash_ids": [1, 2, 4, 5, 6, 7, 10, 13, 14, 15]}
{"timestamp": 5, "input_length": 12, "output_length": 9, "hash_ids": [20, 21, 22]}
{"timestamp": 6, "input_length": 16, "output_length": 1, "hash_ids": [20, 21, 22, 23]}
`, TraceSpec{Path: "p", Format: "mooncake", BlockSize: 4})
	requests := firstOf(trace, 7)
	for i, want := range []struct {
		named   int32
		ids     []int
		session int
	}{
		{0, []int{1, 2, 3}, -1}, // nobody goes on with block 3
		{0, []int{1, 8, 9}, -1},
		{35, []int{1, 2, 4, 5, 6, 7, 10, 13, 14}, 0},
		{0, []int{1, 2, 4, 5, 6, 7, 10, 12}, -1}, // its last whole block was there before
		{0, []int{1, 2, 4, 5, 6, 7, 10, 13, 14, 15}, 0},
		{0, []int{20, 21, 22}, -1}, // too short for its answer
		{0, []int{20, 21, 22, 23}, -1},
	} {
		if got := trace.rows[i]; got.named != want.named || !slices.Equal(got.content.IDs, want.ids) {
			t.Errorf("row %d names %d tokens by %v, want %d by %v", i, got.named, got.content.IDs, want.named, want.ids)
		}
		if requests[i].Session != want.session {
			t.Errorf("row %d is a turn of conversation %d, want %d", i, requests[i].Session, want.session)
		}
	}
}

// TestAnswersOfAllTurns: a turn in the middle is named by what follows it, as far as its
// answer goes, and so is the one before.
func TestAnswersOfAllTurns(t *testing.T) {
	trace := mustLoad(t, `
{"timestamp": 0, "input_length": 6, "output_length": 5, "hash_ids": [1, 2]}
{"timestamp": 1, "input_length": 14, "output_length": 3, "hash_ids": [1, 3, 4, 5]}
{"timestamp": 2, "input_length": 20, "output_length": 3, "hash_ids": [1, 3, 4, 6, 7]}
`, TraceSpec{Path: "p", Format: "mooncake", BlockSize: 4})
	for i, ids := range [][]int{{1, 3, 4}, {1, 3, 4, 6, 7}, {1, 3, 4, 6, 7}} {
		if got := trace.rows[i].content.IDs; !slices.Equal(got, ids) {
			t.Errorf("row %d is named by %v, want %v", i, got, ids)
		}
	}
	requests := firstOf(trace, 3)
	for i, r := range requests {
		if r.Session != 0 {
			t.Errorf("turn %d is one of conversation %d", i, r.Session)
		}
	}
	for i, named := range []int{11, 17, 20} {
		if requests[i].Named != named {
			t.Errorf("request %d has %d named tokens, want %d", i, requests[i].Named, named)
		}
	}
}

// firstOf is the first n requests that a trace yields.
func firstOf(trace *Trace, n int) []Request {
	requests := make([]Request, n)
	lengths := traceLengths{trace.begin()}
	for i := range requests {
		lengths.next(&requests[i])
	}
	return requests
}

// TestAnswersOfIncompleteBlocks: of an answer whose end is in a block that the row after it leaves out, that end has no name.
func TestAnswersOfIncompleteBlocks(t *testing.T) {
	trace := mustLoad(t, `{"timestamp": 0, "input_length": 9, "output_length": 4, "hash_ids": [1, 2]}
{"timestamp": 1, "input_length": 14, "output_length": 1, "hash_ids": [1, 2, 3]}
`, TraceSpec{Path: "p", Format: "mooncake", BlockSize: 4})
	if r := trace.rows[0]; r.named != 12 || !slices.Equal(r.content.IDs, []int{1, 2, 3}) {
		t.Errorf("%d tokens are named by %v", r.named, r.content.IDs)
	}
}
