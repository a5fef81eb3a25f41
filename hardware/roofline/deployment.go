package roofline

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// Deployment is one replica: a model in given precisions on TP*DP*PP
// accelerators under an engine. Zero values mean the defaults that are named beside them.
type Deployment struct {
	Accelerator  hardware.Accelerator
	Engine       hardware.Engine
	Architecture model.Architecture

	Weights     hardware.Precision // those of the model's checkpoint, or 16 bits
	Activations hardware.Precision // the compute type: likewise, as far as the accelerator computes in it
	KV          hardware.Precision // 16 bits

	// OtherWeights are those that the quantization of Weights leaves alone: tables, LM head, routers, and attention
	// where the model's checkpoints have it in 16 bits; 16 bits.
	OtherWeights hardware.Precision

	TP int // tensor parallelism: accelerators that share every matrix and the heads; 1
	PP int // pipeline parallelism: stages that share the layers; 1
	DP int // attention data parallelism: groups of TP with attention weights and sequences of their own; 1
	EP int // expert parallelism: groups of the TP*DP accelerators that share the experts; 1

	GPUMemoryUtilization float64 // fraction of the memory that the engine may use; 0.9
	MaxModelLen          int     // longest sequence; the model's own
	MaxNumBatchedTokens  int     // tokens of the largest step, for activation memory, as Engine.LimitsPerRank counts them; the engine's
	MaxNumSeqs           int     // sequences of the largest step, for its logits, likewise; the engine's
	KVTokens             int     // override of the KV capacity; computed
	BlockSize            int     // tokens of a KV block; 16

	CPUOffload units.Bytes // weights of each accelerator that stay in the host's memory; none

	Speculation *Speculation // what proposes tokens for speculative decoding; nil: nothing

	Constants Constants // of kernels and collectives; those of the catalogs
}

// withDefaults fills in what was left at zero.
func (d Deployment) withDefaults() Deployment {
	d.setPrecisions()
	setDefault(&d.TP, 1)
	setDefault(&d.PP, 1)
	setDefault(&d.DP, 1)
	setDefault(&d.EP, 1)
	setDefault(&d.GPUMemoryUtilization, 0.9)
	setDefault(&d.MaxModelLen, d.Architecture.MaxContext)
	limits := d.Engine.BatchLimitsOn(&d.Accelerator)
	setDefault(&d.MaxNumBatchedTokens, limits.MaxNumBatchedTokens)
	setDefault(&d.MaxNumSeqs, limits.MaxNumSeqs)
	setDefault(&d.BlockSize, 16)
	return d
}

// StepTokens are the tokens of a step at most, of all data-parallel groups and of each.
func (d *Deployment) StepTokens() (all, each int) {
	return d.Engine.OfRanks(d.MaxNumBatchedTokens, d.DP)
}

// StepSequences are the sequences of a step at most, of all data-parallel groups and of each.
func (d *Deployment) StepSequences() (all, each int) { return d.Engine.OfRanks(d.MaxNumSeqs, d.DP) }

// setPrecisions fills in the formats that were left open. Weights in the checkpoint's are computed in
// its activations, or in 16 bits where the accelerator does not compute in these; any others in 16 bits.
func (d *Deployment) setPrecisions() {
	checkpoint, half := d.Architecture.Checkpoint, d.Accelerator.HalfPrecision()
	setDefault(&d.Weights, cmp.Or(checkpoint.Weights, half))
	if d.Weights == checkpoint.Weights && d.Accelerator.Peak(checkpoint.Activations) > 0 {
		setDefault(&d.Activations, checkpoint.Activations)
	}
	setDefault(&d.Activations, half)
	setDefault(&d.KV, half)
}

// Precisions are the formats of a model's weights, activations, and keys and values on an
// accelerator, where d names some or none of them.
func (d Deployment) Precisions() (weights, activations, kv hardware.Precision) {
	d.setPrecisions()
	return d.Weights, d.Activations, d.KV
}

func setDefault[T comparable](value *T, fallback T) {
	var zero T
	if *value == zero {
		*value = fallback
	}
}

