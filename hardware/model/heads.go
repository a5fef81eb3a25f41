package model

// Eagle3Vocab is the number of tokens that an EAGLE-3 head can propose, the most
// frequent ones of its target's vocabulary.
//
// Source: draft_vocab_size of yuhuili/EAGLE3-LLaMA3.1-Instruct-8B.
const Eagle3Vocab = 32000

// EagleHead is the part of an EAGLE head that looks like a model: one layer of
// the target's attention with a dense MLP, and an LM head over vocab tokens. A
// target of experts alone lends it an MLP as wide as the experts of a token
// together.
//
// Source: Li, Wei, Zhang and Zhang 2024, "EAGLE: Speculative Sampling Requires
// Rethinking Feature Uncertainty", arXiv 2401.15077.
func (a *Architecture) EagleHead(vocab int) Architecture {
	h := a.firstLayer("EAGLE head")
	if h.FFN == 0 && a.Experts != nil {
		h.FFN = a.Experts.SharedFFN + a.Experts.Active*a.Experts.FFN
	}
	h.Experts, h.Vocab = nil, vocab
	return h
}

// MTPHead is the part of a multi-token prediction module that looks like a model:
// one layer of the target's own kind, with experts where it has them, under the
// target's LM head.
//
// Source: DeepSeek-AI 2024, "DeepSeek-V3 Technical Report", section 2.2.
func (a *Architecture) MTPHead() Architecture {
	h := a.firstLayer("MTP module")
	if a.Experts != nil {
		e := *a.Experts
		e.DenseLayers = 0
		h.Experts = &e
	}
	return h
}

// blockLayers is how many layers a drafter has that proposes a block of tokens at once.
//
// Source: the three draft blocks of DeepSeek-V4, NVIDIA/TensorRT-LLM, pull request 15808.
const blockLayers = 3

// BlockDrafter is the part of a drafter of blocks that looks like a model: layers of the target's own kind,
// under its LM head. What makes each token of a block depend on the one before is left out: a
// transition of low rank.
//
// Source: Cheng et al. 2026, "DSpark: Confidence-Scheduled Speculative Decoding with
// Semi-Autoregressive Generation", arXiv 2607.05147.
func (a *Architecture) BlockDrafter() Architecture {
	h := a.MTPHead()
	h.Name, h.Layers = "DSpark drafter of "+a.Name, blockLayers
	h.WindowLayers *= blockLayers
	return h
}

// firstLayer is a model of one layer that attends to everything, to what its indexer
// selects, or with compression to the last tokens, under the target's embedding table.
func (a *Architecture) firstLayer(kind string) Architecture {
	h := *a
	h.Name = kind + " of " + a.Name
	h.Layers, h.Linear = 1, nil
	if a.Compression != nil {
		c := *a.Compression
		c.Sparse, c.Full = 0, 0
		h.Compression, h.Indexer = &c, nil
	}
	h.Window, h.WindowLayers = h.Selected(), min(1, h.Selected())
	h.TiedEmbeddings = true
	return h
}
