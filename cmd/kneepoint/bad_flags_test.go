package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// badFlags are misspelled flags of every command, and values that their flags may not
// have.
func badFlags() []badInput {
	bases := map[string][]string{"run": {"run", "small.toml"}, "estimate": estimateSmall, "list": {"list", "models"}, "show": {"show", "h100-sxm"},
		"init": {"init", "new.toml"}, "validate": {"validate", "measured"}, "calibrate": benchesFit}
	var all []badInput
	for _, cmd := range newRoot().Commands() {
		base, there := bases[cmd.Name()]
		if !there {
			continue
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" {
				all = append(all, badValues(cmd, base, f)...)
			}
		})
		for _, more := range []string{"x", "a\nb"} {
			all = append(all, badInput{cmd.Name() + " with another argument", with(base, "x", more), nil, []string{cmd.Name()}})
		}
	}
	return all
}

// badValues are misspellings and values of one flag.
func badValues(cmd *cobra.Command, base []string, f *pflag.Flag) []badInput {
	var all []badInput
	add := func(value string, says ...string) {
		name := fmt.Sprintf("%s --%s=%s", cmd.Name(), f.Name, value)
		all = append(all, badInput{name, with(base, "--"+f.Name+"="+value), nil, append([]string{"--" + f.Name}, says...)})
	}
	if len(f.Name) > 3 {
		other := misspell(f.Name)
		all = append(all, badInput{cmd.Name() + " --" + other, with(base, "--"+other), nil, []string{"--" + other, `did you mean "--`}})
	}
	numbers := []string{"many", "", "1_0", "0x10", "+1", "Inf", "nan", "1 0", "1e999"}
	switch f.Value.Type() {
	case "int", "uint64":
		for _, v := range append(numbers, "1.5", "1e3", "99999999999999999999") {
			add(v, fmt.Sprintf("%q", v), "a whole number")
		}
		add("-1", "-1", "must|whole")
	case "float64":
		for _, v := range numbers {
			add(v, fmt.Sprintf("%q", v), "a number")
		}
		add("-1", "-1", "")
	case "bool":
		for _, v := range []string{"maybe", "", "2"} {
			add(v, fmt.Sprintf("%q", v), "true or false")
		}
	case "I/N":
		for _, v := range []string{"a\x1b[2J", "", "1", "0/2", "3/2", "1/2/3", "-1/2"} {
			add(v, fmt.Sprintf("%q", v), "I/N|1 to")
		}
	default:
		if f.Name != "set" {
			add("a\x1b[2J", `a\x1b[2J`, "one line")
		}
	}
	return all
}

