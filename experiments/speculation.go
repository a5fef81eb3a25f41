package experiments

import (
	"errors"
	"fmt"

	"kneepoint/hardware/model"
	"kneepoint/hardware/roofline"
	"kneepoint/policies"
	"kneepoint/units/badinput"
	"kneepoint/workloads"
)

// SpeculationSpec is the [strategy.speculation] table. Its method and draft model are
// the deployment's, since they decide memory and cost; the rest is the strategy's.
type SpeculationSpec struct {
	Method               string         `toml:"method" required:"true" oneof:"@methods"`
	Draft                string         `toml:"draft" only:"method=@with-draft-model"`
	NumSpeculativeTokens int            `toml:"num_speculative_tokens" required:"true" check:"nonnegative"`
	Acceptance           AcceptanceSpec `toml:"acceptance" required:"true"`
	Tree                 []int          `toml:"tree" check:"positive" only:"method=@with-tree"`             // empty: a chain
	DraftWindow          int            `toml:"draft_window" check:"nonnegative" only:"method=@with-cache"` // 0: none
	DisableAboveBatch    int            `toml:"disable_above_batch" check:"nonnegative"`                    // 0: never
	Adaptive             bool           `toml:"adaptive"`
}

// Validate refuses a draft model without a name, and proposals that are
// too long.
func (s *SpeculationSpec) Validate() error {
	if s.needsDraft() && s.Draft == "" {
		return &badinput.Error{
			Key:     "draft",
			Problem: fmt.Sprintf("missing: method is %q", s.Method),
			Allowed: "a name that `kneepoint list models` shows, with the model's vocabulary",
		}
	}
	if s.NumSpeculativeTokens > mostSpeculativeTokens {
		return &badinput.Error{
			Key:     "num_speculative_tokens",
			Value:   s.NumSpeculativeTokens,
			Problem: "too many",
			Allowed: fmt.Sprintf("at most %d", mostSpeculativeTokens),
		}
	}
	if err := s.checkAcceptance(); err != nil {
		return err
	}
	return s.checkTree()
}

// checkAcceptance refuses a list for more places than there are guesses: the rest would
// have no effect. Of a measurement the first ones are taken.
func (s *SpeculationSpec) checkAcceptance() error {
	p, n := s.Acceptance.Probabilities, max(1, s.NumSpeculativeTokens)
	if len(p) > n && s.Acceptance.measured {
		s.Acceptance.Probabilities = p[:n]
	} else if len(p) > n {
		return &badinput.Error{Key: "acceptance", Value: fmt.Sprint(p), Problem: fmt.Sprintf("%d numbers for num_speculative_tokens = %d", len(p), s.NumSpeculativeTokens),
			Allowed: "at most one for each token in a row"}
	}
	return nil
}

// needsDraft tells whether another model makes the guesses.
func (s *SpeculationSpec) needsDraft() bool {
	return entry(policies.SpeculationMethods, s.Method).DraftModel
}

// checkTree refuses a tree of another depth than the proposals, and one with more
// guesses than anybody verifies.
func (s *SpeculationSpec) checkTree() error {
	if len(s.Tree) == 0 {
		return nil
	}
	if len(s.Tree) != s.NumSpeculativeTokens {
		return &badinput.Error{
			Key:     "tree",
			Value:   fmt.Sprint(s.Tree),
			Problem: fmt.Sprintf("%d numbers for num_speculative_tokens = %d", len(s.Tree), s.NumSpeculativeTokens),
			Allowed: "one for each token in a row",
		}
	}
	if !s.countable() {
		return &badinput.Error{
			Key:     "tree",
			Value:   fmt.Sprint(s.Tree),
			Problem: "too many guesses",
			Allowed: fmt.Sprintf("at most %d in all", mostNodes),
		}
	}
	return nil
}

