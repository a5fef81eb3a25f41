package policies

import "testing"

// most is a sequence that may come to a number of tokens.
func most(s *Sequence, tokens int) *Sequence {
	s.Most = tokens
	return s
}

func TestLightLLM(t *testing.T) {
	for _, c := range []struct {
		name             string
		policy           LightLLM
		blocks           int
		running, waiting []*Sequence
		want             string
	}{
		{
			name:   "an empty batch: prompts alone",
			policy: LightLLM{MaxNumSeqs: 8, MaxNumBatchedTokens: 100}, blocks: 100,
			waiting: []*Sequence{most(fresh(0, 10), 20), most(fresh(1, 5), 20)},
			want:    "0:10/3 1:5/2 admit 2",
		},
		{
			name:   "the youngest has decoded nine times: nobody looks at the queue",
			policy: LightLLM{MaxNumSeqs: 8, MaxNumBatchedTokens: 100}, blocks: 100,
			running: []*Sequence{most(decoding(0, 8, 20), 40), most(decoding(1, 8, 10), 40)},
			waiting: []*Sequence{most(fresh(2, 10), 20)},
			want:    "0:1/7 1:1/5",
		},
		{
			name:   "ten times: prompts alone",
			policy: LightLLM{MaxNumSeqs: 8, MaxNumBatchedTokens: 100}, blocks: 100,
			running: []*Sequence{most(decoding(0, 8, 20), 40), most(decoding(1, 8, 11), 40)},
			waiting: []*Sequence{most(fresh(2, 10), 20)},
			want:    "2:10/3 admit 1",
		},
		{
			name:   "the budget of tokens",
			policy: LightLLM{MaxNumSeqs: 8, MaxNumBatchedTokens: 14}, blocks: 100,
			waiting: []*Sequence{most(fresh(0, 10), 20), most(fresh(1, 5), 20)},
			want:    "0:10/3 admit 1",
		},
		{
			name:   "one prompt that exceeds it has a step for itself",
			policy: LightLLM{MaxNumSeqs: 8, MaxNumBatchedTokens: 4}, blocks: 100,
			waiting: []*Sequence{most(fresh(0, 10), 20)},
			want:    "0:10/3 admit 1",
		},
		{
			name:   "places",
			policy: LightLLM{MaxNumSeqs: 1, MaxNumBatchedTokens: 100}, blocks: 100,
			waiting: []*Sequence{most(fresh(0, 10), 20), most(fresh(1, 5), 20)},
			want:    "0:10/3 admit 1",
		},
		// Held are 19+3 and 5+1+3 tokens, a block's rest among them, and 4 and 14 are left: the most is
		// 9+14 = 23, or 9+22+2*4 = 39 when the first one ends.
		{
			name:   "memory that lasts until the first one ends",
			policy: LightLLM{MaxNumSeqs: 8, MaxNumBatchedTokens: 100}, blocks: 10,
			running: []*Sequence{most(decoding(0, 8, 11), 24)},
			waiting: []*Sequence{most(fresh(1, 5), 21)},
			want:    "1:5/2 admit 1",
		},
		{
			name:   "that does not, though there is room now",
			policy: LightLLM{MaxNumSeqs: 8, MaxNumBatchedTokens: 100}, blocks: 10,
			running: []*Sequence{most(decoding(0, 8, 11), 25)},
			waiting: []*Sequence{most(fresh(1, 5), 21)},
			want:    "0:1/5",
		},
		{
			name:   "one that is alone may fill the memory",
			policy: LightLLM{MaxNumSeqs: 8, MaxNumBatchedTokens: 100}, blocks: 10,
			waiting: []*Sequence{most(fresh(0, 10), 40), most(fresh(1, 1), 2)},
			want:    "0:10/3 admit 1",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := plan(&c.policy, view(c.blocks, c.running, c.waiting)); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
