package model

import (
	"math"

	"kneepoint/units/badinput"
)

// stretched is the context of a model whose positions YaRN stretches, as engines have it, whatever else the configuration
// says of it; 0 without.
//
//	factor * original_max_position_embeddings
//
// Source: vllm/config/model.py, _get_and_verify_max_len.
func (c *config) stretched() int {
	for _, key := range []string{"rope_scaling", "rope_parameters"} {
		r := config{table: c.object(key)}
		if r.table["rope_type"] != "yarn" && r.table["type"] != "yarn" {
			continue
		}
		factor, ok := r.table["factor"].(float64)
		context := factor * float64(r.positive("original_max_position_embeddings"))
		if !ok || !(factor >= 1) || context > largest {
			r.fail(&badinput.Error{Key: "factor", Value: r.table["factor"], Problem: "not a factor of the context", Allowed: "a number from 1"})
		}
		if r.err != nil {
			c.fail(badinput.Under(key, r.err))
			return 0
		}
		return int(math.Round(context))
	}
	return 0
}
