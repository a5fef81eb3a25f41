package policies

import "testing"

func TestSarathi(t *testing.T) {
	for _, c := range []struct {
		name             string
		policy           Sarathi
		blocks           int
		running, waiting []*Sequence
		want             string
	}{
		{
			name:   "decodes, prefills that were begun, new ones",
			policy: Sarathi{8, 20}, blocks: 100,
			running: []*Sequence{{ID: 0, Prompt: 12, Computed: 4, Blocks: 3}, decoding(1, 9, 1)},
			waiting: []*Sequence{fresh(2, 10), fresh(3, 20), fresh(4, 1)},
			want:    "1:1/3 0:8/3 2:10/3 3:1/5 admit 2",
		},
		{
			name:   "the budget does not hold up decodes",
			policy: Sarathi{8, 2}, blocks: 100,
			running: []*Sequence{decoding(0, 9, 1), {ID: 1, Prompt: 12, Computed: 4, Blocks: 3}, decoding(2, 9, 1), decoding(3, 9, 1)},
			waiting: []*Sequence{fresh(4, 10)},
			want:    "0:1/3 2:1/3 3:1/3",
		},
		{
			name:   "memory for the whole prompt, or nobody joins",
			policy: Sarathi{8, 4}, blocks: 5,
			running: []*Sequence{decoding(0, 9, 1)},
			waiting: []*Sequence{fresh(1, 12), fresh(2, 1)},
			want:    "0:1/3",
		},
		{
			name:   "one block in a hundred stays free",
			policy: Sarathi{8, 4}, blocks: 200,
			running: []*Sequence{decoding(0, 9, 1)},
			waiting: []*Sequence{fresh(1, 195*4), fresh(2, 1)},
			want:    "0:1/3 1:3/195 admit 1",
		},
		{
			name:   "no blocks but the margin: nobody joins",
			policy: Sarathi{8, 4}, blocks: 200,
			running: []*Sequence{decoding(0, 9, 1)},
			waiting: []*Sequence{fresh(1, 195*4+1), fresh(2, 1)},
			want:    "0:1/3",
		},
		{
			name:   "an empty batch needs no margin",
			policy: Sarathi{8, 1000}, blocks: 200,
			waiting: []*Sequence{fresh(0, 200*4), fresh(1, 1)},
			want:    "0:800/200 admit 1",
		},
		{
			name:   "behind one that joins it does",
			policy: Sarathi{8, 2000}, blocks: 200,
			waiting: []*Sequence{fresh(0, 100*4), fresh(1, 98*4), fresh(2, 1)},
			want:    "0:400/100 1:392/98 admit 2",
		},
		{
			name:   "behind one that joins, a block too few",
			policy: Sarathi{8, 2000}, blocks: 200,
			waiting: []*Sequence{fresh(0, 100*4), fresh(1, 98*4+1), fresh(2, 1)},
			want:    "0:400/100 admit 1",
		},
		{
			name:   "the margin is one in a hundred, rounded down",
			policy: Sarathi{8, 2000}, blocks: 199,
			running: []*Sequence{decoding(0, 9, 1)},
			waiting: []*Sequence{fresh(1, 195*4), fresh(2, 1)},
			want:    "0:1/3 1:780/195 admit 1",
		},
		{
			name:   "max_num_seqs",
			policy: Sarathi{2, 100}, blocks: 200,
			running: []*Sequence{decoding(0, 9, 1)},
			waiting: []*Sequence{fresh(1, 3), fresh(2, 1)},
			want:    "0:1/3 1:3/1 admit 1",
		},
		{
			name:   "the youngest is preempted, also one in prefill, and nobody admitted",
			policy: Sarathi{8, 100}, blocks: 5,
			running: []*Sequence{decoding(0, 8, 1), decoding(1, 4, 1), {ID: 2, Prompt: 8, Computed: 4, Blocks: 2}},
			waiting: []*Sequence{fresh(3, 1)},
			want:    "0:1/3 1:1/2 preempt 2",
		},
		{
			name:   "the last one preempts itself, and prefills go on",
			policy: Sarathi{8, 100}, blocks: 3,
			running: []*Sequence{{ID: 0, Prompt: 8, Computed: 4, Blocks: 2}, decoding(1, 4, 1)},
			want:    "0:4/2 preempt 1",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := plan(&c.policy, view(c.blocks, c.running, c.waiting)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
