package policytest

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/policies"
)

// spoiled is a policy that keeps the contract until spoil has its way.
type spoiled struct {
	policies.Continuous
	spoil func(v *policies.View, d *policies.Decision)
}

func (p *spoiled) Plan(v *policies.View, d *policies.Decision) {
	p.Continuous.Plan(v, d)
	p.spoil(v, d)
}

// TestCheckFinds: each way of breaking the contract is found, and named.
func TestCheckFinds(t *testing.T) {
	type view = policies.View
	type decision = policies.Decision
	for _, c := range []struct {
		want  string
		spoil func(v *view, d *decision)
	}{
		{"the view was changed", func(v *view, _ *decision) { v.FreeBlocks++ }},
		{"the view was changed", func(v *view, _ *decision) {
			if v.Waiting.Len() > 0 {
				v.Waiting.At(0).Reserved++
			}
		}},
		{"the view was changed", func(v *view, _ *decision) {
			if n := len(v.Running); n > 1 {
				v.Running[0], v.Running[1] = v.Running[1], v.Running[0]
			}
		}},
		{"admits", func(v *view, d *decision) { d.Admit = v.Waiting.Len() + 1 }},
		{"is admitted without a task", func(v *view, d *decision) {
			if v.Waiting.Len() > d.Admit {
				d.Admit++
			}
		}},
		{"is not in the batch", func(_ *view, d *decision) { d.Admit = 0 }},
		{"is not in the batch", func(v *view, d *decision) {
			if len(v.Running) > 0 && d.Admit == 0 {
				d.Preempt = append(d.Preempt, d.Tasks[0].Sequence)
			}
		}},
		{"is not running", func(v *view, d *decision) {
			if v.Waiting.Len() > 0 {
				d.Preempt = append(d.Preempt, v.Waiting.At(0))
			}
		}},
		{"behind those that it preempts", func(v *view, d *decision) {
			if len(v.Running) > 0 && d.Admit > 0 {
				d.Preempt = append(d.Preempt, v.Running[0])
			}
		}},
		{"twice", func(_ *view, d *decision) { d.Preempt = append(d.Preempt, d.Preempt...) }},
		{"has two tasks", func(_ *view, d *decision) { d.Tasks = append(d.Tasks, d.Tasks[0]) }},
		{"a task of 0 tokens", func(_ *view, d *decision) { d.Tasks[0].Tokens = 0 }},
		{"pending", func(_ *view, d *decision) {
			if t := &d.Tasks[0]; t.Tokens == t.Sequence.Pending()-t.Cached {
				t.Tokens++
			}
		}},
		{"cached tokens", func(_ *view, d *decision) { d.Tasks[0].Cached++ }},
		{"gives back", func(_ *view, d *decision) {
			if d.Tasks[0].Sequence.Blocks > 0 {
				d.Tasks[0].Blocks = d.Tasks[0].Sequence.Blocks - 1
			}
		}},
		{"tokens", func(_ *view, d *decision) { d.Tasks[0].Blocks = d.Tasks[0].Sequence.Blocks }},
		{"more than there are", func(v *view, d *decision) { d.Tasks[0].Blocks += v.FreeBlocks }},
		{"a padding of -1", func(_ *view, d *decision) { d.Tasks[0].Padding = -1 }},
		{"-1 in a row", func(_ *view, d *decision) { d.Tasks[0].Draft = -1 }},
		{"0 guesses, 1 in a row", func(_ *view, d *decision) { d.Tasks[0].Draft = 1 }},
		{"1 in a row, with 0 tokens generated", func(_ *view, d *decision) { d.Tasks[0].Draft, d.Tasks[0].Nodes = 1, 1 }},
		{"for 101 tokens", func(_ *view, d *decision) {
			if t := &d.Tasks[0]; t.Sequence.Generated > 0 {
				t.Draft, t.Nodes = 1, 101-t.Sequence.Computed-t.Tokens
			}
		}},
		{"-1 padding rows", func(_ *view, d *decision) { d.PaddingRows = -1 }},
		{"parks 1 of 0", func(_ *view, d *decision) { d.Swap = len(d.Preempt) + 1 }},
		{"brings back 1 of 0", func(v *view, d *decision) { d.Restore = v.Parked.Len() + 1 }},
		{"leaves without having joined", func(v *view, d *decision) {
			if len(v.Running) > 0 {
				d.Tasks[0].Offload = true
			}
		}},
		{"more than the tier has", func(v *view, d *decision) {
			if t := &d.Tasks[0]; d.Admit > 0 && len(v.Running) == 0 && v.BlocksFor(t.Sequence.Length()) > v.FreeTierBlocks {
				t.Offload = true
			}
		}},
		{"for ever", func(_ *view, d *decision) { d.Reset() }},
		{"waits until", func(v *view, d *decision) { d.Reset(); d.Wake = v.Now }},
		{"without a step", func(_ *view, d *decision) { d.Tasks = d.Tasks[:0] }},
		{"have not ended", func(v *view, d *decision) {
			d.Reset()
			d.Wake = v.Now + 1
		}},
	} {
		if err := firstError(c.spoil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want an error with %q, got %v", c.want, err)
		}
	}
}

