package estimate

import (
	"fmt"

	"kneepoint/hardware"
	"kneepoint/hardware/roofline"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// Question is what an estimate answers: how Batch sequences are served, each of
// which has Context tokens in the KV cache already (a conversation so far),
// brings a prompt of Prompt tokens and generates Output tokens.
type Question struct {
	Prompt  int `json:"prompt"`
	Output  int `json:"output"`
	Context int `json:"context"`
	Batch   int `json:"batch"`

	TTFT units.Seconds `json:"-"` // the objective for the first token; 0: none
	TPOT units.Seconds `json:"-"` // and for every further one; 0: none

	Load hardware.Storage `json:"-"` // where a cold start reads the weights; zero: from the engine's own
}

// Length is the number of tokens of a sequence at its end.
func (q *Question) Length() int { return q.Context + q.Prompt + q.Output }

// Check finds what the deployment cannot answer: no tokens, a sequence longer
// than the context or than the KV cache, more sequences than that holds. Errors
// are *badinput.Error whose key is the field in lower case.
func Check(model *roofline.Model, q Question) error {
	m := newDeployed(model)
	if err := q.check(); err != nil {
		return err
	}
	if limit := m.deployment.MaxModelLen; q.Prompt > limit || q.Output > limit || q.Context > limit || q.Length() > limit {
		return &badinput.Error{Key: "prompt", Value: q.Prompt,
			Problem: fmt.Sprintf("with output %d%s longer than the context", q.Output, q.contextWords()),
			Allowed: fmt.Sprintf("at most %d tokens in all", limit)}
	}
	users := m.users(q.Length())
	if users == 0 {
		return &badinput.Error{Key: "prompt", Value: q.Prompt,
			Problem: fmt.Sprintf("with output %d%s more than the KV cache holds", q.Output, q.contextWords()),
			Allowed: fmt.Sprintf("at most %d tokens in all", m.longest())}
	}
	if q.Batch > users {
		return &badinput.Error{Key: "batch", Value: q.Batch, Problem: m.tooMany(&q), Allowed: fmt.Sprintf("1 to %d", users)}
	}
	return nil
}

// tooMany says what does not hold the question's batch.
func (m *deployed) tooMany(q *Question) string {
	if q.Batch <= m.held(q.Length()) {
		return fmt.Sprintf("states of %s are set aside for max_num_seqs sequences, which are fewer", m.deployment.Architecture.Name)
	}
	return fmt.Sprintf("the KV cache of %d tokens does not hold that many sequences of %d tokens", m.memory.KVTokens, q.Length())
}

func (q *Question) check() error {
	for _, n := range []struct {
		key          string
		value, least int
	}{{"prompt", q.Prompt, 1}, {"output", q.Output, 1}, {"batch", q.Batch, 1}, {"context", q.Context, 0}} {
		if n.value < n.least {
			return &badinput.Error{Key: n.key, Value: n.value, Problem: "too few", Allowed: fmt.Sprintf("%d or more", n.least)}
		}
	}
	return nil
}

func (q *Question) contextWords() string {
	if q.Context == 0 {
		return ""
	}
	return fmt.Sprintf(" and context %d", q.Context)
}

// decodeWork is a step in which rows sequences decode, each halfway through its
// output: Context + Prompt + Output/2 tokens. As a step is affine in the
// context, that is the mean over the output's steps.
func (m *deployed) decodeWork(q *Question, rows int) *hardware.Work {
	w := &hardware.Work{DecodeRows: rows, DecodeContext: int64(rows) * int64(2*(q.Context+q.Prompt)+q.Output) / 2, LogitRows: rows}
	w.DecodeWindowContext = min(w.DecodeContext, int64(rows)*int64(m.Window()))
	return w
}

// eachPrefillStep visits the steps that compute the prompts, one after another,
// with up to MaxNumBatchedTokens tokens in a step, those of a prompt in one data-parallel group.
// The first comes so long after the last step with prompts.
func (m *deployed) eachPrefillStep(q *Question, prompts int, rested units.Seconds, visit func(*hardware.Work)) {
	w := hardware.Work{Rested: rested}
	all, each := m.deployment.StepTokens()
	room := all
	flush := func() {
		visit(&w)
		w.Prefill, w.LogitRows, w.Rested, room = w.Prefill[:0], 0, 0, all
	}
	for range prompts {
		for done := 0; done < q.Prompt; {
			n := min(room, each, q.Prompt-done)
			w.Prefill = append(w.Prefill, hardware.Chunk{Context: q.Context + done, Tokens: n})
			done, room = done+n, room-n
			if done == q.Prompt {
				w.LogitRows++
			}
			if room == 0 {
				flush()
			}
		}
	}
	if len(w.Prefill) > 0 {
		flush()
	}
}
