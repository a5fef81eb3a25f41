package policies

import "testing"

// Every scheduler says why the head of the queue stays where it is.
func TestHeld(t *testing.T) {
	reserved := func(id, prompt int) *Sequence { return &Sequence{ID: id, Prompt: prompt, Reserved: prompt} }
	for name, p := range map[string]func() Batching{
		"vllm-v1":      func() Batching { return &Continuous{MaxNumSeqs: 2, MaxNumBatchedTokens: 100} },
		"vllm-v0":      func() Batching { return &PrefillFirst{MaxNumSeqs: 2, MaxNumBatchedTokens: 100} },
		"sarathi":      func() Batching { return &Sarathi{MaxNumSeqs: 2, MaxNumBatchedTokens: 100} },
		"alternating":  func() Batching { return &Alternating{MaxNumSeqs: 2, MaxNumBatchedTokens: 100} },
		"orca":         func() Batching { return NewOrca(2) },
		"decode-first": func() Batching { return &DecodeFirst{MaxNumSeqs: 2} },
		"static":       func() Batching { return &Static{BatchSize: 2} },
	} {
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
			d := &Decision{}
			d.Reset()
			p().Plan(view(c.blocks, nil, c.queue), d)
			if d.Held != c.want {
				t.Errorf("%s, %s: held by %d, want %d", name, c.what, d.Held, c.want)
			}
		}
	}
}

// Policies that begin a batch at a time remember what kept it from being larger
// for as long as it runs; in the others a preemption is for lack of memory.
func TestHeldWhileABatchRuns(t *testing.T) {
	for name, p := range map[string]Batching{"decode-first": &DecodeFirst{MaxNumSeqs: 4}, "static": &Static{BatchSize: 4}} {
		queue := []*Sequence{{ID: 0, Prompt: 8, Reserved: 12}, {ID: 1, Prompt: 8, Reserved: 12}}
		d := &Decision{}
		d.Reset()
		p.Plan(view(5, nil, queue), d)
		running := decoding(0, 8, 1)
		running.Blocks = 3
		d.Reset()
		p.Plan(view(50, []*Sequence{running}, queue[1:]), d)
		if d.Held != HeldByMemory {
			t.Errorf("%s: held by %d while the batch runs that memory bounded", name, d.Held)
		}
	}
	for name, p := range map[string]Batching{"vllm-v1": &Continuous{MaxNumSeqs: 9, MaxNumBatchedTokens: 100}, "sarathi": &Sarathi{MaxNumSeqs: 9, MaxNumBatchedTokens: 100}} {
		d := &Decision{}
		d.Reset()
		p.Plan(view(4, []*Sequence{decoding(0, 8, 1), decoding(1, 8, 1)}, []*Sequence{fresh(2, 1)}), d)
		if len(d.Preempt) != 1 || d.Held != HeldByMemory {
			t.Errorf("%s: %d preempted, held by %d", name, len(d.Preempt), d.Held)
		}
	}
}
