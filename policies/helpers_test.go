package policies

import (
	"fmt"
	"strings"
)

// list is requests that wait.
type list []*Sequence

func (l list) Len() int           { return len(l) }
func (l list) At(i int) *Sequence { return l[i] }

// fresh is a request that has not started.
func fresh(id, prompt int) *Sequence { return &Sequence{ID: id, Prompt: prompt} }

// decoding is a sequence after its prefill, in blocks of 4.
func decoding(id, prompt, generated int) *Sequence {
	computed := prompt + generated - 1
	return &Sequence{ID: id, Prompt: prompt, Generated: generated, Computed: computed, Blocks: (computed + 3) / 4}
}

// reserving is a sequence that holds memory for a number of tokens.
func reserving(s *Sequence, tokens int) *Sequence {
	s.Reserved = tokens
	return s
}

// view is a replica with blocks of 4 tokens, those of running not free.
func view(blocks int, running, waiting []*Sequence) *View {
	v := &View{Waiting: list(waiting), Running: running, BlockSize: 4, FreeBlocks: blocks, TotalBlocks: blocks, MaxTokens: 4 * blocks}
	for _, s := range running {
		v.FreeBlocks -= s.Blocks
	}
	return v
}

// plan returns what p decides, as text: tasks as "id:tokens" with "+padding",
// "~guesses" and "/blocks", then what else there is.
func plan(p Batching, v *View) string {
	d := &Decision{}
	d.Reset()
	p.Plan(v, d)
	var parts []string
	for _, t := range d.Tasks {
		task := fmt.Sprintf("%d:%d", t.Sequence.ID, t.Tokens)
		if t.Padding > 0 {
			task += fmt.Sprintf("+%d", t.Padding)
		}
		if t.Nodes > 0 {
			task += fmt.Sprintf("~%d", t.Nodes)
		}
		parts = append(parts, task+fmt.Sprintf("/%d", t.Blocks))
	}
	for _, s := range d.Preempt {
		parts = append(parts, fmt.Sprintf("preempt %d", s.ID))
	}
	if d.Admit > 0 {
		parts = append(parts, fmt.Sprintf("admit %d", d.Admit))
	}
	if d.PaddingRows > 0 {
		parts = append(parts, fmt.Sprintf("rows %d", d.PaddingRows))
	}
	if d.Wake != Never {
		parts = append(parts, fmt.Sprintf("wake %v", float64(d.Wake)))
	}
	return strings.Join(parts, " ")
}
