package hardware

import (
	"fmt"
	"slices"
	"strings"

	"kneepoint/internal/catalog"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// Engine is a profile of the software that serves a model: what its host spends
// beside the accelerator's kernels, which kernels it launches, and how much
// memory it keeps for itself.
//
// A step whose kernels take gpu takes
//
//	max(gpu, layers*launch floor) + host        without Overlap,
//	max(gpu, layers*launch floor, host)         with it, where
//	host = StepCPU + StepCPUPerSequence*sequences + StepCPUPerAccelerator*(accelerators - 1)
//
// The launch floor is PromptLaunchFloor where the step has prompts and is larger than
// GraphTokens.
type Engine struct {
	Name  string `toml:"name"`
	Title string `toml:"title"`

	Backend           string  `toml:"backend"`                          // whose rows of the efficiency tables it uses
	AllReduce         string  `toml:"all_reduce"`                       // its library in the all-reduce table
	ComputeEfficiency float64 `toml:"compute_efficiency" check:"share"` // of its kernels relative to those rows
	MemoryEfficiency  float64 `toml:"memory_efficiency" check:"share"`

	// ElementwiseKernels is the number of launches per layer for norms, rotary
	// embedding, cache write and activation; UnfusedPasses how often these
	// kernels read and write their tensors, 1 when they are fused with each other, and 0
	// when they are fused with the products, so that what they work on stays on the chip.
	ElementwiseKernels float64 `toml:"elementwise_kernels" check:"nonnegative"`
	UnfusedPasses      float64 `toml:"unfused_passes" check:"nonnegative"`

	// FusedQuantization says that activations of fp8 products are quantized by the kernel that
	// makes them: a product has the launch of one in 16 bits, and no pass over its input.
	FusedQuantization bool `toml:"fused_quantization"`

	// AttentionVectorOps is the number of instructions that decode attention on vector units takes for
	// an element of a key or value and a query head: conversion from the format of the cache, scaling,
	// multiplication and addition, loops included. Query heads that share keys and values each take
	// them. 0: attention is on matrix units, as the efficiency tables have it.
	AttentionVectorOps float64 `toml:"attention_vector_ops" check:"nonnegative"`

	// ProductVectorOps is the number of instructions that products with weights of fewer than 16 bits take
	// on vector units for every 32 weights of a row, which have a scale of their own, and every token: what
	// matrix units sum up of 8-bit integers is converted, scaled and added. 0: as the efficiency tables have it.
	ProductVectorOps float64 `toml:"product_vector_ops" check:"nonnegative"`

	StepCPU            units.Seconds `toml:"step_cpu" check:"nonnegative"`
	StepCPUPerSequence units.Seconds `toml:"step_cpu_per_sequence" check:"nonnegative"`

	// StepCPUPerAccelerator is what handing a step to the worker of another accelerator costs a host that
	// calls them one after the other.
	StepCPUPerAccelerator units.Seconds `toml:"step_cpu_per_accelerator" check:"nonnegative"`

	Overlap bool `toml:"overlap"` // the host prepares the next step while the accelerator works

	// AsyncScheduling says that the scheduler decides on a step while the one
	// before it runs: a request that arrives during a step misses the next one, and
	// one that ends with a step keeps its slot and memory during the next one. A
	// pipeline decides when a step leaves its last stage, in any case.
	AsyncScheduling bool `toml:"async_scheduling"`

	// LaunchFloor is the time a layer takes to launch from the host where no
	// CUDA graph does it; the hosts of different accelerators differ.
	LaunchFloor               units.Seconds            `toml:"launch_floor_per_layer" check:"nonnegative"`
	LaunchFloorByArchitecture map[string]units.Seconds `toml:"launch_floor_by_architecture"`

	// PromptLaunchFloor is that of a step with prompts that no CUDA graph replays, if it is
	// more: one of more than GraphTokens tokens. Graphs are captured for decode steps, whose
	// sizes are few; GraphTokens is 0 where they are for no others.
	// A layer with latent attention, which has several times as many launches, has
	// PromptLaunchFloorLatent, if that is more again.
	PromptLaunchFloor       units.Seconds `toml:"prompt_launch_floor_per_layer" check:"nonnegative"`
	PromptLaunchFloorLatent units.Seconds `toml:"prompt_launch_floor_latent" check:"nonnegative"`
	GraphTokens             int           `toml:"graph_tokens" check:"nonnegative"`

	// MicroBatchOverlap says what runs side by side in a step of at least MicroBatchTokens tokens in the fullest
	// data-parallel group, which is then computed as two halves: nothing, in one piece (none); exchanges
	// between accelerators beside kernels (exchanges), as vLLM's dual-batch overlap does it; or these and kernels that wait for
	// memory beside those that wait for compute, as NanoFlow does, as if nothing slowed down what runs beside it (all) or
	// with the multiprocessors shared (shared).
	MicroBatchOverlap string `toml:"micro_batch_overlap" oneof:"none exchanges all shared"`
	MicroBatchTokens  int    `toml:"micro_batch_tokens" check:"nonnegative"`

	// FusedSums says that a product whose outputs are summed over the accelerators of a server is one kernel with that sum,
	// which sends a part of them while it computes the next, as TensorRT-LLM's gemm_allreduce_plugin does.
	FusedSums bool `toml:"fused_sums"`

	// A step with proposals takes
	//
	//	SpeculationStep + SpeculationPerSequence*min(sequences, SpeculationSequences)
	//
	// besides its kernels and the proposer's: rejection sampling, and the preparation
	// of both. From SpeculationSequences on (0: never) the host's share does not grow
	// any more. SpeculationPass is the least that a pass of the proposer takes, from
	// its launch.
	SpeculationStep        units.Seconds `toml:"speculation_step" check:"nonnegative"`
	SpeculationPerSequence units.Seconds `toml:"speculation_per_sequence" check:"nonnegative"`
	SpeculationSequences   int           `toml:"speculation_sequences" check:"nonnegative"`
	SpeculationPass        units.Seconds `toml:"speculation_pass" check:"nonnegative"`

	// Dispatch is how tokens reach experts on other accelerators under attention
	// data parallelism: allgather (every group gets every token) or alltoall
	// (only where their experts are). ExpertImbalance is the load of the busiest
	// expert-parallel group over the mean, beyond the skew that the measured
	// expert kernels contain. BalancedExperts says that they contain none, as where the experts that are loaded most
	// have copies: kernels are those that were measured with all experts loaded alike.
	Dispatch        string  `toml:"dispatch" oneof:"allgather alltoall"`
	ExpertImbalance float64 `toml:"expert_imbalance" check:"positive"`
	BalancedExperts bool    `toml:"balanced_experts"`

	// The front-end's share of a request: HTTP, tokenizer, hand-over.
	RequestFixed          units.Seconds `toml:"request_fixed" check:"nonnegative"`
	RequestPerPromptToken units.Seconds `toml:"request_per_prompt_token" check:"nonnegative"`

	// MemoryReserve is what the runtime keeps per accelerator: context, graphs,
	// communication buffers. Activations are counted beside it:
	// tokens of the largest step times (hidden*ActivationHidden + widest
	// matrix output*ActivationWide) elements, plus LogitBytes for every logit of
	// a step with max_num_seqs sequences.
	MemoryReserve    units.Bytes `toml:"memory_reserve" check:"nonnegative"`
	ActivationHidden float64     `toml:"activation_hidden" check:"nonnegative"`
	ActivationWide   float64     `toml:"activation_wide" check:"nonnegative"`
	LogitBytes       float64     `toml:"logit_bytes" check:"nonnegative"`

	// Of static batches: whether their answers leave together, with that of the longest,
	// unless a file says that tokens are streamed; whether prompts are computed one
	// behind the other, without padding; whether only as many of their tokens as the
	// shortest has, and the rest a token a step; and what decode steps read besides the keys and
	// values of sequences that go on: nothing, the padding of their prompts, or all rows
	// of the rectangle until the batch ends.
	WholeBatches   bool   `toml:"whole_batches"`
	PackedPrompts  bool   `toml:"packed_prompts"`
	PromptsByToken bool   `toml:"prompts_by_token"`
	PaddedReads    string `toml:"padded_reads" oneof:"none prompts rows"`

	// LimitsPerRank says whose max_num_seqs and max_num_batched_tokens are where attention is
	// data parallel: of each rank, which has a scheduler of its own, or of the replica, whose
	// ranks have equal parts of them.
	LimitsPerRank bool `toml:"limits_per_rank"`

	// BatchLimits are the limits of a batch that are not stated; the first that hold for
	// the accelerator count.
	BatchLimits []BatchLimits `toml:"batch_limits"`

	ColdStart ColdStart `toml:"cold_start"` // with sources of its own

	// Sources says for each parameter where its value comes from.
	Sources   map[string]string `toml:"sources"`
	Estimated []string          `toml:"estimated"` // parameters that rest on no measurement
	Date      string            `toml:"date"`
}

// RequestTime is the front-end's time for a request:
// RequestFixed + RequestPerPromptToken*promptTokens.
func (e *Engine) RequestTime(promptTokens int) units.Seconds {
	return e.RequestFixed + e.RequestPerPromptToken*units.Seconds(promptTokens)
}

// SpeculationTime is the host's time for the proposals of a number of sequences, but
// for the launches of the proposer's passes.
func (e *Engine) SpeculationTime(sequences int) units.Seconds {
	if e.SpeculationSequences > 0 {
		sequences = min(sequences, e.SpeculationSequences)
	}
	return e.SpeculationStep + e.SpeculationPerSequence*units.Seconds(sequences)
}

// EstimatedBesideSteps names the estimated parameters that matter where the times
// of steps are measured, those of the front end and of memory; none is nil.
func (e *Engine) EstimatedBesideSteps() []string {
	var keys []string
	for _, key := range e.Estimated {
		if strings.HasPrefix(key, "request_") || slices.Contains(besideSteps, key) {
			keys = append(keys, key)
		}
	}
	if keys == nil {
		return nil
	}
	return []string{"engine " + e.Name + ": " + strings.Join(keys, ", ")}
}

// besideSteps are the parameters that no step depends on, front end apart.
var besideSteps = []string{"async_scheduling", "memory_reserve", "activation_hidden", "activation_wide", "logit_bytes"}

// LaunchFloorOn is the launch floor per layer on an accelerator's host.
func (e *Engine) LaunchFloorOn(a *Accelerator) units.Seconds {
	if t, ok := e.LaunchFloorByArchitecture[strings.ToLower(a.Architecture)]; ok {
		return t
	}
	return e.LaunchFloor
}

// Validate refuses an expert imbalance below 1, one of balanced experts, a size of micro-batches where there are none,
// accelerators without limits of a batch, a library of collectives without constants, and unknown storage.
func (e *Engine) Validate() error {
	if e.ExpertImbalance < 1 {
		return &badinput.Error{Key: "expert_imbalance", Value: e.ExpertImbalance, Problem: "the busiest is below the mean", Allowed: "1 or more"}
	}
	if e.BalancedExperts && e.ExpertImbalance > 1 {
		return &badinput.Error{Key: "expert_imbalance", Value: e.ExpertImbalance, Problem: "balanced_experts says that all are loaded alike", Allowed: "1"}
	}
	if e.MicroBatchOverlap == "none" && e.MicroBatchTokens > 0 {
		return &badinput.Error{Key: "micro_batch_tokens", Value: e.MicroBatchTokens, Problem: "steps are computed in one piece",
			Allowed: `0, or micro_batch_overlap = "exchanges", "all" or "shared"`}
	}
	if e.MicroBatchOverlap != "none" && e.FusedSums {
		return &badinput.Error{Key: "fused_sums", Value: e.FusedSums, Problem: "not supported yet with micro_batch_overlap", Allowed: "false"}
	}
	if err := e.checkBatchLimits(); err != nil {
		return err
	}
	if err := e.ColdStart.Validate(); err != nil {
		return badinput.Under("cold_start", err)
	}
	rows, err := collectives(AllReduce)
	if err != nil {
		return err
	}
	var libraries []string
	for _, r := range rows {
		if !slices.Contains(libraries, r.Library) {
			libraries = append(libraries, r.Library)
		}
	}
	if !slices.Contains(libraries, e.AllReduce) {
		return &badinput.Error{Key: "all_reduce", Value: e.AllReduce, Problem: "no such library was measured",
			Allowed: "one of " + strings.Join(libraries, ", "), Nearest: badinput.Nearest(e.AllReduce, libraries)}
	}
	return nil
}

var engineFiles = catalog.NewFolder(catalogFiles, "catalog/engines/*.toml", func(e *Engine) error {
	if e.ComputeEfficiency <= 0 || e.ComputeEfficiency > 1 || e.MemoryEfficiency <= 0 || e.MemoryEfficiency > 1 {
		return fmt.Errorf("engine %s: kernel efficiencies must be in (0, 1]", e.Name)
	}
	if err := e.Validate(); err != nil {
		return fmt.Errorf("engine %s: %w", e.Name, err)
	}
	return nil
})

// engines are the profiles of the catalog, in alphabetical order.
func engines() ([]Engine, error) {
	all, err := engineFiles.All()
	slices.SortFunc(all, func(a, b Engine) int { return strings.Compare(a.Name, b.Name) })
	return all, err
}

// Engines lists the names of the engine profiles in alphabetical order.
func Engines() []string {
	return catalog.Names(engines, func(x *Engine) string { return x.Name })
}

// LookupEngine returns the profile of that name, without regard to case, or the
// one in a file when the name is a path.
func LookupEngine(name string) (Engine, error) {
	wanted := strings.ToLower(strings.TrimSpace(name))
	named, err := engineFiles.With(fmt.Sprintf("name = %q", wanted))
	for _, e := range named {
		if e.Name == wanted {
			return e, nil
		}
	}
	if err != nil {
		return Engine{}, err
	}
	if IsProfilePath(name) {
		return LoadEngine(name)
	}
	return Engine{}, &badinput.Error{Key: "engine", Value: name, Problem: "unknown engine",
		Allowed: "one of " + strings.Join(Engines(), ", "), Nearest: badinput.Nearest(name, Engines())}
}
