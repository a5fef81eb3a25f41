package policies

import (
	"cmp"
	"slices"
)

var lightllmScheduler = Scheduler{
	Description: Description{Name: "lightllm", Key: "scheduler",
		Doc:  "steps of whole prompts alone, ten decodes apart, of requests for whom memory lasts to their declared ends; nobody is preempted",
		Keys: []string{"max_num_seqs", "max_num_batched_tokens"}},
	New: func(p Parameters) Batching {
		return &LightLLM{MaxNumSeqs: p.MaxNumSeqs, MaxNumBatchedTokens: p.StepTokens()}
	},
	Reserve:       "paged",
	NoPrefixCache: true,
	NoLayerWise:   "keeps prompts and decodes apart",
	WholeRequests: true,
}

// LightLLM is iteration-level batching as LightLLM of 2023 does it, and S-LoRA, which is built on it. A step either
// prefills or decodes. The queue is looked at when the batch is empty, or once the youngest of it has decoded for
// decodesBetween steps, and then before every step until somebody joins.
//
// Blocks are taken as tokens come. A request joins if nobody runs out of memory though all generate as many tokens
// as they declared: the one that has the most left ends last, and when the i-th of them ends so have those with less
// left, while the others have grown by as much as it had left. So memory is shared by sequences of unlike age, and
// nobody needs to be preempted. The last token of a sequence needs no memory.
//
// The engine counts its decodes since somebody joined, here those of the youngest are counted: where that one ends
// before its time the queue is looked at sooner.
//
// Source: slora/server/router/req_queue.py and manager.py at S-LoRA/S-LoRA.
type LightLLM struct {
	MaxNumSeqs          int // sequences in the batch at most
	MaxNumBatchedTokens int // tokens of a step with prompts at most

	ends []growing // of the batch, the one with the most left first
}

// decodesBetween are the decodes between two looks at the queue (max_wait_tokens).
const decodesBetween = 10

// growing is a sequence's tokens in memory now, and those that it may still add.
type growing struct{ held, left int }

// Plan implements Batching.
func (l *LightLLM) Plan(v *View, d *Decision) {
	if l.looks(v) {
		l.admit(v, d)
	}
	if d.Joining() > 0 {
		return
	}
	b := newBatch(v, d)
	b.decodeAll()
}

// looks tells whether it is time to look at the queue.
func (l *LightLLM) looks(v *View) bool {
	if len(v.Running) == 0 {
		return true
	}
	return v.Running[len(v.Running)-1].Generated > decodesBetween
}

// Totals implements Batching.
func (l *LightLLM) Totals() Aggregating { return l }

// PlanAggregate implements Aggregating: while somebody waits, who joins depends on how much each has left.
func (l *LightLLM) PlanAggregate(v *Aggregate, d *Decision) bool {
	return v.Waiting.Len() == 0 && v.Prefilling == nil && v.Demand <= v.FreeBlocks
}

// admit lets waiting requests join.
func (l *LightLLM) admit(v *View, d *Decision) {
	budget, free := l.MaxNumBatchedTokens, v.FreeBlocks
	l.ends = l.ends[:0]
	for _, s := range v.Running {
		l.add(v, s)
	}
	for d.Admit < v.Waiting.Len() && len(v.Running)+d.Joining() < l.MaxNumSeqs {
		s := v.Waiting.At(d.Admit)
		task := nextTask(v, s, Hit{}, s.Pending())
		l.add(v, s)
		if alone := len(l.ends) == 1; task.Blocks > free || !alone && l.most() >= v.TotalBlocks*v.BlockSize {
			d.Held = HeldByMemory
			return
		}
		if task.Tokens > budget && d.Joining() > 0 {
			return
		}
		free -= task.Blocks
		budget -= task.Tokens
		d.admitWith(task)
	}
	d.noteSlots(v, len(v.Running), l.MaxNumSeqs)
}

// add puts a sequence among those that grow. What the last block of one has beyond its tokens counts as held.
func (l *LightLLM) add(v *View, s *Sequence) {
	length := s.Length()
	if s.Generated == 0 {
		length++ // its first token comes with the step in which it joins
	}
	g := growing{held: length + v.BlockSize - 1, left: max(0, s.Most-length-1)}
	i, _ := slices.BinarySearchFunc(l.ends, g, func(a, b growing) int { return cmp.Compare(b.left, a.left) })
	l.ends = slices.Insert(l.ends, i, g)
}

// most is the tokens that the batch will hold at most.
func (l *LightLLM) most() int {
	most, held := 0, 0
	for i, g := range l.ends {
		held += g.held
		most = max(most, held+(i+1)*g.left)
	}
	return most
}
