package policies

import "testing"

func TestDecodeFirst(t *testing.T) {
	for _, c := range []struct {
		name             string
		blocks           int
		running, waiting []*Sequence
		want             string
	}{
		{
			name:   "nobody joins a batch that decodes",
			blocks: 100, running: []*Sequence{decoding(0, 9, 1)},
			waiting: []*Sequence{fresh(1, 10)},
			want:    "0:1/3",
		},
		{
			name:   "a new batch takes whole prompts, as many as there are places",
			blocks: 100, waiting: []*Sequence{fresh(0, 100), fresh(1, 10), fresh(2, 1), fresh(3, 1)},
			want: "0:100/25 1:10/3 2:1/1 admit 3",
		},
		{
			name:   "nobody overtakes the one that does not fit",
			blocks: 5, waiting: []*Sequence{fresh(0, 8), fresh(1, 13), fresh(2, 1)},
			want: "0:8/2 admit 1",
		},
		{
			name:   "the youngest is preempted",
			blocks: 5, running: []*Sequence{decoding(0, 8, 1), decoding(1, 4, 1), decoding(2, 7, 1)},
			want: "0:1/3 1:1/2 preempt 2",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := plan(&DecodeFirst{MaxNumSeqs: 3}, view(c.blocks, c.running, c.waiting)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
