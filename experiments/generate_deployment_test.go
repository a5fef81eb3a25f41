package experiments_test

import (
	"kneepoint/hardware"
	"kneepoint/hardware/model"
)

// deployment fills [model] and [hardware] by a cost model.
func (d *drawer) deployment(tree table) {
	h := tree["hardware"].(table)
	d.optional(h, "replicas", func() any { return d.whole(1, 3) })
	switch d.word("roofline roofline roofline synthetic measured") {
	case "synthetic":
		h["cost_model"], h["kv_tokens"], h["synthetic"] = "synthetic", d.whole(600, 20000), d.synthetic()
		d.stages(h)
	case "measured":
		d.measuredSteps = true
		h["cost_model"], h["kv_tokens"], h["measured"] = "measured", d.whole(600, 20000), d.measured()
		d.optional(h, "tp", func() any { return d.whole(1, 8) })
		d.stages(h)
	default:
		d.roofline = true
		d.optional(h, "cost_model", func() any { return "roofline" })
		d.catalogs(tree["model"].(table), h)
		d.optional(h, "profile", func() any {
			profile := table{"memory_efficiency": d.number(0.3, 1), "step_cpu": d.amount(0, 9, "ms")}
			if !d.pp && d.bool() {
				profile["micro_batch_overlap"], profile["micro_batch_tokens"] = d.word("exchanges all shared"), d.whole(0, 600)
			} else if h["tp"] != nil {
				profile["fused_sums"] = d.bool()
			}
			return profile
		})
	}
	d.optional(h, "engine", func() any { return d.word("vllm-v1 vllm-v0-2023 sglang trtllm ideal hf-eager fastertransformer") })
}

func (d *drawer) stages(h table) {
	if d.pp = d.odds(5); d.pp {
		h["pp"] = 2
	}
}

// synthetic is a table of constants, in which a step always takes some time.
func (d *drawer) synthetic() table {
	s := table{"step_fixed": d.amount(1, 20, "ms")}
	d.floor = 1e-3
	for _, key := range []string{"per_decode_row", "per_context_token", "per_prefill_chunk", "per_prefill_token"} {
		d.optional(s, key, func() any { return d.amount(0, 10, "us") })
	}
	return s
}

// measured is a table of coefficients.
func (d *drawer) measured() table {
	prefill := table{"base": d.amount(1, 20, "ms")}
	d.optional(prefill, "per_token", func() any { return d.amount(1, 90, "us") })
	d.optional(prefill, "per_token2", func() any { return d.amount(1, 9, "ns") })
	last := table{"base": d.amount(2, 20, "ms")}
	d.optional(last, "per_context_token", func() any { return d.amount(0.01, 1, "us") })
	d.optional(last, "per_sequence", func() any { return d.amount(1, 300, "us") })
	decode := []table{last}
	if d.bool() {
		decode = []table{{"max_batch": d.whole(1, 8), "base": d.amount(1, 2, "ms")}, last}
	}
	d.floor = 1e-3
	return table{"prefill": prefill, "decode": decode}
}

// catalogs names a model and an accelerator that holds it, and how it is split.
func (d *drawer) catalogs(m, h table) {
	name := d.word("llama-3.2-1b llama-3.1-8b llama-3.1-8b gemma-2-9b mistral-7b-v0.1 mixtral-8x7b")
	m["name"] = name
	d.experts = name == "mixtral-8x7b"
	tp := 1
	switch {
	case d.experts:
		tp = 4
		if d.bool() {
			h["ep"] = 4
		} else if d.bool() {
			h["dp"], tp = 2, 2
		}
	case d.odds(3):
		tp = 2
	}
	if tp > 1 {
		h["tp"] = tp
	}
	d.stages(h)
	accelerator := d.word("h100-sxm a100-sxm-80 h200-sxm")
	if d.odds(3) {
		accelerator = "h100-sxm"
		h["custom"] = d.custom(tp)
	} else {
		h["accelerator"] = accelerator
	}
	d.precisions(m, accelerator != "a100-sxm-80")
	if h["custom"] == nil && h["measured"] == nil && d.odds(4) {
		h["power_cap_w"] = d.whole(200, 400)
	}
	if d.bool() {
		h["kv_tokens"] = d.whole(600, 20000)
	} else {
		d.optional(h, "gpu_memory_utilization", func() any { return d.number(0.7, 0.95) })
	}
	if !d.experts && !d.pp && d.odds(4) {
		h["cpu_offload_gb"] = d.number(0.1, 0.3)
	}
	if d.experts {
		d.optional(m, "expert_skew", func() any { return d.number(0.1, 1.7) })
	}
	d.optional(m, "max_model_len", func() any { return d.whole(300, 4000) })
	d.floor = d.weightsOver(name, m, tp, accelerator)
}

