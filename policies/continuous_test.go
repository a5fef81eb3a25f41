package policies

import "testing"

func TestContinuous(t *testing.T) {
	for _, c := range []struct {
		name             string
		policy           Continuous
		blocks           int
		running, waiting []*Sequence
		want             string
	}{
		{
			name:   "idle",
			policy: Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 100}, blocks: 100,
		},
		{
			name:   "decodes come before prefills",
			policy: Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 100}, blocks: 100,
			running: []*Sequence{decoding(0, 9, 1), decoding(1, 4, 5)},
			waiting: []*Sequence{fresh(2, 10), fresh(3, 5)},
			want:    "0:1/3 1:1/3 2:10/3 3:5/2 admit 2",
		},
		{
			name:   "what is left of the budget cuts the last prompt",
			policy: Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 14}, blocks: 100,
			running: []*Sequence{decoding(0, 9, 1), decoding(1, 4, 5)},
			waiting: []*Sequence{fresh(2, 10), fresh(3, 5), fresh(4, 1)},
			want:    "0:1/3 1:1/3 2:10/3 3:2/1 admit 2",
		},
		{
			name:   "a prompt is resumed before others are admitted",
			policy: Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 8}, blocks: 100,
			running: []*Sequence{decoding(0, 9, 1), {ID: 1, Prompt: 20, Computed: 8, Blocks: 2}},
			waiting: []*Sequence{fresh(2, 5)},
			want:    "0:1/3 1:7/4",
		},
		{
			name:   "in order of admission, also a prefill before a decode",
			policy: Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 8}, blocks: 100,
			running: []*Sequence{{ID: 0, Prompt: 9, Computed: 3, Blocks: 1}, decoding(1, 9, 1)},
			waiting: []*Sequence{fresh(2, 5)},
			want:    "0:6/3 1:1/3 2:1/1 admit 1",
		},
		{
			name:   "the budget runs out among the decodes",
			policy: Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 1}, blocks: 100,
			running: []*Sequence{decoding(0, 9, 1), decoding(1, 9, 1)},
			waiting: []*Sequence{fresh(2, 5)},
			want:    "0:1/3",
		},
		{
			name:   "max_num_seqs",
			policy: Continuous{MaxNumSeqs: 3, MaxNumBatchedTokens: 100}, blocks: 100,
			running: []*Sequence{decoding(0, 9, 1), decoding(1, 9, 1)},
			waiting: []*Sequence{fresh(2, 5), fresh(3, 5)},
			want:    "0:1/3 1:1/3 2:5/2 admit 1",
		},
		{
			name:   "admission stops at the first that has no memory: nobody overtakes",
			policy: Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 100}, blocks: 5,
			running: []*Sequence{decoding(0, 9, 1)},
			waiting: []*Sequence{fresh(1, 12), fresh(2, 1)},
			want:    "0:1/3",
		},
		{
			name:   "a chunk holds blocks for its own tokens, once there are blocks for all of the prompt",
			policy: Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 9}, blocks: 6,
			running: []*Sequence{decoding(0, 9, 1)},
			waiting: []*Sequence{fresh(1, 12)},
			want:    "0:1/3 1:8/2 admit 1",
		},
		{
			name:   "nobody joins whose prompt has no memory, though its first chunk has",
			policy: Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 9}, blocks: 5,
			running: []*Sequence{decoding(0, 9, 1)},
			waiting: []*Sequence{fresh(1, 12)},
			want:    "0:1/3",
		},
		{
			name:   "the youngest is preempted, and nobody admitted",
			policy: Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 100}, blocks: 5,
			running: []*Sequence{decoding(0, 8, 1), decoding(1, 4, 1), decoding(2, 7, 1)},
			waiting: []*Sequence{fresh(3, 1)},
			want:    "0:1/3 1:1/2 preempt 2",
		},
		{
			name:   "as many as it takes, the youngest first",
			policy: Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 100}, blocks: 4,
			running: []*Sequence{{ID: 0, Prompt: 14, Computed: 4, Blocks: 1}, decoding(1, 4, 1), decoding(2, 4, 1), decoding(3, 4, 1)},
			want:    "0:10/4 preempt 3 preempt 2 preempt 1",
		},
		{
			name:   "a sequence preempts itself when it is the youngest",
			policy: Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 100}, blocks: 3,
			running: []*Sequence{decoding(0, 7, 1), decoding(1, 4, 1)},
			want:    "0:1/2 preempt 1",
		},
		{
			name:   "a preempted request is prefilled with all that it generated",
			policy: Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 100}, blocks: 9,
			waiting: []*Sequence{{ID: 0, Prompt: 10, Generated: 7}},
			want:    "0:17/5 admit 1",
		},
		{
			name:   "memory set aside is taken on admission",
			policy: Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 100}, blocks: 9,
			waiting: []*Sequence{{ID: 0, Prompt: 10, Reserved: 25}, {ID: 1, Prompt: 5, Reserved: 13}},
			want:    "0:10/7 admit 1",
		},
		{
			name:   "long prompts in chunks of the threshold, and room for others behind them",
			policy: Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 20, LongPrefillTokenThreshold: 6}, blocks: 100,
			running: []*Sequence{{ID: 0, Prompt: 30, Computed: 4, Blocks: 1}, decoding(1, 9, 1)},
			waiting: []*Sequence{fresh(2, 10), fresh(3, 5), fresh(4, 9)},
			want:    "0:6/3 1:1/3 2:6/2 3:5/2 4:2/1 admit 3",
		},
		{
			name:   "as many budgets as ranks, of which a sequence has one",
			policy: Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 10, Ranks: 3}, blocks: 100,
			running: []*Sequence{{ID: 0, Prompt: 30, Computed: 4, Blocks: 1}, decoding(1, 9, 1)},
			waiting: []*Sequence{fresh(2, 14), fresh(3, 5), fresh(4, 9)},
			want:    "0:10/4 1:1/3 2:10/3 3:5/2 4:4/1 admit 3",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := plan(&c.policy, view(c.blocks, c.running, c.waiting)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
