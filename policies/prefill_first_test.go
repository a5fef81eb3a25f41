package policies

import "testing"

func TestPrefillFirst(t *testing.T) {
	for _, c := range []struct {
		name             string
		policy           PrefillFirst
		blocks           int
		running, waiting []*Sequence
		want             string
	}{
		{
			name:   "prompts alone, though others decode",
			policy: PrefillFirst{8, 100}, blocks: 100,
			running: []*Sequence{decoding(0, 9, 1)},
			waiting: []*Sequence{fresh(1, 10), fresh(2, 5)},
			want:    "1:10/3 2:5/2 admit 2",
		},
		{
			name:   "decodes when nobody waits, each a token",
			policy: PrefillFirst{8, 1}, blocks: 100,
			running: []*Sequence{decoding(0, 9, 1), decoding(1, 4, 5)},
			want:    "0:1/3 1:1/3",
		},
		{
			name:   "prompts are not cut",
			policy: PrefillFirst{8, 14}, blocks: 100,
			waiting: []*Sequence{fresh(0, 10), fresh(1, 5), fresh(2, 4)},
			want:    "0:10/3 admit 1",
		},
		{
			name:   "prompts that fill the budget exactly",
			policy: PrefillFirst{8, 15}, blocks: 100,
			waiting: []*Sequence{fresh(0, 10), fresh(1, 5), fresh(2, 1)},
			want:    "0:10/3 1:5/2 admit 2",
		},
		{
			name:   "one token more than the budget",
			policy: PrefillFirst{8, 15}, blocks: 100,
			waiting: []*Sequence{fresh(0, 10), fresh(1, 6), fresh(2, 1)},
			want:    "0:10/3 admit 1",
		},
		{
			name:   "one that exceeds the budget has a step for itself",
			policy: PrefillFirst{8, 14}, blocks: 100,
			running: []*Sequence{decoding(0, 9, 1)},
			waiting: []*Sequence{fresh(1, 15), fresh(2, 1)},
			want:    "1:15/4 admit 1",
		},
		{
			name:   "places taken: decodes",
			policy: PrefillFirst{1, 100}, blocks: 100,
			running: []*Sequence{decoding(0, 9, 1)},
			waiting: []*Sequence{fresh(1, 10)},
			want:    "0:1/3",
		},
		{
			name:   "one block in a hundred stays free",
			policy: PrefillFirst{8, 2000}, blocks: 200,
			running: []*Sequence{decoding(0, 9, 1)},
			waiting: []*Sequence{fresh(1, 195*4), fresh(2, 1)},
			want:    "1:780/195 admit 1",
		},
		{
			name:   "no blocks but the margin: decodes",
			policy: PrefillFirst{8, 2000}, blocks: 200,
			running: []*Sequence{decoding(0, 9, 1)},
			waiting: []*Sequence{fresh(1, 196*4)},
			want:    "0:1/3",
		},
		{
			name:   "behind one that joins the margin counts",
			policy: PrefillFirst{8, 2000}, blocks: 200,
			waiting: []*Sequence{fresh(0, 100*4), fresh(1, 98*4+1)},
			want:    "0:400/100 admit 1",
		},
		{
			name:   "an empty batch needs no margin",
			policy: PrefillFirst{8, 2000}, blocks: 200,
			waiting: []*Sequence{fresh(1, 200*4)},
			want:    "1:800/200 admit 1",
		},
		{
			name:   "the youngest is preempted",
			policy: PrefillFirst{8, 100}, blocks: 5,
			running: []*Sequence{decoding(0, 8, 1), decoding(1, 4, 1), decoding(2, 7, 1)},
			waiting: []*Sequence{fresh(3, 1)},
			want:    "0:1/3 1:1/2 preempt 2",
		},
		{
			name:   "a free block for everybody who decodes, though nobody needs one",
			policy: PrefillFirst{8, 100}, blocks: 6,
			running: []*Sequence{decoding(0, 6, 1), decoding(1, 5, 1), decoding(2, 6, 1)},
			want:    "0:1/2 1:1/2 preempt 2",
		},
		{
			name:   "the last free block is taken before the last one's turn",
			policy: PrefillFirst{8, 100}, blocks: 5,
			running: []*Sequence{decoding(0, 8, 1), decoding(1, 6, 1)},
			want:    "0:1/3 preempt 1",
		},
		{
			name:   "one that is alone goes on in what it has",
			policy: PrefillFirst{8, 100}, blocks: 2,
			running: []*Sequence{decoding(0, 6, 1)},
			want:    "0:1/2",
		},
		{
			name:   "memory for the whole sequence is there",
			policy: PrefillFirst{8, 100}, blocks: 4,
			running: []*Sequence{reserving(decoding(0, 6, 1), 8), reserving(decoding(1, 6, 1), 8)},
			want:    "0:1/2 1:1/2",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := plan(&c.policy, view(c.blocks, c.running, c.waiting)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