// firstError runs the spoiled policy on scenarios until one shows an error.
func firstError(spoil func(*policies.View, *policies.Decision)) error {
	scenarios := rapid.Custom(drawScenario)
	for seed := range 200 {
		// Spoiling starts with the first decision that has tasks: there is
		// always something to spoil.
		p := &spoiled{Continuous: policies.Continuous{MaxNumSeqs: 4, MaxNumBatchedTokens: 8},
			spoil: func(v *policies.View, d *policies.Decision) {
				if len(d.Tasks) > 0 {
					spoil(v, d)
				}
			}}
		if err := scenarios.Example(seed).run(policies.ReservePaged, p, alone{}); err != nil {
			return err
		}
	}
	return nil
}

// alone is a twin that never plans from totals.
type alone struct{ policies.Batching }

func (alone) Totals() policies.Aggregating { return nil }

// TestCheckFindsTotalsOfAnother: a wrapper that embeds a policy hands out the
// totals of what it wraps, and goes unheard.
func TestCheckFindsTotalsOfAnother(t *testing.T) {
	fresh := func() policies.Batching {
		return &closing{&policies.Continuous{MaxNumSeqs: 4, MaxNumBatchedTokens: 8}}
	}
	scenarios := rapid.Custom(drawScenario)
	for seed := range 100 {
		if err := scenarios.Example(seed).run(policies.ReservePaged, fresh(), fresh()); err != nil {
			if want := "from totals and"; !strings.Contains(err.Error(), want) {
				t.Errorf("want an error with %q, got %v", want, err)
			}
			return
		}
	}
	t.Error("nothing was found")
}

// closing admits nobody while somebody runs.
type closing struct{ policies.Batching }

func (c *closing) Plan(v *policies.View, d *policies.Decision) {
	shown := *v
	if len(v.Running) > 0 {
		shown.Waiting = &queue{}
	}
	c.Batching.Plan(&shown, d)
}

// TestScenariosBind: the scenarios drawn include shortage and sharing of memory; otherwise the
// contract would be checked in fair weather only.
func TestScenariosBind(t *testing.T) {
	scenarios := rapid.Custom(drawScenario)
	preempted, shared := 0, 0
	for seed := range 100 {
		p := &spoiled{Continuous: policies.Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 64}}
		found, hit := false, false
		p.spoil = func(_ *policies.View, d *policies.Decision) {
			found = found || len(d.Preempt) > 0
			for _, t := range d.Tasks {
				hit = hit || t.Cached > 0
			}
		}
		if err := scenarios.Example(seed).run(policies.ReservePaged, p, alone{}); err != nil {
			t.Fatal(err)
		}
		if found {
			preempted++
		}
		if hit {
			shared++
		}
	}
	if preempted < 10 || shared < 10 {
		t.Errorf("only %d of 100 scenarios preempt, and %d share blocks", preempted, shared)
	}
}