// check finds what cannot be deployed, memory apart.
func (d *Deployment) check() error {
	if err := d.checkSpeculation(); err != nil {
		return err
	}
	if d.GPUMemoryUtilization < 0 || d.GPUMemoryUtilization > 1 {
		return &badinput.Error{Key: "hardware.gpu_memory_utilization", Value: d.GPUMemoryUtilization,
			Problem: "not a fraction", Allowed: "0 to 1"}
	}
	if d.MaxModelLen < 0 || d.MaxModelLen > d.Architecture.MaxContext {
		return &badinput.Error{Key: "model.max_model_len", Value: d.MaxModelLen,
			Problem: fmt.Sprintf("%s has a context of %d tokens", d.Architecture.Name, d.Architecture.MaxContext),
			Allowed: fmt.Sprintf("1 to %d, or 0 for the model's own", d.Architecture.MaxContext)}
	}
	for _, n := range []struct {
		key   string
		value int
	}{
		{"strategy.max_num_batched_tokens", d.MaxNumBatchedTokens}, {"strategy.max_num_seqs", d.MaxNumSeqs},
		{"hardware.kv_tokens", d.KVTokens}, {"strategy.kv.block_size", d.BlockSize},
	} {
		if n.value < 0 {
			return &badinput.Error{Key: n.key, Value: n.value, Problem: "must not be negative"}
		}
	}
	if err := d.checkPrecisions(); err != nil {
		return err
	}
	return d.checkParallelism()
}

func (d *Deployment) checkPrecisions() error {
	a := &d.Accelerator
	if a.Peak(d.Activations) == 0 {
		return &badinput.Error{Key: "model.activations", Value: string(d.Activations),
			Problem: fmt.Sprintf("%s does not compute in %s; it would run in %s", a.Name, d.Activations, d.standIn()),
			Allowed: "one of " + precisionList(d.computable())}
	}
	if d.Activations == hardware.INT4 {
		return &badinput.Error{Key: "model.activations", Value: string(d.Activations),
			Problem: "4-bit integer activations are not supported", Allowed: "weights = \"int4\" with wider activations"}
	}
	if d.Weights.Bytes() > d.Activations.Bytes() {
		return &badinput.Error{Key: "model.weights", Value: string(d.Weights),
			Problem: fmt.Sprintf("wider than the activations (%s)", d.Activations),
			Allowed: "weights at most as wide as the activations"}
	}
	if d.OtherWeights != "" && d.OtherWeights.Bytes() > d.wideType().Bytes() {
		return &badinput.Error{Key: "model.other_weights", Value: string(d.OtherWeights),
			Problem: fmt.Sprintf("wider than the type they are computed in (%s)", d.wideType()), Allowed: "no wider than that"}
	}
	if d.Engine.AttentionVectorOps+d.Engine.ProductVectorOps > 0 && a.Peak(hardware.FP32) == 0 {
		return &badinput.Error{Key: "hardware.accelerator", Value: a.Name,
			Problem: "its vector units' rate is not known, on which the engine computes (attention_vector_ops, product_vector_ops)",
			Allowed: "fp32_tflops of a custom accelerator"}
	}
	if d.wideType() == "" {
		return &badinput.Error{Key: "hardware.accelerator", Value: a.Name, Problem: "has no 16-bit compute type for attention"}
	}
	return nil
}

// computable lists the types that activations can have on the accelerator.
func (d *Deployment) computable() []hardware.Precision {
	return slices.DeleteFunc(d.Accelerator.ComputePrecisions(), func(p hardware.Precision) bool { return p == hardware.INT4 })
}

// standIn says in what an accelerator without the activations' type runs a
// model: in a 16-bit type, reading narrower weights as they are.
func (d *Deployment) standIn() string {
	for _, p := range []hardware.Precision{hardware.BF16, hardware.FP16, hardware.FP32} {
		if d.Accelerator.Peak(p) == 0 {
			continue
		}
		if d.Activations.Bytes() < 2 && d.Weights.Bytes() < 2 {
			return fmt.Sprintf("%s with weights in %s (activations = %q)", p, d.Weights, p)
		}
		return string(p)
	}
	return "none"
}

// ComputeTypes are the types in which operators compute: of the activations, and where that
// is another one, of what quantization leaves alone.
func (d *Deployment) ComputeTypes() []hardware.Precision {
	if wide := d.wideType(); wide != "" && wide != d.Activations {
		return []hardware.Precision{d.Activations, wide}
	}
	return []hardware.Precision{d.Activations}
}

// wideType is the type in which attention and the LM head compute, which
// quantization leaves alone; empty where the accelerator has none.
func (d *Deployment) wideType() hardware.Precision {
	if d.Activations.Bytes() >= 2 {
		return d.Activations
	}
	for _, p := range []hardware.Precision{hardware.BF16, hardware.FP16} {
		if d.Accelerator.Peak(p) > 0 {
			return p
		}
	}
	return ""
}

func precisionList(all []hardware.Precision) string {
	names := make([]string, len(all))
	for i, p := range all {
		names[i] = string(p)
	}
	return strings.Join(names, ", ")
}

func intList(all []int) string {
	names := make([]string, len(all))
	for i, n := range all {
		names[i] = strconv.Itoa(n)
	}
	return strings.Join(names, ", ")
}
