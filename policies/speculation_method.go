package policies

// SpeculationMethod is an entry of SpeculationMethods: what makes the guesses of
// Speculative. What its passes cost is the cost model's to say.
type SpeculationMethod struct {
	Description

	// DraftModel says that it needs a model besides, which an experiment names.
	DraftModel bool

	// Lookahead says that the proposer has keys and values of its own, and writes those of
	// its guesses before the model has seen them.
	Lookahead bool

	// Tree says that it can guess several tokens for a position.
	Tree bool

	// Waits says that no step is planned before the tokens of the one before are known, whatever
	// the engine does otherwise.
	//
	// Source: vllm/config/vllm.py, which turns asynchronous scheduling off for all methods
	// but EAGLE's, MTP modules and draft models.
	Waits bool
}

// SpeculationMethods are all methods, in the order in which messages name them.
var SpeculationMethods = []SpeculationMethod{
	{Description: Description{Name: "draft", Key: "speculation.method", Doc: "a smaller model with the same vocabulary guesses",
		Keys: []string{"speculation.draft", "speculation.draft_window", "speculation.tree"}}, DraftModel: true, Lookahead: true, Tree: true},
	{Description: Description{Name: "ngram", Key: "speculation.method", Doc: "guesses are what followed the last tokens earlier in the text"}, Waits: true},
	{Description: Description{Name: "eagle", Key: "speculation.method", Doc: "a layer on the model's last hidden state guesses",
		Keys: []string{"speculation.draft_window", "speculation.tree"}}, Lookahead: true, Tree: true},
	{
		Description: Description{
			Name: "eagle3",
			Key:  "speculation.method",
			Doc:  "a layer on three hidden states guesses, of frequent tokens alone",
			Keys: []string{"speculation.draft_window", "speculation.tree"},
		},
		Lookahead: true,
		Tree:      true,
	},
	{
		Description: Description{
			Name: "medusa",
			Key:  "speculation.method",
			Doc:  "a head for each of the next tokens guesses, independently of the others",
			Keys: []string{"speculation.tree"},
		},
		Tree:  true,
		Waits: true,
	},
	{
		Description: Description{
			Name: "mtp",
			Key:  "speculation.method",
			Doc:  "the module for multi-token prediction guesses that the model was trained with",
			Keys: []string{"speculation.draft_window"},
		},
		Lookahead: true,
	},
	{
		Description: Description{
			Name: "dspark",
			Key:  "speculation.method",
			Doc:  "layers of the model's own kind guess a block of tokens in one pass",
			Keys: []string{"speculation.draft_window"},
		},
		Lookahead: true,
	},
}
