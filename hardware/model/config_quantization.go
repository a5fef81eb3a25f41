package model

import (
	"maps"
	"slices"
	"strings"

	"kneepoint/hardware"
	"kneepoint/units/badinput"
)

// quantization is the table under "quantization_config".
const quantization = "quantization_config"

// blockQuantized reports whether the checkpoint's quantization is in blocks.
func (c *config) blockQuantized() bool {
	_, blocks := c.object(quantization)["weight_block_size"]
	return blocks
}

// methods are the ways of quantizing that have one format each, by "quant_method". The formats
// of the others depend on more.
var methods = map[string]Checkpoint{
	"fp8":        {Weights: hardware.FP8, Activations: hardware.FP8},
	"fbgemm_fp8": {Weights: hardware.FP8, Activations: hardware.FP8},
	"mxfp4":      {Weights: hardware.FP4},
}

// algorithms are those of NVIDIA's Model Optimizer, by "quant_algo".
var algorithms = map[string]Checkpoint{
	"FP8":                       {Weights: hardware.FP8, Activations: hardware.FP8},
	"FP8_PB_WO":                 {Weights: hardware.FP8, Activations: hardware.FP8},
	"FP8_PER_CHANNEL_PER_TOKEN": {Weights: hardware.FP8, Activations: hardware.FP8},
	"NVFP4":                     {Weights: hardware.FP4, Activations: hardware.FP4},
	"W4A16_AWQ":                 {Weights: hardware.INT4},
}

// checkpoint reads the formats of the weights and activations.
//
// Sources: transformers/utils/quantization_config.py (methods and their keys);
// vllm/model_executor/layers/quantization (what is computed in which format).
func (c *config) checkpoint() Checkpoint {
	table := c.object(quantization)
	if table == nil {
		return Checkpoint{}
	}
	q := config{table: table}
	found := q.quantized()
	if q.err != nil {
		c.fail(badinput.Under(quantization, q.err))
	}
	return found
}

func (c *config) quantized() Checkpoint {
	method, _ := c.table["quant_method"].(string)
	switch method {
	case "awq", "gptq", "auto-round":
		return Checkpoint{Weights: c.integers("bits", c.required("bits"))}
	case "bitsandbytes":
		if c.flag("load_in_8bit", false) {
			return Checkpoint{Weights: hardware.INT8}
		}
		return Checkpoint{Weights: hardware.INT4}
	case "compressed-tensors":
		return c.compressedTensors()
	case "modelopt":
		algorithm, _ := c.table["quant_algo"].(string)
		return c.named("quant_algo", algorithm, algorithms)
	case "quark":
		return c.quark()
	case "": // who leaves it out has blocks of fp8, or is MLX
		if _, blocks := c.table["weight_block_size"]; blocks {
			return methods["fp8"]
		}
		if bits := c.positive("bits"); bits > 0 && c.table["group_size"] != nil {
			return Checkpoint{Weights: c.integers("bits", bits)}
		}
	}
	return c.named("quant_method", method, methods, "auto-round", "awq", "bitsandbytes", "compressed-tensors", "gptq", "modelopt", "quark")
}

// named is the formats of a name in a table, of which messages tell others that are known.
func (c *config) named(key, name string, table map[string]Checkpoint, others ...string) Checkpoint {
	found, known := table[name]
	if !known {
		names := slices.Sorted(slices.Values(append(others, slices.Collect(maps.Keys(table))...)))
		c.fail(&badinput.Error{Key: key, Value: c.table[key], Problem: "unknown quantization",
			Allowed: "one of " + strings.Join(names, ", "), Nearest: badinput.Nearest(name, names)})
	}
	return found
}

// integers is the format of weights that are integers of a number of bits.
func (c *config) integers(key string, bits int) hardware.Precision {
	switch bits {
	case 4:
		return hardware.INT4
	case 8:
		return hardware.INT8
	case 0: // missing, which was said
		return ""
	}
	c.fail(&badinput.Error{Key: key, Value: bits, Problem: "not supported", Allowed: "4, 8"})
	return ""
}

// compressedTensors reads the formats of the first group, which has the linear layers.
func (c *config) compressedTensors() Checkpoint {
	if len(c.object("config_groups")) == 0 {
		c.fail(&badinput.Error{Key: "config_groups", Problem: "missing"})
		return Checkpoint{}
	}
	g := c.firstGroup()
	found := Checkpoint{Weights: g.number4or8("weights"), Activations: g.number4or8("input_activations")}
	if g.err == nil && found.Weights == "" {
		g.err = &badinput.Error{Key: "weights", Problem: "missing"}
	}
	if g.err != nil {
		c.fail(badinput.Under("config_groups", g.err)) // whose names may be anything
	}
	if found.Activations == hardware.INT4 { // nobody computes in it
		found.Activations = ""
	}
	return found
}

// firstGroup is the group of compressed-tensors that has the linear layers.
func (c *config) firstGroup() config {
	groups := c.object("config_groups")
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		group, _ := groups[name].(map[string]any)
		return config{table: group}
	}
	return config{}
}

// number4or8 is the format that a table under a key describes; none where there is no table,
// or it has 16 bits.
func (c *config) number4or8(key string) hardware.Precision {
	table := c.object(key)
	if table == nil {
		return ""
	}
	t := config{table: table}
	bits, kind := t.required("num_bits"), t.table["type"]
	if t.err != nil {
		c.fail(badinput.Under(key, t.err))
		return ""
	}
	switch {
	case bits == 16:
		return ""
	case kind == "float" && bits == 8:
		return hardware.FP8
	case kind == "float" && bits == 4:
		return hardware.FP4
	case kind == "float":
		c.fail(&badinput.Error{Key: key + ".num_bits", Value: bits, Problem: "not supported", Allowed: "4, 8, 16"})
		return ""
	}
	return c.integers(key+".num_bits", bits)
}
