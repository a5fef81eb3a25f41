package roofline

import (
	"fmt"
	"slices"
	"strings"

	"kneepoint/hardware/model"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// The methods of speculative decoding.
const (
	DraftModel = "draft"  // a smaller model with the same vocabulary
	NGram      = "ngram"  // what followed the last tokens earlier in the prompt or the answer
	Eagle      = "eagle"  // a layer on top of the model's last hidden state
	Eagle3     = "eagle3" // the same on hidden states of three layers, for frequent tokens alone
	Medusa     = "medusa" // a head for each of the next tokens, independent of each other
	MTP        = "mtp"    // the module for multi-token prediction that a model was trained with
	DSpark     = "dspark" // layers of the model's own kind that propose a block of tokens in one pass
)

// Speculation is what proposes tokens, beside the model.
type Speculation struct {
	Method string
	Tokens int                // the longest proposal
	Draft  model.Architecture // of the method draft
	Window int                // tokens whose keys and values its passes read and keep, of a sequence; 0: all
}

// checkSpeculation refuses a method that is not known, and multi-token prediction by a
// model without a module for it.
func (d *Deployment) checkSpeculation() error {
	if d.Speculation == nil {
		return nil
	}
	method := d.Speculation.Method
	methods := []string{DraftModel, NGram, Eagle, Eagle3, Medusa, MTP, DSpark}
	if !slices.Contains(methods, method) {
		return &badinput.Error{Key: "strategy.speculation.method", Value: method, Problem: "unknown value",
			Allowed: "one of " + strings.Join(methods, ", "), Nearest: badinput.Nearest(method, methods)}
	}
	if d.Architecture.Linear != nil {
		return &badinput.Error{Key: "strategy.speculation.method", Value: method,
			Problem: "not supported yet with the linear attention of " + d.Architecture.Name, Allowed: "no [strategy.speculation]"}
	}
	if d.Speculation.Method == DraftModel && d.Speculation.Draft.Linear != nil {
		return &badinput.Error{Key: "strategy.speculation.draft", Value: d.Speculation.Draft.Name,
			Problem: "its linear attention is not supported yet", Allowed: "a draft model whose layers all have keys and values"}
	}
	if a := &d.Architecture; method == MTP && a.MTPModules == 0 {
		return &badinput.Error{Key: "strategy.speculation.method", Value: method,
			Problem: a.Name + " has no module for multi-token prediction",
			Allowed: "another method, or a model that was trained with one, such as deepseek-v3 and glm-4.5"}
	}
	return nil
}

// onceForEachGroup refuses a proposer that data-parallel groups would each have
// one of.
func (d *Deployment) onceForEachGroup() error {
	return &badinput.Error{
		Key:     "hardware.dp",
		Value:   d.DP,
		Problem: fmt.Sprintf("not supported yet with speculation by %q", d.Speculation.Method),
		Allowed: "1, or the method ngram, or mtp or dspark of a mixture of experts",
	}
}

// drafter is the proposer as a deployment of its own: on the same accelerators,
// or on one where its heads cannot be shared as the model's are; heads in the wide
// type, a draft model in the model's precisions. Its host's share is the
// proposer's overhead; prompts are launched through it while the accelerators work on the model.
func (d *Deployment) drafter() (Deployment, error) {
	h := *d
	h.Speculation, h.CPUOffload, h.EP, h.KVTokens, h.MaxModelLen = nil, 0, 1, 1, 0
	h.Engine.StepCPU, h.Engine.StepCPUPerSequence, h.Engine.StepCPUPerAccelerator = 0, 0, 0
	h.Engine.PromptLaunchFloor, h.Engine.PromptLaunchFloorLatent = 0, 0
	target := &d.Architecture
	switch d.Speculation.Method {
	case DraftModel:
		h.Architecture = d.Speculation.Draft
		if h.Architecture.Vocab != target.Vocab && !sameTokens(&h.Architecture, target) {
			return h, &badinput.Error{Key: "strategy.speculation.draft", Value: h.Architecture.Name,
				Problem: fmt.Sprintf(
					"has a vocabulary of %d tokens, %s one of %d: it cannot propose for it",
					h.Architecture.Vocab,
					target.Name,
					target.Vocab,
				),
				Allowed: "a draft model with the same vocabulary"}
		}
	case Eagle:
		h.Architecture = target.EagleHead(target.Vocab)
	case Eagle3:
		h.Architecture = target.EagleHead(min(model.Eagle3Vocab, target.Vocab))
	case MTP:
		h.Architecture = target.MTPHead()
	case DSpark:
		h.Architecture = target.BlockDrafter()
	}
	if err := d.Speculation.narrow(&h.Architecture); err != nil {
		return h, err
	}
	if m := d.Speculation.Method; m != DraftModel && m != DSpark {
		h.Weights, h.Activations = d.wideType(), d.wideType()
	}
	if d.DP > 1 && h.Architecture.Experts == nil {
		return h, d.onceForEachGroup()
	}
	if !h.splits(h.TP) {
		h.TP = 1
	}
	return h, nil
}

// narrow gives all layers of a drafter the window of the speculation, as of a draft with
// a sparse cache of a fixed size: what it keeps beside the last tokens counts as if it
// were of them.
//
// Source: Sadhukhan et al. 2024, "MagicDec: Breaking the Latency-Throughput Tradeoff
// for Long Context Generation with Speculative Decoding", arXiv 2408.11049.
func (s *Speculation) narrow(a *model.Architecture) error {
	if s.Window == 0 {
		return nil
	}
	if a.WindowLayers > 0 && a.Window < s.Window {
		return &badinput.Error{Key: "strategy.speculation.draft_window", Value: s.Window,
			Problem: fmt.Sprintf("%s has layers with a window of %d tokens", a.Name, a.Window), Allowed: "at most these"}
	}
	a.Window, a.WindowLayers = s.Window, a.Layers
	return nil
}

// addDraftCache takes the proposer's keys and values of each token into account. With a
// window it keeps at most min(tokens, sequences * window), so that the rest holds
//
//	max(KV/(target + draft), (KV - sequences*window*draft)/target)
//
// tokens, with the bytes of a token in the target and in the draft.
func (d *Deployment) addDraftCache(b *Budget, perToken units.Bytes) {
	if s := d.Speculation; s != nil && s.Window > 0 {
		_, sequences := d.StepSequences()
		windows := perToken * units.Bytes(sequences*min(s.Window, d.MaxModelLen))
		if (b.KV-windows)/b.KVPerToken > b.KV/(b.KVPerToken+perToken) {
			b.KV -= windows
			b.Reserve += windows
			return
		}
	}
	b.KVPerToken += perToken
	b.DraftKV = perToken
}

// medusaHeads are, for each token of a proposal, a residual block and an LM head
// of its own, which the accelerators share as they do the model's.
//
// Source: Cai et al. 2024, "Medusa: Simple LLM Inference Acceleration Framework
// with Multiple Decoding Heads", arXiv 2401.10774.
func (d *Deployment) medusaHeads() []widths {
	hidden := float64(d.Architecture.Hidden)
	var heads []widths
	for range d.Speculation.Tokens {
		heads = append(heads, widths{hidden, hidden}, widths{hidden, d.paddedVocab() / float64(d.TP)})
	}
	return heads
}

// vocabularySlack is by how much vocabularies of models with the same tokens
// differ, as they are padded.
const vocabularySlack = 0.02

// sameTokens tells whether vocabularies differ by padding alone.
func sameTokens(a, b *model.Architecture) bool {
	larger, smaller := float64(max(a.Vocab, b.Vocab)), float64(min(a.Vocab, b.Vocab))
	return larger-smaller <= vocabularySlack*larger
}

// proposerMemory is what the proposer takes of each accelerator: its weights,
// and what it keeps of a token. EAGLE heads and MTP modules use the model's
// embedding table and LM head.
func (d *Deployment) proposerMemory() (weights, perToken units.Bytes) {
	if d.Speculation == nil || d.Speculation.Method == NGram {
		return 0, 0
	}
	if d.Speculation.Method == Medusa {
		return units.Bytes(elements(d.medusaHeads()) * d.wideType().Bytes()), 0
	}
	h, err := d.drafter()
	if err != nil {
		return 0, 0 // New reports it
	}
	b := h.budget()
	if d.Speculation.Method != DraftModel {
		s := h.shard()
		b.Weights = units.Bytes(h.layerBytes(&s, h.Architecture.Layers, h.Architecture.LinearLayers()))
	}
	return b.Weights, b.KVPerToken
}
