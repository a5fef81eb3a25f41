package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"

	"kneepoint/internal/jsonfields"
	"kneepoint/units/badinput"
)

// LoadConfig reads the architecture from a Hugging Face config.json, or from the
// folder that holds one. What is wrong with it is a *badinput.Error about the
// key "name", whose value is the path.
func LoadConfig(path string) (Architecture, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, "config.json")
	}
	text, err := badinput.ReadText(path)
	if err != nil {
		return Architecture{}, &badinput.Error{Key: "name", Value: path, Problem: "cannot be read: " + readProblem(err)}
	}
	beside, err := quantizedBeside(path)
	if err != nil {
		return Architecture{}, err
	}
	a, err := parseConfig(text, beside)
	if err != nil {
		return Architecture{}, &badinput.Error{Key: "name", Value: path, Problem: err.Error()}
	}
	a.Source = path
	a.Name = strings.TrimSuffix(filepath.Base(path), ".json")
	if folder := filepath.Base(filepath.Dir(path)); a.Name == "config" && folder != "." && folder != string(filepath.Separator) {
		a.Name = folder
	}
	return a, nil
}

func readProblem(err error) string {
	if path, ok := err.(*os.PathError); ok {
		return path.Err.Error()
	}
	return err.Error()
}

// ParseConfig reads the architecture from the text of a Hugging Face
// config.json of one of the Families. Its errors are *badinput.Error with the
// configuration's key. A model with a vision tower is read from its text_config, its
// quantization from beside it, too.
func ParseConfig(text []byte) (Architecture, error) { return parseConfig(text, nil) }

// parseConfig is ParseConfig with a quantization that stands beside the configuration, for where that has none.
func parseConfig(text []byte, beside map[string]any) (Architecture, error) {
	table, err := parseObject(text)
	if err != nil {
		return Architecture{}, err
	}
	if table[quantization] == nil && beside != nil {
		table[quantization] = beside
	}
	family, err := familyOf(table)
	if err != nil {
		return Architecture{}, err
	}
	c := &config{table: table}
	if inner := c.object("text_config"); inner != nil {
		c.table = withOuter(inner, table)
	}
	a := c.architecture(family)
	a.MTPModules = c.optional("num_nextn_predict_layers")
	if c.err == nil {
		c.err = a.check()
	}
	if c.err != nil {
		return Architecture{}, c.err
	}
	return a, nil
}

// withOuter is the configuration of a model's text, with what stands beside it about the whole checkpoint: its
// quantization, beside which the text may still have that of the model it was made from, as in NVIDIA's of Kimi-K2.5,
// and what the text's own says nothing of.
func withOuter(text, whole map[string]any) map[string]any {
	text = maps.Clone(text)
	if whole[quantization] != nil {
		text[quantization] = whole[quantization]
	}
	if key := "tie_word_embeddings"; text[key] == nil {
		text[key] = whole[key]
	}
	return text
}

// parseObject reads the values of an object, in which each key stands once.
func parseObject(text []byte) (map[string]any, error) {
	fields, err := jsonfields.Split(text)
	if err != nil {
		return nil, err
	}
	table := make(map[string]any, len(fields))
	for _, key := range fields.Keys() {
		var value any
		if err := json.Unmarshal(fields.Get(key), &value); err != nil {
			return nil, &badinput.Error{Key: key, Value: string(fields.Get(key)), Problem: "not a value", Allowed: "a number of at most 1.8e308"}
		}
		table[key] = value
	}
	return table, nil
}

// config reads a configuration's values and keeps the first error.
type config struct {
	table map[string]any
	err   error
}

// largest bounds every dimension: beyond it nothing was meant.
const largest = 1 << 24

// optional is the whole number under the first of the keys that is there and not
// null; 0 when there is none, or where it says so.
func (c *config) optional(keys ...string) int { return c.number(0, keys) }

// positive is that number where 0 would mean nothing; 0 only when there is none.
func (c *config) positive(keys ...string) int { return c.number(1, keys) }

// number is the whole number, at least a smallest one, under the first of the keys
// that is there and not null; 0 when there is none.
func (c *config) number(smallest float64, keys []string) int {
	for _, key := range keys {
		value, ok := c.table[key]
		if !ok || value == nil {
			continue
		}
		x, ok := value.(float64)
		if !ok || x != math.Trunc(x) || x < smallest || x > largest {
			c.fail(&badinput.Error{Key: key, Value: value, Problem: "not a dimension",
				Allowed: fmt.Sprintf("a whole number from %v to %d", smallest, largest)})
			return 0
		}
		return int(x)
	}
	return 0
}

