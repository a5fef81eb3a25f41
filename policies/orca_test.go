package policies

import "testing"

func TestOrca(t *testing.T) {
	for _, c := range []struct {
		name             string
		blocks           int
		running, waiting []*Sequence
		want             string
	}{
		{
			name:   "whole prompts beside decodes",
			blocks: 100, running: []*Sequence{{ID: 0, Prompt: 9, Generated: 1, Computed: 9, Blocks: 4, Reserved: 14}},
			waiting: []*Sequence{declared(1, 300, 20), declared(2, 3, 1)},
			want:    "0:1/4 1:300/80 2:3/1 admit 2",
		},
		{
			name:   "as many as there are places",
			blocks: 100, running: []*Sequence{{ID: 0, Prompt: 9, Generated: 1, Computed: 9, Blocks: 4, Reserved: 14}},
			waiting: []*Sequence{declared(1, 4, 4), declared(2, 4, 4), declared(3, 4, 4)},
			want:    "0:1/4 1:4/2 2:4/2 admit 2",
		},
		{
			name:   "nobody overtakes the one whose memory is not there",
			blocks: 6, waiting: []*Sequence{declared(0, 4, 4), declared(1, 4, 16), declared(2, 1, 1)},
			want: "0:4/2 admit 1",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := plan(&Orca{MaxNumSeqs: 3}, view(c.blocks, c.running, c.waiting)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
