package model

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kneepoint/hardware"
	"kneepoint/units/badinput"
)

// quarkTypes are the formats of AMD's Quark, by "dtype".
var quarkTypes = map[string]hardware.Precision{
	"fp8_e4m3": hardware.FP8,
	"fp4":      hardware.FP4,
	"int8":     hardware.INT8,
	"int4":     hardware.INT4,
	"uint4":    hardware.INT4,
}

// quark reads what holds for all layers that are not described apart.
//
// Source: vllm/model_executor/layers/quantization/quark/quark.py.
func (c *config) quark() Checkpoint {
	g := config{table: c.object("global_quant_config")}
	found := Checkpoint{Weights: g.quarkType("weight"), Activations: g.quarkType("input_tensors")}
	if g.err == nil && found.Weights == "" {
		g.err = &badinput.Error{Key: "weight", Problem: "missing"}
	}
	if g.err != nil {
		c.fail(badinput.Under("global_quant_config", g.err))
	}
	if found.Activations == hardware.INT4 { // nobody computes in it
		found.Activations = ""
	}
	return found
}

// quarkTable describes what a key quantizes: in the last step, where it was quantized in several.
func (c *config) quarkTable(key string) map[string]any {
	last := config{table: map[string]any{key: c.table[key]}}
	if steps, ok := c.table[key].([]any); ok && len(steps) > 0 {
		last.table[key] = steps[len(steps)-1]
	}
	table := last.object(key)
	if table == nil {
		c.fail(last.err)
	}
	return table
}

// quarkType is the format of what a key describes.
func (c *config) quarkType(key string) hardware.Precision {
	table := c.quarkTable(key)
	if table == nil {
		return ""
	}
	name, _ := table["dtype"].(string)
	found, known := quarkTypes[name]
	if !known {
		c.fail(&badinput.Error{Key: key + ".dtype", Value: table["dtype"], Problem: "unknown quantization",
			Allowed: "one of " + strings.Join(slices.Sorted(maps.Keys(quarkTypes)), ", ")})
	}
	return found
}

// optimizerFile has the quantization of checkpoints of NVIDIA's Model Optimizer whose configuration has none.
const optimizerFile = "hf_quant_config.json"

// quantizedBeside is the quantization in the file of Model Optimizer that stands beside a config.json; nil where there is none.
func quantizedBeside(path string) (map[string]any, error) {
	beside := filepath.Join(filepath.Dir(path), optimizerFile)
	if _, err := os.Stat(beside); err != nil || filepath.Base(path) != "config.json" {
		return nil, nil
	}
	wrong := func(problem string) error { return &badinput.Error{Key: "name", Value: beside, Problem: problem} }
	text, err := badinput.ReadText(beside)
	if err != nil {
		return nil, wrong("cannot be read: " + readProblem(err))
	}
	table, err := parseObject(text)
	if err != nil {
		return nil, wrong(err.Error())
	}
	found, ok := table["quantization"].(map[string]any)
	if !ok {
		return nil, wrong("has no quantization")
	}
	found["quant_method"] = "modelopt"
	return found, nil
}