// badNames are names of flags that are not known, or misspelled, or contradict others.
func badNames() []badInput {
	var all []badInput
	for _, c := range []struct {
		args []string
		says string
	}{
		{with(estimateSmall, "--model", ""), "--model"},
		{with(estimateSmall, "--model", "lama-3.1-8b"), `--model = "lama-3.1-8b"#did you mean "llama-3.1-8b"`},
		{with(estimateSmall, "--accelerator", ""), "--accelerator"},
		{with(estimateSmall, "--accelerator", "h100-sxn"), `--accelerator = "h100-sxn"#did you mean "h100-sxm"`},
		{with(estimateSmall, "--accelerator", "groq-lpu"), `--accelerator = "groq-lpu"#on-chip memory`},
		{with(estimateSmall, "--accelerator", "nowhere.toml"), `--accelerator = "nowhere.toml"#cannot be read`},
		{with(estimateSmall, "--engine", "vlm-v1"), `--engine = "vlm-v1"#did you mean "vllm-v1"`},
		{with(estimateSmall, "--engine", ""), "--engine"},
		{with(estimateSmall, "--weights", "bf61"), `--weights = "bf61"#did you mean "bf16"`},
		{with(estimateSmall, "--activations", "int4"), `--activations = "int4"`},
		{with(estimateSmall, "--kv", "fp88"), `--kv = "fp88"#did you mean "fp8"`},
		{with(estimateSmall, "--other-weights", "int9"), `--other-weights = "int9"#did you mean "int8"`},
		{with(estimateSmall, "--expert-skew", "1"), "--expert-skew = 1#has no experts"},
		{with(estimateMoE, "--expert-skew", "2"), "--expert-skew = 2#less than 1.73"},
		{with(estimateMoE, "--expert-skew", "-1"), "--expert-skew = -1#not negative"},
		{with(estimateSmall, "--load-bandwidth", "nvm"), `--load-bandwidth = "nvm"#did you mean "nvme"`},
		{with(estimateSmall, "--load-bandwidth", "-1GB/s"), `--load-bandwidth = "-1GB/s"`},
		{with(estimateSmall, "--load-bandwidth", "0x1GB/s"), `--load-bandwidth = "0x1GB/s"`},
		{with(estimateSmall, "--tp", "3"), "--tp = 3#allowed: 1, 2, 4, 8"},
		{with(estimateSmall, "--tp", "0"), "--tp = 0#greater than 0"},
		{with(estimateSmall, "--pp", "99"), "--pp = 99#allowed: 1 to 32"},
		{with(estimateSmall, "--dp", "2"), "--dp = 2"},
		{with(estimateSmall, "--ep", "2"), "--ep = 2"},
		{with(estimateSmall, "--max-model-len", "999999999"), "--max-model-len = 999999999"},
		{with(estimateSmall, "--max-model-len", "1"), "--max-model-len|--prompt"},
		{with(estimateSmall, "--prompt", "999999999"), "--prompt = 999999999#at most"},
		{with(estimateSmall, "--output", "999999999"), "999999999#at most"},
		{with(estimateSmall, "--context", "999999999"), "999999999#at most"},
		{with(estimateSmall, "--batch", "999999999"), "--batch = 999999999#allowed: 1 to"},
		{with(estimateSmall, "--cpu-offload-gb", "999"), "--cpu-offload-gb = 999"},
		{with(estimateSmall, "--power-cap-w", "100"), "--power-cap-w = 100#175 to 700 W"},
		{with(estimateSmall, "--power-cap-w", "-1"), "--power-cap-w = -1#not negative"},
		{with(estimateSmall, "--power-cap-w", "0"), "--power-cap-w = 0#greater than 0"},
		{with(estimateSmall, "--max-model-len", "0"), "--max-model-len = 0#greater than 0"},
		{with(estimateSmall, "--max-num-seqs", "0"), "--max-num-seqs = 0#greater than 0"},
		{with(estimateSmall, "--slo-ttft-ms", "0"), "--slo-ttft-ms = 0#greater than 0"},
		{with(estimateSmall, "--slo-tpot-ms", "-0.0"), "--slo-tpot-ms = 0#greater than 0"},
		{with(estimateSmall, "--plot", ""), "--plot#must not be empty"},
		{with(estimateSmall, "--plot", "small.toml"), "--plot#small.toml"},
		{with(estimateSmall, "--plot", "measured"), "--plot#measured#did not write"},
		{with(estimateSmall, "--figure-size", "slide"), "--figure-size#no effect without --plot"},
		{with(estimateSmall, "--plot", "x", "--figure-size", "slid"), `--figure-size = "slid"#did you mean "slide"`},
		{with(estimateSmall, "--gpu-memory-utilization", "2"), "--gpu-memory-utilization = 2#at most 1"},
		{with(estimateSmall, "--gpu-memory-utilization", "0.01"), "--tp|--gpu-memory-utilization"},
		{with(runWithAll, "--engine", "refernce"), `--engine = "refernce"#did you mean "reference"`},
		{with(runWithAll, "--metrics", "streeming"), `--metrics = "streeming"#did you mean "streaming"`},
		{with(runWithAll, "--metrics", "streaming", "--requests"), `--metrics = "streaming"#allowed: exact`},
		{with(runWithAll, "--json", "--why"), "--why#--json"},
		{with(runWithAll, "--figure-formats", "pgn"), `--figure-formats = "pgn"#did you mean "png"`},
		{with(runWithAll, "--figure-formats", "none"), "one of png, svg, pdf"},
		{with(runWithAll, "--figure-formats", ""), "--figure-formats#one of png, svg, pdf"},
		{with(runWithAll, "--figure-formats", "png,svg,"), "--figure-formats#one of png, svg, pdf"},
		{with(runWithAll, "--figure-formats", "png,png"), "--figure-formats#png stands twice"},
		{with(runWithAll, "--figure-formats", "pdf", "--no-figures"), "--figure-formats#no effect with --no-figures"},
		{with(runWithAll, "--figure-size", "colum"), `--figure-size = "colum"#did you mean "column"`},
		{with(runWithAll, "--figure-size", "slide", "--json"), "--figure-size#no effect with --json"},
		{with(runWithAll, "--figure-theme", "drak"), `--figure-theme = "drak"#did you mean "dark"`},
		{with(runWithAll, "--font", "none.ttf"), "--font#none.ttf#no such file"},
		{with(runWithAll, "--font", "small.toml"), "--font#small.toml#is no font#TTF"},
		{with(runWithAll, "--font", "measured"), "--font#measured#directory"},
		{with(runWithAll, "--font", "/dev/zero"), "--font#/dev/zero#larger than 64 MiB"},
		{with(runWithAll, "--out", ""), "--out"},
		{with(runWithAll, "--out", "small.toml"), "small.toml"},
		{with(runWithAll, "--out", "small.toml/x"), "small.toml"},
		{with(runWithAll, "--out", "measured"), "measured"},
		{with(runWithAll, "--set", ""), `--set = ""#KEY=VALUE`},
		{with(runWithAll, "--set", "=3"), "--set#KEY=VALUE"},
		{with(runWithAll, "--set", "a"), "--set#KEY=VALUE"},
		{with(runWithAll, "--set", "seed=1\nseed=2"), "--set#once for each key"},
		{with(runWithAll, "--seed", "9007199254740993"), "seed#2^53"},
		{[]string{"run"}, "run needs an experiment"},
		{[]string{"run", "small.tom"}, "small.tom#allowed"},
		{[]string{"run", "quickstrat"}, `did you mean "quickstart"`},
		{[]string{"rnu", "small.toml"}, `"rnu"#did you mean "run"`},
		{[]string{"estimat"}, `"estimat"#did you mean "estimate"`},
		{[]string{"plan", "x"}, `x#no such file`},
		{[]string{"help", "rnu"}, `"rnu"#did you mean "run"`},
		{[]string{"list", "modles"}, `"modles"#did you mean "models"`},
		{[]string{"show", "h100-sxn"}, `"h100-sxn"#did you mean "h100-sxm"`},
		{[]string{"init", "small.toml"}, "small.toml#exists already"},
		{[]string{"init", "nowhere/x.toml"}, "nowhere/x.toml#cannot be written"},
		{[]string{"validate"}, "validate needs"},
		{[]string{"validate", "nowhere"}, "nowhere#holds no measurements"},
		{[]string{"calibrate"}, "--steps FILE or --bench FILE"},
		{with(stepsFit, "--bench", "bench.json"), "one kind"},
		{with(stepsFit, "--holdout", "0.8"), "--holdout = 0.8#0 to 0.5"},
		{with(stepsFit, "--out", "small.toml"), `--out = "small.toml"#a new file`},
		{with(stepsFit, "--out", "nowhere/x"), `--out = "nowhere/x"#folder`},
		{with(stepsFit, "--tp", "2"), "--tp#no effect with --steps"},
		{with(benchesFit, "--fit", "step_gpu"), `--fit = "step_gpu"#did you mean "step_cpu"`},
		{with(benchesFit, "--fit", "request_fixed"), "--fit#twice"},
		{with(benchesFit, "--accelerator", "h100-sxn"), `--accelerator = "h100-sxn"#did you mean "h100-sxm"`},
		{with(benchesFit, "--model", "lama-3.1-8b"), `--model = "lama-3.1-8b"#did you mean "llama-3.1-8b"`},
		{with(benchesFit, "--engine", "vlm-v1"), `engine = "vlm-v1"#did you mean "vllm-v1"`},
		{with(benchesFit, "--set", "seed=2"), "--set#model.KEY"},
		{with(benchesFit, "--set", "hardware.tp=2"), "--set#--tp"},
		{with(benchesFit, "--set", "hardware.kv_tokns=2"), `hardware.kv_tokns#did you mean "kv_tokens"`},
		{with(benchesFit, "--tp", "3"), "hardware.tp = 3|--tp = 3#allowed: 1, 2, 4, 8"},
	} {
		all = append(all, badInput{strings.Join(c.args, " "), c.args, nil, strings.Split(c.says, "#")})
	}
	return slices.Clip(all)
}
