package roofline

import (
	"strings"
	"testing"

	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/units"
)

// Measured by others than those whose tables the constants were fitted to, on
// other models: held out. (blis_gemm_h100.csv is left out: its largest products
// are faster than the dense peak allows.)
func TestHeldOutLayers(t *testing.T) {
	d := deviations{}
	for _, r := range kernelRows(t, "vidur_layer_linear.csv.gz") {
		heads, kv, hidden, ffn, tp := r.number("heads"), r.number("kv_heads"), r.number("hidden"), r.number("ffn"), r.number("tp")
		var total units.Seconds
		for _, w := range []widths{{hidden, (heads + 2*kv) * hidden / heads / tp}, {hidden / tp, hidden}, {hidden, 2 * ffn / tp}, {ffn / tp, hidden}} {
			p, bandwidth := gemm(t, kernelAccelerators[r.text("gpu")], "bf16", w.inner, w.outer)
			total += p.time(r.number("num_tokens"), bandwidth)
		}
		d.add("vidur "+r.text("gpu")+" "+r.text("model"), total, r.number("linear_us"))
	}
	d.check(t, atMost(0.15))
}

func TestHeldOutProjections(t *testing.T) {
	d := deviations{}
	for _, r := range kernelRows(t, "llmservingsim_dense.csv.gz") {
		accelerator, name, tp := kernelAccelerators[r.text("gpu")], r.text("model"), int(r.number("tp"))
		a, err := model.Lookup(strings.TrimSuffix(name, "-2507"))
		if err != nil {
			t.Fatal(err)
		}
		deployment := Deployment{Architecture: a, TP: tp, DP: 1, EP: 1}
		s := deployment.shard()
		parts := map[string]widths{"qkv_proj": s.attention[0], "o_proj": s.attention[1]}
		if len(s.dense) > 0 {
			parts["gate_up_proj"], parts["down_proj"] = s.dense[0], s.dense[1]
		}
		w, known := parts[r.text("layer")]
		if !known {
			continue
		}
		p, bandwidth := gemm(t, accelerator, "bf16", w.inner, w.outer)
		d.add(accelerator+" "+r.text("layer"), p.time(r.number("tokens"), bandwidth), r.number("time_us"))
	}
	d.check(t, atMost(0.12))
}

func TestHeldOutAttention(t *testing.T) {
	d := deviations{}
	for _, r := range kernelRows(t, "blis_attention_decode_h100.csv") {
		_, a := attentionKernels(t, "h100-sxm", r.number("heads")/r.number("tp"), max(1, r.number("kv_heads")/r.number("tp")), r.number("head_dim"))
		batch := r.number("batch_size")
		d.add("blis decode h100-sxm", a.decode.time(batch, batch*r.number("kv_len")), r.number("latency_us"))
	}
	for _, r := range kernelRows(t, "blis_attention_prefill_h100.csv") {
		m, a := attentionKernels(t, "h100-sxm", r.number("heads"), r.number("kv_heads"), r.number("head_dim"))
		length := int(r.number("seq_len"))
		work := reach{pairs: model.CausalPairs(0, length), tokens: float64(length), keys: float64(length)}
		d.add("blis prefill h100-sxm", a.prefill.time(work, m), r.number("latency_us"))
	}
	for _, r := range kernelRows(t, "vidur_attention_a100.csv.gz") {
		head := r.number("n_embd") / r.number("n_q_head")
		m, a := attentionKernels(t, "a100-sxm-80", r.number("n_q_head")/r.number("tp"), max(1, r.number("n_kv_head")/r.number("tp")), head)
		batch, chunk, cached := r.number("batch_size"), r.number("prefill_chunk_size"), r.number("kv_cache_size")
		if r.text("phase") == "decode" {
			d.add("vidur decode a100", a.decode.time(batch, batch*cached), r.number("time_us"))
			continue
		}
		work := reach{pairs: batch * model.CausalPairs(int(cached), int(cached+chunk)), tokens: batch * chunk, keys: batch * (cached + chunk)}
		d.add("vidur prefill a100", a.prefill.time(work, m), r.number("time_us"))
	}
	for _, r := range kernelRows(t, "llmservingsim_attention_mixed.csv.gz") {
		accelerator := kernelAccelerators[r.text("gpu")]
		arch, err := model.Lookup(strings.TrimSuffix(r.text("model"), "-2507"))
		if err != nil {
			t.Fatal(err)
		}
		tp := r.number("tp")
		m, a := attentionKernels(t, accelerator, float64(arch.Heads)/tp, max(1, float64(arch.KVHeads)/tp), float64(arch.HeadDim))
		var total units.Seconds
		kind := "decode"
		if n := r.number("n_decode"); n > 0 {
			kernel := &a.decode
			if r.number("prefill_chunk") > 0 {
				kernel = &a.mixed
			}
			total += kernel.time(n, n*r.number("kv_decode"))
		}
		if chunk, cached := int(r.number("prefill_chunk")), int(r.number("kv_prefill")); chunk > 0 {
			kind = "prefill"
			if total > 0 {
				kind = "mixed"
			}
			full, _ := reachOf(hardware.Chunk{Context: cached, Tokens: chunk}, 0, 0)
			total += a.prefill.alone(full, m)
		}
		d.add("llmservingsim "+kind+" "+accelerator, total, r.number("time_us"))
	}
	d.check(t, func(what string) float64 {
		switch {
		case strings.Contains(what, "decode"):
			return 0.16
		case strings.HasPrefix(what, "blis prefill"):
			return 0.25
		case strings.HasPrefix(what, "vidur prefill"):
			return 0.45 // older kernels, half as fast
		default:
			return 0.30
		}
	})
}
