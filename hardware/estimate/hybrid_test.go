package estimate

import (
	"errors"
	"strings"
	"testing"

	"kneepoint/units/badinput"
)

// TestUsersHaveAState: no more users than have a state set aside, though keys and values would hold them; other
// models hold as many as the cache does, whatever the largest batch.
func TestUsersHaveAState(t *testing.T) {
	d := deployment(t, "h200-sxm", "vllm-v1", "qwen3.5-9b", 1)
	d.MaxNumSeqs = 40
	m := build(t, d)
	q := Question{Prompt: 1000, Output: 100, Batch: 40}
	r := Of(m.Model, q)
	for _, c := range r.Concurrency {
		if want := min(40, m.held(c.Tokens)); c.Users != want {
			t.Errorf("%d users of %d tokens; want %d", c.Users, c.Tokens, want)
		}
	}
	if held := m.held(q.Length()); held <= 40 || r.Largest.Batch != 40 || r.Limit != limitMaxSeqs {
		t.Errorf("the cache holds %d, at most %d run, limited by %s", held, r.Largest.Batch, r.Limit)
	}
	q.Batch = 41
	var bad *badinput.Error
	err := Check(m.Model, q)
	if !errors.As(err, &bad) || bad.Key != "batch" || bad.Allowed != "1 to 40" || !strings.Contains(bad.Problem, "states") {
		t.Errorf("a batch without states: %v", err)
	}
	d = deployment(t, "h200-sxm", "vllm-v1", "llama-3.1-8b", 1)
	d.MaxNumSeqs = 40
	if m = build(t, d); m.users(1100) <= 40 {
		t.Errorf("%d users of a model without states", m.users(1100))
	}
}
