package model

import (
	"fmt"
	"regexp"
	"strings"

	"kneepoint/units/badinput"
)

// leftOut are the lists of modules that a quantization leaves in 16 bits, by its makers: of
// compressed-tensors and Model Optimizer, of transformers, of Model Optimizer's older files, of AutoFP8, and of Quark.
var leftOut = []string{"ignore", "modules_to_not_convert", "exclude_modules", "ignored_layers", "exclude"}

// owners are what stands before "layers" in the names of a model's modules, with and without a
// vision tower.
var owners = []string{"model", "language_model.model", "model.language_model"}

// mostLayers is how many layers are looked for in such lists: the first ones of a model that has more, as none
// has that is published, speak for the rest.
const mostLayers = 1000

// leavesAttention reports whether a quantization leaves attention in 16 bits: the output projections of
// more than half of the layers, of linear attention where a layer has that.
func (c *config) leavesAttention(a *Architecture) bool {
	if a.Checkpoint.Weights == "" {
		return false
	}
	q := config{table: c.object(quantization)}
	patterns := q.ignored()
	if q.err != nil {
		c.fail(badinput.Under(quantization, q.err))
		return false
	}
	layers := min(a.Layers, mostLayers)
	full := min(a.AttentionLayers(), leftOutLayers(patterns, layers, "self_attn.o_proj"))
	module := "linear_attn.out_proj"
	if a.Linear != nil && a.Linear.Scan {
		module = "mamba.out_proj"
	}
	linear := min(a.LinearLayers(), leftOutLayers(patterns, layers, module))
	return 2*(full+linear) > layers
}

// leftOutLayers is in how many layers a pattern finds a module.
func leftOutLayers(patterns []func(module string) bool, layers int, module string) (n int) {
	if len(patterns) == 0 {
		return 0
	}
	for i := range layers {
		if anyFinds(patterns, fmt.Sprintf("layers.%d.%s", i, module)) {
			n++
		}
	}
	return n
}

func anyFinds(patterns []func(module string) bool, module string) bool {
	for _, owner := range owners {
		name := owner + "." + module
		for _, finds := range patterns {
			if finds(name) {
				return true
			}
		}
	}
	return false
}

// ignored are patterns of the modules that are left out.
func (c *config) ignored() (patterns []func(module string) bool) {
	for _, key := range leftOut {
		for i, entry := range c.list(key) {
			text, ok := entry.(string)
			p, err := modulePattern(text)
			if !ok || err != nil {
				c.fail(&badinput.Error{Key: fmt.Sprintf("%s[%d]", key, i), Value: entry, Problem: "not a pattern of modules",
					Allowed: `names, with * for any text, and after "re:" regular expressions without lookarounds`})
				return nil
			}
			patterns = append(patterns, p)
		}
	}
	return patterns
}

// modulePattern tells which modules' names an entry of such a list means: after "re:" those that an expression
// matches from the start; otherwise a module, or parts of its name in a row, with all that is within, and * for any text.
//
// Sources: compressed_tensors/utils/match.py (re.match); transformers/quantizers/quantizers_utils.py,
// should_convert_module (parts of names); Model Optimizer's wildcards.
func modulePattern(entry string) (func(module string) bool, error) {
	expression, ok := strings.CutPrefix(entry, "re:")
	switch {
	case ok:
		expression = "^(?:" + expression + ")"
	case !strings.Contains(entry, "*"):
		return func(module string) bool { return strings.Contains("."+module+".", "."+entry+".") }, nil
	default:
		expression = `(^|\.)` + strings.ReplaceAll(regexp.QuoteMeta(entry), `\*`, ".*") + `(\.|$)`
	}
	p, err := regexp.Compile(expression)
	if err != nil {
		return nil, err
	}
	return p.MatchString, nil
}