// required is the positive number under the first of the keys that is there.
func (c *config) required(keys ...string) int {
	n := c.positive(keys...)
	if n == 0 {
		c.fail(&badinput.Error{Key: keys[0], Problem: "missing"})
	}
	return n
}

// or is the positive number, or a default where there is none.
func (c *config) or(fallback int, keys ...string) int {
	if n := c.positive(keys...); n > 0 {
		return n
	}
	return fallback
}

// flag is the truth value under a key, or a default where there is none.
func (c *config) flag(key string, fallback bool) bool {
	value, ok := c.table[key]
	if !ok || value == nil {
		return fallback
	}
	b, ok := value.(bool)
	if !ok {
		c.fail(&badinput.Error{Key: key, Value: value, Problem: "not a truth value", Allowed: "true, false"})
	}
	return b
}

// object is the object under a key; nil where there is none.
func (c *config) object(key string) map[string]any {
	value := c.table[key]
	inner, ok := value.(map[string]any)
	if !ok && value != nil {
		c.fail(&badinput.Error{Key: key, Value: value, Problem: "not an object"})
	}
	return inner
}

// list is the list under a key; nil where there is none.
func (c *config) list(key string) []any {
	value := c.table[key]
	list, ok := value.([]any)
	if !ok && value != nil {
		c.fail(&badinput.Error{Key: key, Value: value, Problem: "not a list"})
	}
	return list
}

func (c *config) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// architecture reads what all families have, and what some have.
func (c *config) architecture(f family) Architecture {
	a := Architecture{
		Layers:         c.required("num_hidden_layers", "n_layer", "n_layers"),
		Hidden:         c.required("hidden_size", "n_embd", "d_model", "n_embed"),
		Heads:          c.required("num_attention_heads", "n_head", "n_heads"),
		Vocab:          c.required("vocab_size"),
		MaxContext:     cmp.Or(c.stretched(), c.or(2048, "max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "n_ctx")),
		Gated:          f.gated,
		QKVBias:        c.flag("attention_bias", f.qkvBias),
		GatedAttention: c.flag("attn_output_gate", f.deltaNet),
		LinearBias:     f.linearBias,
		NormBias:       f.normBias,
		QKNorm:         c.flag("use_qk_norm", f.qkNorm),
		QKNormAcross:   f.qkNormAcross && c.flag("use_qk_norm", f.qkNorm),
		EmbeddingNorm:  f.embeddingNorm,
		NormsPerLayer:  f.norms,
		TiedEmbeddings: c.flag("tie_word_embeddings", f.tied),
		WideAttention:  f.wideAttention,
		FP8Block:       c.blockQuantized(),
		GroupSize:      c.groupSize(),
		Checkpoint:     c.checkpoint(),
	}
	if f.positions {
		a.PositionEmbeddings = a.MaxContext + f.extraPositions
	}
	if c.err != nil {
		return a
	}
	a.KVHeads = c.kvHeads(f, a.Heads)
	a.HeadDim = c.headDim(&a)
	a.FFN = c.or(c.expansion()*a.Hidden, "intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size")
	if f.compressed {
		c.readCompression(&a)
	} else {
		c.readLatent(&a)
		c.readIndexer(&a)
	}
	c.readLinear(&a, f)
	c.readScan(&a, f)
	if !f.scan {
		c.readExperts(&a)
	}
	if !f.compressed {
		c.readWindow(&a, f)
	}
	c.refuseOtherMixers(&a, f)
	a.WideAttention = a.WideAttention || c.leavesAttention(&a)
	return a
}

// headDim is the width of a head: its share of the hidden width, where it is not given.
func (c *config) headDim(a *Architecture) int {
	given := c.positive("head_dim")
	if given == 0 && a.Hidden%a.Heads != 0 {
		c.fail(&badinput.Error{Key: "hidden_size", Value: a.Hidden, Problem: fmt.Sprintf("%d heads cannot share it evenly", a.Heads),
			Allowed: "with head_dim"})
	}
	return cmp.Or(given, a.Hidden/a.Heads)
}

// expansion is the MLP's width over the hidden width where it is not given.
func (c *config) expansion() int { return c.or(4, "expansion_ratio") }

// kvHeads reads the number of heads of keys and values. Falcon says in words
// whether there is one, and MPT nests the number.
func (c *config) kvHeads(f family, heads int) int {
	if inner := c.object("attn_config"); inner != nil {
		nested := config{table: inner}
		n := nested.or(heads, "kv_n_heads")
		if nested.err != nil {
			c.fail(nested.err)
		}
		return n
	}
	if f.saysMultiQuery && !c.flag("new_decoder_architecture", false) {
		if c.flag("multi_query", true) {
			return 1
		}
		return heads
	}
	return c.or(heads, "num_key_value_heads", "num_kv_heads", "n_head_kv")
}
