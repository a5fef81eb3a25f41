package policies

import "testing"

// Every scheduler says why the head of the queue stays where it is.
func TestHeld(t *testing.T) {
	reserved := func(id, prompt int) *Sequence { return &Sequence{ID: id, Prompt: prompt, Reserved: prompt} }
	for _, scheduler := range Schedulers {
		for _, c := range []struct {
			what   string
			blocks int
			queue  []*Sequence
			want   Held
		}{
			{"all join", 10, []*Sequence{reserved(0, 8), reserved(1, 8)}, HeldByOrder},
			{"the batch is full", 10, []*Sequence{reserved(0, 8), reserved(1, 8), reserved(2, 8)}, HeldBySlots},
			{"memory is short", 3, []*Sequence{reserved(0, 8), reserved(1, 8)}, HeldByMemory},
		} {
			t.Run(scheduler.Name+", "+c.what, func(t *testing.T) {
				d := &Decision{}
				d.Reset()
				scheduler.New(Parameters{MaxNumSeqs: 2, MaxNumBatchedTokens: 100}).Plan(view(c.blocks, nil, c.queue), d)
				if d.Held != c.want {
					t.Errorf("held by %d, want %d", d.Held, c.want)
				}
			})
		}
	}
}

// Policies that begin a batch at a time remember what kept it from being larger
// for as long as it runs.
func TestHeldWhileABatchRuns(t *testing.T) {
	for name, p := range map[string]Batching{"decode-first": &DecodeFirst{MaxNumSeqs: 4}, "static": &Static{BatchSize: 4}} {
		t.Run(name, func(t *testing.T) {
			queue := []*Sequence{{ID: 0, Prompt: 8, Reserved: 12}, {ID: 1, Prompt: 8, Reserved: 12}}
			d := &Decision{}
			d.Reset()
			p.Plan(view(5, nil, queue), d)
			running := decoding(0, 8, 1)
			running.Blocks = 3
			d.Reset()
			p.Plan(view(50, []*Sequence{running}, queue[1:]), d)
			if d.Held != HeldByMemory {
				t.Errorf("held by %d while the batch runs that memory bounded", d.Held)
			}
		})
	}
}

// In the other policies a preemption is for lack of memory.
func TestHeldByPreemption(t *testing.T) {
	for name, p := range map[string]Batching{
		"vllm-v1": &Continuous{MaxNumSeqs: 9, MaxNumBatchedTokens: 100},
		"sarathi": &Sarathi{MaxNumSeqs: 9, MaxNumBatchedTokens: 100},
	} {
		t.Run(name, func(t *testing.T) {
			d := &Decision{}
			d.Reset()
			p.Plan(view(4, []*Sequence{decoding(0, 8, 1), decoding(1, 8, 1)}, []*Sequence{fresh(2, 1)}), d)
			if len(d.Preempt) != 1 || d.Held != HeldByMemory {
				t.Errorf("%d preempted, held by %d", len(d.Preempt), d.Held)
			}
		})
	}
}

// TestHeldByItsOwnPreemption: the youngest sequence gives its own blocks up, behind one that
// needs none, and the queue waits for memory.
func TestHeldByItsOwnPreemption(t *testing.T) {
	for name, p := range map[string]Batching{
		"vllm-v1": &Continuous{MaxNumSeqs: 9, MaxNumBatchedTokens: 100},
		"sarathi": &Sarathi{MaxNumSeqs: 9, MaxNumBatchedTokens: 100},
	} {
		t.Run(name, func(t *testing.T) {
			d := &Decision{}
			d.Reset()
			p.Plan(view(4, []*Sequence{decoding(0, 6, 1), decoding(1, 8, 1)}, []*Sequence{fresh(2, 1)}), d)
			if len(d.Preempt) != 1 || d.Preempt[0].ID != 1 || len(d.Tasks) != 1 || d.Held != HeldByMemory {
				t.Errorf("%d preempted, %d tasks, held by %d", len(d.Preempt), len(d.Tasks), d.Held)
			}
		})
	}
}

// TestHeldBetweenPrompts: while sequences decode between two steps of prompts, the queue is
// held by what kept the last one from being larger; without a queue by nothing.
func TestHeldBetweenPrompts(t *testing.T) {
	for _, waits := range []bool{true, false} {
		p := &Alternating{MaxNumSeqs: 9, MaxNumBatchedTokens: 100}
		d := &Decision{}
		d.Reset()
		p.Plan(view(4, nil, []*Sequence{fresh(0, 12), fresh(1, 12)}), d)
		if d.Held != HeldByMemory || len(d.Tasks) != 1 {
			t.Fatalf("%d tasks, held by %d", len(d.Tasks), d.Held)
		}
		var queue []*Sequence
		want := HeldByOrder
		if waits {
			queue, want = []*Sequence{fresh(1, 12)}, HeldByMemory
		}
		d.Reset()
		p.Plan(view(5, []*Sequence{decoding(0, 12, 1)}, queue), d)
		if d.Held != want || len(d.Tasks) != 1 {
			t.Errorf("with a queue %t: %d tasks, held by %d, want %d", waits, len(d.Tasks), d.Held, want)
		}
	}
}
