package policies

import (
	"testing"

	"kneepoint/units"
)

// TestLeastUrgentIsPreempted: with LeastUrgentFirst the sequence of the highest rank
// gives way, of several the one that arrived last, wherever it is in the batch; what
// its task would have taken of the step's budget others get.
func TestLeastUrgentIsPreempted(t *testing.T) {
	ranked := func(s *Sequence, rank, arrival float64) *Sequence {
		s.Rank, s.Arrival = rank, units.Seconds(arrival)
		return s
	}
	for _, c := range []struct {
		name    string
		budget  int
		blocks  int
		running []*Sequence
		want    string
	}{
		{
			name: "not the youngest", budget: 100, blocks: 5,
			running: []*Sequence{ranked(decoding(0, 8, 1), 0, 0), ranked(decoding(1, 7, 1), 2, 1), ranked(decoding(2, 4, 1), 1, 2)},
			want:    "0:1/3 2:1/2 preempt 1",
		},
		{
			name: "of equal ranks the last to arrive, though admitted first", budget: 100, blocks: 5,
			running: []*Sequence{ranked(decoding(0, 7, 1), 1, 5), ranked(decoding(1, 8, 1), 1, 1), ranked(decoding(2, 4, 1), 1, 2)},
			want:    "1:1/3 2:1/2 preempt 0",
		},
		{
			name: "of equal ones that arrived at once the youngest", budget: 100, blocks: 5,
			running: []*Sequence{ranked(decoding(0, 8, 1), 1, 0), ranked(decoding(1, 7, 1), 1, 0), ranked(decoding(2, 4, 1), 1, 0)},
			want:    "0:1/3 1:1/2 preempt 2",
		},
		{
			name: "one that had a task loses it, and its tokens go to others", budget: 3, blocks: 5,
			running: []*Sequence{ranked(decoding(0, 7, 1), 3, 0), ranked(decoding(1, 8, 1), 1, 0), ranked(decoding(2, 2, 1), 1, 0), ranked(decoding(3, 2, 1), 1, 0)},
			want:    "1:1/3 2:1/1 3:1/1 preempt 0",
		},
		{
			name: "the first in the batch gives way to those behind it", budget: 100, blocks: 3,
			running: []*Sequence{ranked(decoding(0, 8, 1), 1, 0), ranked(decoding(1, 4, 1), 0, 0)},
			want:    "1:1/2 preempt 0",
		},
		{
			name: "as in vLLM the need of a victim itself ends the step", budget: 100, blocks: 4,
			running: []*Sequence{ranked(decoding(0, 2, 1), 0, 0), ranked(decoding(1, 8, 1), 1, 0), ranked(decoding(2, 2, 1), 0, 0)},
			want:    "0:1/1 preempt 1",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := view(c.blocks, c.running, nil)
			v.LeastUrgentFirst = true
			if got := plan(&Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: c.budget}, v); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
