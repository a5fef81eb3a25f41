package policies

import (
	"testing"

	"kneepoint/units"
)

// declared is a request that has not started and may generate that much.
// TestStaticReservesTheLongest: with memory for the longest sequence a padded row
// takes no more than that, whatever prompts and outputs sum up to.
func TestStaticReservesTheLongest(t *testing.T) {
	reserve := ReserveMax(20)
	short, long := fresh(0, 2), fresh(1, 15)
	short.Reserved, long.Reserved = reserve(2, 3), reserve(15, 5)
	for _, c := range []struct {
		longest int
		want    string
	}{
		{20, "0:2+13/5 1:15/5 admit 2"},
		{0, "0:2/5 admit 1"}, // the longest prompt and 18 more: 9 blocks each
	} {
		p := &Static{BatchSize: 2, Padded: true, Longest: c.longest}
		if got := plan(p, view(10, nil, []*Sequence{short, long})); got != c.want {
			t.Errorf("longest %d: got %s, want %s", c.longest, got, c.want)
		}
	}
}

func declared(id, prompt, output int) *Sequence {
	return &Sequence{ID: id, Prompt: prompt, Reserved: prompt + output}
}

func TestStaticStart(t *testing.T) {
	for _, c := range []struct {
		name    string
		policy  Static
		blocks  int
		waiting []*Sequence
		want    string
	}{
		{
			name:   "ragged: each sequence takes its own memory",
			policy: Static{BatchSize: 8}, blocks: 9,
			waiting: []*Sequence{declared(0, 10, 2), declared(1, 3, 1), declared(2, 1, 18), declared(3, 1, 1)},
			want:    "0:10/3 1:3/1 2:1/5 admit 3",
		},
		{
			name:   "padded: the longest prompt and the longest output for everyone",
			policy: Static{BatchSize: 8, Padded: true}, blocks: 21,
			waiting: []*Sequence{declared(0, 10, 2), declared(1, 3, 1), declared(2, 1, 18), declared(3, 1, 1)},
			want:    "0:10/7 1:3+7/7 2:1+9/7 admit 3",
		},
		{
			name:   "padded: one that makes the rectangle too large ends the batch",
			policy: Static{BatchSize: 8, Padded: true}, blocks: 20,
			waiting: []*Sequence{declared(0, 10, 2), declared(1, 3, 1), declared(2, 1, 18), declared(3, 1, 1)},
			want:    "0:10/3 1:3+7/3 admit 2",
		},
		{
			name:   "ragged: nobody overtakes the one that does not fit",
			policy: Static{BatchSize: 8}, blocks: 6,
			waiting: []*Sequence{declared(0, 10, 2), declared(1, 10, 10), declared(2, 1, 1)},
			want:    "0:10/3 admit 1",
		},
		{
			name:   "batch size",
			policy: Static{BatchSize: 2, Padded: true}, blocks: 100,
			waiting: []*Sequence{declared(0, 1, 3), declared(1, 2, 2), declared(2, 3, 3)},
			want:    "0:1+1/2 1:2/2 admit 2",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := plan(&c.policy, view(c.blocks, nil, c.waiting)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestStaticRunsToTheLongest: nobody joins, and rows of the ended are computed,
// until the last member ends.
func TestStaticRunsToTheLongest(t *testing.T) {
	for _, c := range []struct {
		padded bool
		want   []string
	}{
		{true, []string{"0:3/2 1:2+1/2 2:2+1/2 admit 3", "0:1/2 1:1/2 2:1/2", "1:1/2 rows 2", "3:1/1 admit 1"}},
		{false, []string{"0:3/2 1:2/2 2:2/1 admit 3", "0:1/2 1:1/2 2:1/1", "1:1/2", "3:1/1 admit 1"}},
	} {
		p := &Static{BatchSize: 3, Padded: c.padded}
		waiting := []*Sequence{declared(0, 3, 2), declared(1, 2, 5), declared(2, 2, 2), declared(3, 1, 3)}
		got := []string{plan(p, view(100, nil, waiting))}
		for _, s := range waiting[:3] {
			s.Computed, s.Generated, s.Blocks = s.Prompt, 1, 2
		}
		if !c.padded {
			waiting[2].Blocks = 1
		}
		got = append(got, plan(p, view(100, waiting[:3], waiting[3:])))
		waiting[1].Computed, waiting[1].Generated = 3, 2
		got = append(got, plan(p, view(100, waiting[1:2], waiting[3:])))
		got = append(got, plan(p, view(100, nil, waiting[3:])))
		for i := range c.want {
			if got[i] != c.want[i] {
				t.Errorf("padded %t, step %d: got %q, want %q", c.padded, i, got[i], c.want[i])
			}
		}
	}
}

// TestStaticMaxWait: the wait starts when the replica is idle and has a
// request, not when the policy was made, nor anew with each request.
func TestStaticMaxWait(t *testing.T) {
	p := &Static{BatchSize: 3, MaxWait: 10}
	a, b, c := declared(0, 1, 1), declared(1, 1, 1), declared(2, 1, 1)
	for _, step := range []struct {
		now              units.Seconds
		running, waiting []*Sequence
		want             string
	}{
		{5, nil, nil, ""},                                             // idle: no wait yet
		{7, nil, []*Sequence{a}, "wake 17"},                           // it starts
		{12, nil, []*Sequence{a, b}, "wake 17"},                       // and goes on
		{17, nil, []*Sequence{a, b}, "0:1/1 1:1/1 admit 2"},           // and ends
		{18, []*Sequence{decoding(0, 1, 1)}, []*Sequence{c}, "0:1/1"}, // busy: no wait
		{20, nil, []*Sequence{c}, "wake 30"},                          // a new one
		{21, nil, []*Sequence{c, a, b}, "2:1/1 0:1/1 1:1/1 admit 3"},  // full: at once
		{22, nil, []*Sequence{a}, "wake 32"},                          // a new one again
	} {
		v := view(100, step.running, step.waiting)
		v.Now = step.now
		if got := plan(p, v); got != step.want {
			t.Errorf("at %v: got %q, want %q", float64(step.now), got, step.want)
		}
	}
}

// TestPaddedReads: where the engine attends to the whole rectangle, one prompt of 3,000
// tokens among fifteen of 100 is read as sixteen of 3,000, to the end of the longest
// answer; where it leaves out rows that have ended, those alone are missing.
func TestPaddedReads(t *testing.T) {
	for _, c := range []struct {
		reads          PaddedReads
		all, ended     int64 // tokens that are read while all go on, and when five have ended
		growth, ending int
	}{
		{ReadOwn, 3000 + 15*100 + 16*8, 3000 + 10*100 + 11*8, 0, 0},
		{ReadPrompts, 16 * 3008, 11 * 3008, 0, 0},
		{ReadRows, 16 * 3008, 16 * 3008, 0, 5},
	} {
		p := &Static{BatchSize: 16, Padded: true, Reads: c.reads}
		var waiting []*Sequence
		for id := range 16 {
			waiting = append(waiting, declared(id, 100, 50))
		}
		waiting[0] = declared(0, 3000, 50)
		d := &Decision{}
		d.Reset()
		p.Plan(view(1e6, nil, waiting), d)
		read := func(running []*Sequence) int64 {
			d.Reset()
			p.Plan(view(1e6, running, nil), d)
			n := d.PaddingContext
			for _, s := range running {
				n += int64(s.Computed + 1)
			}
			return n
		}
		for _, s := range waiting {
			s.Generated, s.Computed = 8, s.Prompt+7
		}
		if got := read(waiting); got != c.all || d.PaddingGrowth != c.growth {
			t.Errorf("reads %d: %d tokens are read and %d more in every step, want %d and %d", c.reads, got, d.PaddingGrowth, c.all, c.growth)
		}
		if got := read(waiting[:11]); got != c.ended || d.PaddingGrowth != c.ending {
			t.Errorf("reads %d: five have ended, %d tokens are read and %d more in every step, want %d and %d", c.reads, got, d.PaddingGrowth, c.ended, c.ending)
		}
	}
}

// TestPromptsByToken: beyond the shortest prompt of the batch the others come in a token
// a step, while those that are through decode.
func TestPromptsByToken(t *testing.T) {
	p := &Static{BatchSize: 8, Padded: true, ByToken: true}
	long, short := declared(0, 10, 2), declared(1, 3, 1)
	if got := plan(p, view(100, nil, []*Sequence{long, short})); got != "0:3/3 1:3/3 admit 2" {
		t.Error(got)
	}
	long.Computed, long.Blocks = 3, 3
	short.Computed, short.Generated, short.Blocks = 3, 1, 3
	if got := plan(p, view(100, []*Sequence{long, short}, nil)); got != "0:1/3 1:1/3" {
		t.Error(got)
	}
}

// TestPackedPrompts: a padded batch whose prompts are packed has the memory of the
// rectangle, and computes no padding.
func TestPackedPrompts(t *testing.T) {
	p := &Static{BatchSize: 8, Padded: true, Packed: true}
	if got := plan(p, view(100, nil, []*Sequence{declared(0, 10, 2), declared(1, 3, 1)})); got != "0:10/3 1:3/3 admit 2" {
		t.Error(got)
	}
}
