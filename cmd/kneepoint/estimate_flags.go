package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/pflag"

	"kneepoint/hardware"
	"kneepoint/hardware/estimate"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// estimateFlags are the flags of estimate, in the units in which people write them.
type estimateFlags struct {
	model, accelerator, engine string
	weights, activations, kv   string // precisions; "": those that follow from the model and the accelerator
	otherWeights               string // likewise
	expertSkew                 float64
	tp, pp, dp, ep             int
	cpuOffloadGB               float64 // GiB, by vLLM's name
	maxModelLen, maxNumSeqs    int     // tokens (0: the model's own), requests
	memoryUtilization          float64 // share of the memory
	powerCapW                  float64 // of each accelerator; 0: its TDP
	question                   estimate.Question
	ttftMS, tpotMS             float64 // 0: no objective
	loadBandwidth              string  // "": the engine's own
	basis                      string  // of prices: a name or a path
	prices                     []string
	plot                       string // folder of figures; "": none
	figure                     figureFlags
	json                       bool
}

// declare gives the flags their names, defaults and help. They are called like the
// keys of an experiment, or like vLLM's flags where there are such.
func (f *estimateFlags) declare(set *pflag.FlagSet) {
	set.StringVar(&f.model, "model", "", "model, as model.name in an experiment")
	set.StringVar(&f.accelerator, "accelerator", "", "accelerator, as hardware.accelerator, or a TOML file with what [hardware.custom] holds")
	intVar(set, &f.question.Prompt, "prompt", 1024, "prompt tokens")
	intVar(set, &f.question.Output, "output", 256, "output tokens")
	intVar(set, &f.question.Batch, "batch", 1, "sequences served at a time")
	intVar(set, &f.question.Context, "context", 0, "tokens of the conversation so far that are in the KV cache when the prompt comes")
	intVar(set, &f.tp, "tp", 1, "tensor parallelism")
	intVar(set, &f.pp, "pp", 1, "pipeline parallelism")
	intVar(set, &f.dp, "dp", 1, "attention data parallelism")
	intVar(set, &f.ep, "ep", 1, "expert parallelism")
	set.StringVar(&f.weights, "weights", "", "precision of the weights (default the checkpoint's: mostly 16 bits)")
	set.StringVar(&f.activations, "activations", "", "compute type (default that of the checkpoint's weights, where the accelerator has it: mostly 16 bits)")
	set.StringVar(&f.kv, "kv", "", "precision of the KV cache (default 16 bits)")
	set.StringVar(&f.otherWeights, "other-weights", "", "precision of the weights that quantization leaves alone, as model.other_weights (default 16 bits)")
	floatVar(set, &f.expertSkew, "expert-skew", 0, "how unlike the loads of a mixture's experts are, as model.expert_skew (default 0: as the measured kernels have it)")
	set.StringVar(&f.engine, "engine", "vllm-v1", "engine profile: a name or a path")
	floatVar(set, &f.memoryUtilization, "gpu-memory-utilization", 0.9, "fraction of the memory that the engine may use")
	floatVar(set, &f.cpuOffloadGB, "cpu-offload-gb", 0, "GiB of each accelerator's weights that stay in the host's memory")
	floatVar(set, &f.powerCapW, "power-cap-w", 0, "W that each accelerator may draw, as hardware.power_cap_w (default its TDP)")
	intVar(set, &f.maxModelLen, "max-model-len", 0, "longest sequence (default: the model's own)")
	intVar(set, &f.maxNumSeqs, "max-num-seqs", 0, "largest batch of the engine (default: its own on the accelerator)")
	floatVar(set, &f.ttftMS, "slo-ttft-ms", 0, "objective for the first token")
	floatVar(set, &f.tpotMS, "slo-tpot-ms", 0, "objective for every further token")
	set.StringVar(&f.loadBandwidth, "load-bandwidth", "",
		"where a cold start reads the weights: "+strings.Join(hardware.Storages(), ", ")+`, or a bandwidth like "2GB/s" (default the engine's)`)
	set.StringVar(&f.basis, "prices", hardware.DefaultPriceBasis, "basis of prices: a name that kneepoint list prices shows, or a path")
	set.StringArrayVar(&f.prices, "price", nil, "price of an accelerator in $/h instead: NAME=USD; may be repeated")
	set.StringVar(&f.plot, "plot", "", "draw roofline and memory into a folder of figures")
	f.figure.declareLook(set)
	set.BoolVar(&f.json, "json", false, "print JSON")
}