// countable tells whether the tree has at most mostNodes guesses. It adds one level at
// a time, since the product of all could overflow.
func (s *SpeculationSpec) countable() bool {
	for level, branches := range s.Tree {
		if branches > mostNodes || policies.Tree(s.Tree).Nodes(level+1) > mostNodes {
			return false
		}
	}
	return true
}

// The largest proposals, far above what any engine verifies: beyond them a number is a
// mistake, and would only cost memory.
const (
	mostSpeculativeTokens = 64
	mostNodes             = 1024
)

// AcceptanceSpec is how often guesses are accepted: a probability for all, one for
// each position in a proposal (given that those before it are accepted), or the name
// of a measurement.
type AcceptanceSpec struct {
	Probabilities []float64
	measured      bool // may be longer than the proposals
}

// DecodeTOML reads a number, a list or a name.
func (a *AcceptanceSpec) DecodeTOML(v any) error {
	switch v := v.(type) {
	case string:
		measured, err := workloads.MeasuredAcceptance(v)
		*a = AcceptanceSpec{measured.Probabilities, true}
		return err
	case []any:
		if len(v) == 0 {
			return &badinput.Error{Value: v, Problem: "is empty", Allowed: "a probability for each place"}
		}
		for _, x := range v {
			p, err := probability(x)
			if err != nil {
				return err
			}
			a.Probabilities = append(a.Probabilities, p)
		}
		return nil
	}
	p, err := probability(v)
	a.Probabilities = []float64{p}
	return err
}

// probability reads a number from 0 to 1.
func probability(v any) (float64, error) {
	var p float64
	switch x := v.(type) {
	case float64:
		p = x
	case int64:
		p = float64(x)
	default:
		return 0, &badinput.Error{Value: v, Problem: "wrong kind of value", Allowed: "a probability, a list of them, or the name of a measurement"}
	}
	if !(p >= 0 && p <= 1) {
		return 0, &badinput.Error{Value: v, Problem: "not a probability", Allowed: "0 to 1"}
	}
	return p, nil
}

// EncodeTOML writes the probabilities: one number, or a list. A name is not kept, since
// what was measured under it may change.
func (a AcceptanceSpec) EncodeTOML() any {
	if len(a.Probabilities) == 1 {
		return a.Probabilities[0]
	}
	list := make([]any, len(a.Probabilities))
	for i, p := range a.Probabilities {
		list[i] = p
	}
	return list
}

// proposer is the part of the deployment that proposes tokens; nil where no tokens are
// proposed, so that such a strategy costs no memory for a draft model.
func (s *Spec) proposer() (*roofline.Speculation, error) {
	speculation := s.Strategies[0].Speculation
	if speculation == nil || speculation.NumSpeculativeTokens == 0 {
		return nil, nil
	}
	p := &roofline.Speculation{Method: speculation.Method, Tokens: speculation.NumSpeculativeTokens, Window: speculation.DraftWindow}
	if !speculation.needsDraft() {
		return p, nil
	}
	var err error
	p.Draft, err = s.draft()
	return p, err
}

// draft is the draft model that the strategy names.
func (s *Spec) draft() (model.Architecture, error) {
	draft, err := s.modelNamed(s.Strategies[0].Speculation.Draft)
	var bad *badinput.Error
	if errors.As(err, &bad) {
		bad.Key = "strategy.speculation.draft"
	}
	return draft, err
}

// checkDraft refuses a draft model that is not known, even where nothing is
// proposed, and the window of one whose passes cost what the file says.
func (s *Spec) checkDraft() error {
	g := s.Strategies[0].Speculation
	if g != nil && g.DraftWindow > 0 && s.Hardware.CostModel == "synthetic" {
		return &badinput.Error{Key: "strategy.speculation.draft_window", Value: g.DraftWindow,
			Problem: "has no effect where cost_model is synthetic: per_draft_pass says what a pass costs", Allowed: "none, or cost_model = \"roofline\""}
	}
	if g == nil || !g.needsDraft() {
		return nil
	}
	_, err := s.draft()
	return err
}