// precisions are formats that go together, on an accelerator with or without 8-bit floats.
func (d *drawer) precisions(m table, eights bool) {
	switch {
	case eights && d.odds(4):
		m["weights"], m["activations"] = "fp8", "fp8"
	case d.odds(4):
		m["weights"], m["activations"] = "fp16", "fp16"
	case d.odds(4):
		m["weights"], m["activations"] = "int8", "int8"
	default:
		d.optional(m, "weights", func() any { return d.word("bf16 fp8 int8 int4") })
	}
	d.optional(m, "kv", func() any { return d.word("bf16 fp8 fp16") })
	d.optional(m, "other_weights", func() any { return d.word("fp8 int8 int4") })
}

// custom is an accelerator like one of the catalog.
func (d *drawer) custom(tp int) table {
	c := table{"like": "h100-sxm"}
	for _, key := range []string{"name", "title", "vendor", "architecture", "note", "source", "confidence", "date"} {
		d.optional(c, key, func() any { return "drawn" })
	}
	for _, key := range []string{"fp32_tflops", "bf16_tflops", "fp16_tflops", "fp8_tflops", "int8_tflops", "fp4_tflops"} {
		d.optional(c, key, func() any { return d.number(50, 2000) })
	}
	d.optional(c, "usd_per_hour", func() any { return d.number(0.1, 9) })
	d.optional(c, "memory", func() any { return d.amount(78, 141, "GB") })
	d.optional(c, "bandwidth", func() any { return d.amount(1, 3, "TB/s") })
	d.optional(c, "bulk_copy_sms", func() any { return d.whole(0, 300) })
	d.optional(c, "kernels_like", func() any { return d.word("a100-sxm-80 h100-sxm") })
	d.optional(c, "tdp_w", func() any { return d.whole(300, 900) })
	d.optional(c, "idle_w", func() any { return d.whole(10, 200) })
	d.optional(c, "provenance", func() any { return table{"memory": "drawn"} })
	d.optional(c, "energy", func() any {
		return table{"active_w": d.whole(200, 600), "pj_per_byte": d.number(1, 100), "pj_per_flop": d.number(0.1, 2), "estimated": "drawn"}
	})
	d.optional(c, "burst", func() any {
		return table{"sustained": d.number(0.5, 1), "full": d.amount(5, 80, "ms"), "recovery": d.number(0.1, 1)}
	})
	d.optional(c, "link", func() any {
		return table{"name": "drawn", "bandwidth": d.amount(50, 900, "GB/s"), "world": d.whole(4, 8)}
	})
	d.optional(c, "host_link", func() any { return table{"name": "drawn", "bandwidth": d.amount(10, 64, "GB/s"), "world": 8} })
	d.optional(c, "network", func() any {
		return table{"name": "drawn", "bandwidth": d.amount(1, 50, "GB/s"), "server": d.whole(1, 2) * 4,
			"latency": d.amount(1, 50, "us"), "fraction": d.number(0.3, 1)}
	})
	return c
}

// weightsOver is how long it takes at least to read the weights of a dense model, of which
// a gigabyte may come from elsewhere: no step is shorter.
func (d *drawer) weightsOver(name string, m table, tp int, accelerator string) float64 {
	a, err := model.Lookup(name)
	x, err2 := hardware.LookupAccelerator(accelerator)
	if err != nil || err2 != nil {
		d.t.Fatal(err, err2)
	}
	bytes := map[any]float64{nil: 2, "bf16": 2, "fp16": 2, "fp8": 1, "int8": 1, "int4": 0.5}[m["weights"]]
	embeddings := 2 * float64(a.Vocab) * float64(a.Hidden)
	parameters := float64(a.ActiveParameters()) - embeddings
	if d.experts {
		parameters /= 2 // attention data parallelism reads some of them in part
	}
	return max(0, parameters*bytes/float64(tp)-float64(1<<30)) / float64(x.Bandwidth)
}