// check finds what flags cannot mean, before anything is looked up: a message about
// a flag is clearer than one about what would come of it.
func (f *estimateFlags) check() error {
	for _, check := range []func() error{f.checkNames, f.checkWholeNumbers, f.checkNumbers} {
		if err := check(); err != nil {
			return err
		}
	}
	if f.maxNumSeqs > 0 && f.question.Batch > f.maxNumSeqs {
		return &badinput.Error{
			Key:     "--batch",
			Value:   f.question.Batch,
			Problem: "more than --max-num-seqs",
			Allowed: fmt.Sprintf("1 to %d", f.maxNumSeqs),
		}
	}
	return nil
}

// checkNames demands the flags that have no default: no model or accelerator is
// more usual than the others.
func (f *estimateFlags) checkNames() error {
	for _, name := range []struct{ flag, value, catalog string }{
		{"--model", f.model, "models"}, {"--accelerator", f.accelerator, "accelerators"},
	} {
		if name.value == "" {
			return &badinput.Error{Key: name.flag, Problem: "missing", Allowed: "a name that `kneepoint list " + name.catalog + "` shows"}
		}
	}
	return nil
}

// checkWholeNumbers demands at least 1 of what is counted, and at least 0 where 0
// means that there is none, or the default.
func (f *estimateFlags) checkWholeNumbers() error {
	q := &f.question
	for _, n := range []struct {
		flag         string
		value, least int
	}{
		{"--prompt", q.Prompt, 1}, {"--output", q.Output, 1}, {"--batch", q.Batch, 1}, {"--context", q.Context, 0},
		{"--tp", f.tp, 1}, {"--pp", f.pp, 1}, {"--dp", f.dp, 1}, {"--ep", f.ep, 1},
		{"--max-model-len", f.maxModelLen, 0}, {"--max-num-seqs", f.maxNumSeqs, 0},
	} {
		switch {
		case n.value < 0 && n.least == 0:
			return &badinput.Error{Key: n.flag, Value: n.value, Problem: "must not be negative"}
		case n.value < n.least:
			return &badinput.Error{Key: n.flag, Value: n.value, Problem: "must be greater than 0"}
		}
	}
	return nil
}

// checkZeros refuses 0 where a flag that is left out means the default, or no objective: who writes it means something else.
func (f *estimateFlags) checkZeros(set *pflag.FlagSet) error {
	for _, x := range []struct {
		flag  string
		value float64
	}{
		{"max-model-len", float64(f.maxModelLen)}, {"max-num-seqs", float64(f.maxNumSeqs)},
		{"slo-ttft-ms", f.ttftMS}, {"slo-tpot-ms", f.tpotMS}, {"power-cap-w", f.powerCapW},
	} {
		if x.value == 0 && set.Changed(x.flag) {
			return &badinput.Error{Key: "--" + x.flag, Value: 0, Problem: "must be greater than 0"}
		}
	}
	return nil
}

// checkNumbers refuses NaN with the other values that no number can be compared
// with: hence the conditions are of what is right, negated.
func (f *estimateFlags) checkNumbers() error {
	if u := f.memoryUtilization; !(u > 0 && u <= 1) {
		return &badinput.Error{Key: "--gpu-memory-utilization", Value: u, Problem: "must be greater than 0 and at most 1"}
	}
	for _, x := range []struct {
		flag  string
		value float64
	}{{"--slo-ttft-ms", f.ttftMS}, {"--slo-tpot-ms", f.tpotMS}, {"--cpu-offload-gb", f.cpuOffloadGB}, {"--power-cap-w", f.powerCapW}, {"--expert-skew", f.expertSkew}} {
		if !(x.value >= 0) || math.IsInf(x.value, 0) {
			return &badinput.Error{Key: x.flag, Value: x.value, Problem: "must be a finite number, not negative"}
		}
		if problem, allowed := units.OutOfRange(x.value); problem != "" {
			return &badinput.Error{Key: x.flag, Value: x.value, Problem: problem, Allowed: allowed}
		}
	}
	return nil
}
