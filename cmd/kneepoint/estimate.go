package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"kneepoint/hardware"
	"kneepoint/hardware/estimate"
	"kneepoint/hardware/model"
	"kneepoint/hardware/roofline"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// estimateFlags are the flags of estimate.
type estimateFlags struct {
	model, accelerator, engine string
	weights, activations, kv   string
	tp, pp, dp, ep             int
	cpuOffloadGB               float64
	maxModelLen, maxNumSeqs    int
	memoryUtilization          float64
	question                   estimate.Question
	ttftMS, tpotMS             float64
	loadBandwidth              string
	json                       bool
}

func newEstimate() *cobra.Command {
	var flags estimateFlags
	cmd := &cobra.Command{
		Use:   "estimate --model NAME --accelerator NAME",
		Short: "Estimate a deployment without a simulation: does it fit, how fast, how many, at what cost",
		Long: `Estimate asks the cost model alone: does the model fit, how many users does the KV
cache hold, what are TTFT and TPOT at least and in practice, where does the time
go, how large may the batch be, what does a token cost, and how long does a cold
start take. Nothing is simulated, so nothing waits in a queue; use run for traffic.`,
		Example: `  kneepoint estimate --model llama-3.1-70b --accelerator h100-sxm --tp 4 --prompt 1024 --output 256
  kneepoint estimate --model llama-3.1-8b --accelerator l4 --weights int4 --slo-tpot-ms 50
  kneepoint estimate --model qwen2.5-7b --accelerator apple-m4-max --weights int4
  kneepoint estimate --model llama-3.1-405b --accelerator h100-sxm --tp 8 --pp 2 --batch 64
  kneepoint estimate --model llama-3.1-8b --accelerator h100-sxm --batch 64 --json | jq .decode.operators`,
		Args: exactly(0, "no arguments but flags"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("max-num-seqs") {
				flags.maxNumSeqs = max(flags.maxNumSeqs, flags.question.Batch)
			}
			return printEstimate(cmd.OutOrStdout(), &flags)
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.model, "model", "", "model, as model.name in an experiment")
	f.StringVar(&flags.accelerator, "accelerator", "", "accelerator, as hardware.accelerator")
	f.IntVar(&flags.question.Prompt, "prompt", 1024, "prompt tokens")
	f.IntVar(&flags.question.Output, "output", 256, "output tokens")
	f.IntVar(&flags.question.Batch, "batch", 1, "sequences served at a time")
	f.IntVar(&flags.question.Context, "context", 0, "tokens of the conversation so far that are in the KV cache when the prompt comes")
	f.IntVar(&flags.tp, "tp", 1, "tensor parallelism")
	f.IntVar(&flags.pp, "pp", 1, "pipeline parallelism")
	f.IntVar(&flags.dp, "dp", 1, "attention data parallelism")
	f.IntVar(&flags.ep, "ep", 1, "expert parallelism")
	f.StringVar(&flags.weights, "weights", "", "precision of the weights (default bf16, or fp16 where the accelerator lacks that)")
	f.StringVar(&flags.activations, "activations", "", "compute type (default bf16, or fp16 where the accelerator lacks that)")
	f.StringVar(&flags.kv, "kv", "", "precision of the KV cache (default bf16, or fp16 where the accelerator lacks that)")
	f.StringVar(&flags.engine, "engine", "vllm-v1", "engine profile: a name or a path")
	f.Float64Var(&flags.memoryUtilization, "gpu-memory-utilization", 0.9, "fraction of the memory that the engine may use")
	f.Float64Var(&flags.cpuOffloadGB, "cpu-offload-gb", 0, "GiB of each accelerator's weights that stay in the host's memory")
	f.IntVar(&flags.maxModelLen, "max-model-len", 0, "longest sequence (default: the model's own)")
	f.IntVar(&flags.maxNumSeqs, "max-num-seqs", 256, "largest batch of the engine")
	f.Float64Var(&flags.ttftMS, "slo-ttft-ms", 0, "objective for the first token")
	f.Float64Var(&flags.tpotMS, "slo-tpot-ms", 0, "objective for every further token")
	f.StringVar(&flags.loadBandwidth, "load-bandwidth", "",
		"where a cold start reads the weights: "+strings.Join(hardware.Storages(), ", ")+`, or a bandwidth like "2GB/s" (default the engine's)`)
	f.BoolVar(&flags.json, "json", false, "print JSON")
	return cmd
}

// printEstimate answers one question.
func printEstimate(w io.Writer, flags *estimateFlags) error {
	if err := flags.check(); err != nil {
		return err
	}
	d, err := flags.deployment()
	if err != nil {
		return asFlag(err)
	}
	m, err := roofline.New(d)
	if err != nil {
		return asFlag(err)
	}
	q, err := flags.asked()
	if err != nil {
		return err
	}
	if err := estimate.Check(m, q); err != nil {
		return asFlag(err)
	}
	report := estimate.Of(m, q)
	if flags.json {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(report)
	}
	var text strings.Builder
	renderEstimate(&text, &report, m.Deployment())
	_, err = io.WriteString(w, text.String())
	return err
}

// check finds what flags cannot mean, before anything is looked up.
func (f *estimateFlags) check() error {
	for _, name := range []struct{ flag, value, catalog string }{{"--model", f.model, "models"}, {"--accelerator", f.accelerator, "accelerators"}} {
		if name.value == "" {
			return &badinput.Error{Key: name.flag, Problem: "missing", Allowed: "a name that `kneepoint list " + name.catalog + "` shows"}
		}
	}
	q := &f.question
	for _, n := range []struct {
		flag         string
		value, least int
	}{
		{"--prompt", q.Prompt, 1}, {"--output", q.Output, 1}, {"--batch", q.Batch, 1}, {"--context", q.Context, 0},
		{"--tp", f.tp, 1}, {"--pp", f.pp, 1}, {"--dp", f.dp, 1}, {"--ep", f.ep, 1}, {"--max-model-len", f.maxModelLen, 0}, {"--max-num-seqs", f.maxNumSeqs, 1},
	} {
		switch {
		case n.value < 0 && n.least == 0:
			return &badinput.Error{Key: n.flag, Value: n.value, Problem: "must not be negative"}
		case n.value < n.least:
			return &badinput.Error{Key: n.flag, Value: n.value, Problem: "must be greater than 0"}
		}
	}
	if u := f.memoryUtilization; !(u > 0 && u <= 1) {
		return &badinput.Error{Key: "--gpu-memory-utilization", Value: u, Problem: "must be greater than 0 and at most 1"}
	}
	for _, o := range []struct {
		flag  string
		value float64
	}{{"--slo-ttft-ms", f.ttftMS}, {"--slo-tpot-ms", f.tpotMS}, {"--cpu-offload-gb", f.cpuOffloadGB}} {
		if !(o.value >= 0) || math.IsInf(o.value, 0) {
			return &badinput.Error{Key: o.flag, Value: o.value, Problem: "must be a finite number, not negative"}
		}
	}
	if q.Batch > f.maxNumSeqs {
		return &badinput.Error{Key: "--batch", Value: q.Batch, Problem: "more than --max-num-seqs", Allowed: fmt.Sprintf("1 to %d", f.maxNumSeqs)}
	}
	return nil
}

// asked is the question of the flags, in SI units.
func (f *estimateFlags) asked() (estimate.Question, error) {
	q := f.question
	q.TTFT, q.TPOT = units.Seconds(f.ttftMS*1e-3), units.Seconds(f.tpotMS*1e-3)
	if f.loadBandwidth == "" {
		return q, nil
	}
	var err error
	q.Load, err = hardware.ParseStorage(f.loadBandwidth)
	return q, asFlag(badinput.At("load-bandwidth", err))
}

// deployment looks up what the flags name.
func (f *estimateFlags) deployment() (roofline.Deployment, error) {
	d := roofline.Deployment{TP: f.tp, PP: f.pp, DP: f.dp, EP: f.ep, CPUOffload: units.Bytes(f.cpuOffloadGB * (1 << 30)), GPUMemoryUtilization: f.memoryUtilization,
		MaxModelLen: f.maxModelLen, MaxNumSeqs: f.maxNumSeqs}
	var err error
	if d.Architecture, err = model.Lookup(f.model); err != nil {
		return d, badinput.At("model", err)
	}
	if d.Accelerator, err = hardware.LookupAccelerator(f.accelerator); err != nil {
		return d, err
	}
	if d.Engine, err = hardware.LookupEngine(f.engine); err != nil {
		return d, err
	}
	for _, p := range []struct {
		key, name string
		into      *hardware.Precision
	}{{"weights", f.weights, &d.Weights}, {"activations", f.activations, &d.Activations}, {"kv", f.kv, &d.KV}} {
		if p.name == "" {
			*p.into = halfPrecision(&d.Accelerator)
		} else if *p.into, err = hardware.ParsePrecision(p.name); err != nil {
			return d, badinput.At(p.key, err)
		}
	}
	return d, nil
}

// halfPrecision is the 16-bit type in which models are run on an accelerator.
func halfPrecision(a *hardware.Accelerator) hardware.Precision {
	if a.Peak(hardware.BF16) == 0 && a.Peak(hardware.FP16) > 0 {
		return hardware.FP16
	}
	return hardware.BF16
}

// asFlag names the flag whose value is wrong, where the error names a key of an
// experiment: "hardware.tp" is "--tp".
func asFlag(err error) error {
	bad, ok := err.(*badinput.Error)
	if !ok {
		return err
	}
	flag := *bad
	flag.Key = "--" + strings.ReplaceAll(bad.Key[strings.LastIndex(bad.Key, ".")+1:], "_", "-")
	return &flag
}
