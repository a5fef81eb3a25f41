package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagCase is a command line, and a flag that is added to it.
type flagCase struct {
	without []string
	flag    []string
}

// What command lines have in common.
var (
	runSearched = []string{"run", "small.toml", "--set", "workload.num_requests=4"}
	runWithAll  = with(runSearched, "--no-search")
	runSmall    = with(runWithAll, "--quiet", "--no-figures")
	kneeBrief   = []string{"knee", "small.toml", "--set", "workload.duration=1s", "--set", "search.tolerance=0.3"}
	kneeLoud    = with(kneeBrief, "--json")
	kneeDrawn   = []string{"knee", "small.toml", "--quiet", "--set", "search.metric=mean_ttft_ms", "--set", "search.over=static",
		"--set", "search.load=workload.arrival.rate", "--set", "search.min=1", "--set", "search.max=4", "--set", "search.tolerance=0.5"}
	planBrief = []string{"plan", "small.toml", "--set", "sweep={}", "--set", "plan.objective=accelerators",
		"--set", `candidate=[{strategies=["continuous"], "hardware.tp"=[1, 2]}]`}
	planLoud      = with(planBrief, "--json")
	planSmall     = with(planLoud, "--quiet")
	planDrawn     = with(planBrief, "--quiet")
	kneeSmall     = with(kneeLoud, "--quiet")
	compareSmall  = []string{"compare", "FOLDER", "static", "continuous"} // FOLDER is one of results
	estimateSmall = []string{"estimate", "--model", "llama-3.1-8b", "--accelerator", "h100-sxm"}
	estimatePlot  = with(estimateSmall, "--plot", "figures")
	estimateMoE   = []string{"estimate", "--model", "mixtral-8x7b", "--accelerator", "h100-sxm", "--tp", "4"}
	validateSmall = []string{"validate", "measured"}
	stepsFit      = []string{"calibrate", "--steps", "steps.csv"}
	benchesFit    = []string{"calibrate", "--bench", "bench.json", "--accelerator", "h100-sxm", "--quiet", "--fit", "request_fixed", "--holdout", "0"}
)

// with is a command line and further arguments.
func with(args []string, more ...string) []string { return slices.Concat(args, more) }

// flagCases are command lines whose output a flag changes, by command and flag.
var flagCases = map[string]flagCase{
	"run --out":        {runSmall, []string{"--out", "other"}},
	"run --set":        {runSmall, []string{"--set", "hardware.tp=2"}},
	"run --price":      {runSmall, []string{"--price", "h100-sxm=2.1"}},
	"run --seed":       {runSmall, []string{"--seed", "2"}},
	"run --metrics":    {runSmall, []string{"--metrics", "streaming"}},
	"run --requests":   {runSmall, []string{"--requests"}},
	"run --vllm":       {runSmall, []string{"--vllm", "benches"}},
	"run --why":        {runSmall, []string{"--why"}},
	"run --verbose":    {runSmall, []string{"--verbose"}},
	"run --json":       {runSmall, []string{"--json"}},
	"run --quiet":      {with(runWithAll, "--no-figures"), []string{"--quiet"}},
	"run --no-search":  {with(runSearched, "--quiet", "--no-figures"), []string{"--no-search"}},
	"run --no-figures": {with(runWithAll, "--quiet"), []string{"--no-figures"}},

	"run --store": {runSmall, []string{"--store", "kept"}},
	"run --shard": {[]string{"run", "small.toml", "--store", "kept"}, []string{"--shard", "1/2"}},

	"run --figure-formats": {with(runWithAll, "--quiet"), []string{"--figure-formats", "pdf"}},
	"run --figure-size":    {with(runWithAll, "--quiet"), []string{"--figure-size", "column"}},
	"run --figure-theme":   {with(runWithAll, "--quiet"), []string{"--figure-theme", "dark"}},
	"run --font":           {with(runWithAll, "--quiet", "--set", "strategy.static.name=ₙ⁺"), []string{"--font", "goregular.ttf"}},

	"knee --out":            {kneeSmall, []string{"--out", "other"}},
	"knee --set":            {kneeSmall, []string{"--set", "hardware.tp=2"}},
	"knee --seed":           {kneeSmall, []string{"--seed", "2"}},
	"knee --json":           {kneeBrief, []string{"--json"}},
	"knee --no-figures":     {kneeDrawn, []string{"--no-figures"}},
	"knee --figure-formats": {kneeDrawn, []string{"--figure-formats", "pdf"}},
	"knee --figure-size":    {kneeDrawn, []string{"--figure-size", "column"}},
	"knee --figure-theme":   {kneeDrawn, []string{"--figure-theme", "dark"}},
	"knee --font":           {with(kneeDrawn, "--set", "strategy.continuous.name=ₙ⁺"), []string{"--font", "goregular.ttf"}},
	"knee --store":          {kneeSmall, []string{"--store", "kept"}},
	"knee --shard":          {[]string{"knee", "small.toml", "--set", "search.tolerance=0.3", "--store", "kept"}, []string{"--shard", "1/2"}},
	"knee --quiet":          {kneeLoud, []string{"--quiet"}},

	"plan --out":     {planSmall, []string{"--out", "other"}},
	"plan --set":     {planSmall, []string{"--set", "model.weights=fp8"}},
	"plan --seed":    {planSmall, []string{"--seed", "2"}},
	"plan --price":   {planSmall, []string{"--price", "h100-sxm=1"}},
	"plan --json":    {planBrief, []string{"--json"}},
	"plan --store":   {planSmall, []string{"--store", "kept"}},
	"plan --shard":   {with(planBrief, "--store", "kept"), []string{"--shard", "1/2"}},
	"plan --what-if": {with(planBrief), []string{"--what-if"}},
	"plan --verbose": {with(planBrief, "--set", "slo.ttft_ms=10"), []string{"--verbose"}},
	"plan --quiet":   {planLoud, []string{"--quiet"}},

	"compare --metric":      {compareSmall, []string{"--metric", "mean_ttft_ms"}},
	"compare --tolerance":   {compareSmall, []string{"--tolerance", "2%"}},
	"compare --json":        {compareSmall, []string{"--json"}},
	"plan --draws":          {planSmall, []string{"--draws", "20"}},
	"plan --no-figures":     {planDrawn, []string{"--no-figures"}},
	"plan --figure-formats": {planDrawn, []string{"--figure-formats", "pdf"}},
	"plan --figure-size":    {planDrawn, []string{"--figure-size", "column"}},
	"plan --figure-theme":   {planDrawn, []string{"--figure-theme", "dark"}},
	"plan --font":           {with(planDrawn, "--set", `candidate=[{name="ₙ⁺", "hardware.tp"=[1, 2]}]`), []string{"--font", "goregular.ttf"}},

	"estimate --model":                  {estimateSmall, []string{"--model", "llama-3.2-1b"}},
	"estimate --accelerator":            {estimateSmall, []string{"--accelerator", "l40s"}},
	"estimate --prompt":                 {estimateSmall, []string{"--prompt", "500"}},
	"estimate --output":                 {estimateSmall, []string{"--output", "500"}},
	"estimate --batch":                  {estimateSmall, []string{"--batch", "2"}},
	"estimate --context":                {estimateSmall, []string{"--context", "500"}},
	"estimate --tp":                     {estimateSmall, []string{"--tp", "2"}},
	"estimate --pp":                     {estimateSmall, []string{"--pp", "2"}},
	"estimate --dp":                     {estimateMoE, []string{"--dp", "2"}},
	"estimate --ep":                     {estimateMoE, []string{"--ep", "2"}},
	"estimate --weights":                {estimateSmall, []string{"--weights", "fp8"}},
	"estimate --activations":            {with(estimateSmall, "--weights", "fp8"), []string{"--activations", "fp8"}},
	"estimate --kv":                     {estimateSmall, []string{"--kv", "fp8"}},
	"estimate --other-weights":          {estimateSmall, []string{"--other-weights", "int8"}},
	"estimate --expert-skew":            {with(estimateMoE, "--batch", "8"), []string{"--expert-skew", "1"}},
	"estimate --engine":                 {estimateSmall, []string{"--engine", "sglang"}},
	"estimate --gpu-memory-utilization": {estimateSmall, []string{"--gpu-memory-utilization", "0.8"}},
	"estimate --cpu-offload-gb":         {estimateSmall, []string{"--cpu-offload-gb", "2"}},
	"estimate --power-cap-w":            {estimateSmall, []string{"--power-cap-w", "350"}},
	"estimate --max-model-len":          {estimateSmall, []string{"--max-model-len", "5000"}},
	"estimate --max-num-seqs":           {with(estimateSmall, "--slo-tpot-ms", "50"), []string{"--max-num-seqs", "3"}},
	"estimate --slo-ttft-ms":            {estimateSmall, []string{"--slo-ttft-ms", "200"}},
	"estimate --slo-tpot-ms":            {estimateSmall, []string{"--slo-tpot-ms", "20"}},
	"estimate --load-bandwidth":         {estimateSmall, []string{"--load-bandwidth", "1GB/s"}},
	"estimate --prices":                 {estimateSmall, []string{"--prices", "purchase"}},
	"estimate --price":                  {estimateSmall, []string{"--price", "h100-sxm=2.1"}},
	"estimate --json":                   {estimateSmall, []string{"--json"}},
	"estimate --plot":                   {estimateSmall, []string{"--plot", "figures"}},
	"estimate --figure-formats":         {estimatePlot, []string{"--figure-formats", "pdf"}},
	"estimate --figure-size":            {estimatePlot, []string{"--figure-size", "column"}},
	"estimate --figure-theme":           {estimatePlot, []string{"--figure-theme", "dark"}},

	"store --store": {[]string{"store"}, []string{"--store", "kept"}},
	"store --prune": {[]string{"store", "--store", "kept"}, []string{"--prune", "1GB"}},

	"init --goal":               {[]string{"init"}, []string{"--goal", "chat"}},
	"list --json":               {[]string{"list", "models"}, []string{"--json"}},
	"validate --held-out":       {validateSmall, []string{"--held-out"}},
	"validate --json":           {validateSmall, []string{"--json"}},
	"validate --plot":           {validateSmall, []string{"--plot", "figures"}},
	"validate --figure-formats": {with(validateSmall, "--plot", "figures"), []string{"--figure-formats", "pdf"}},
	"validate --figure-size":    {with(validateSmall, "--plot", "figures"), []string{"--figure-size", "column"}},
	"validate --figure-theme":   {with(validateSmall, "--plot", "figures"), []string{"--figure-theme", "dark"}},

	"calibrate --steps":       {[]string{"calibrate"}, stepsFit[1:]},
	"calibrate --holdout":     {stepsFit, []string{"--holdout", "0.4"}},
	"calibrate --out":         {stepsFit, []string{"--out", "profile.toml"}},
	"calibrate --quiet":       {stepsFit, []string{"--quiet"}},
	"calibrate --bench":       {[]string{"calibrate"}, benchesFit[1:]},
	"calibrate --accelerator": {benchesFit, []string{"--accelerator", "a100-sxm-80"}},
	"calibrate --model":       {benchesFit, []string{"--model", "llama-3.2-1b"}},
	"calibrate --tp":          {benchesFit, []string{"--tp", "2"}},
	"calibrate --engine":      {benchesFit, []string{"--engine", "sglang"}},
	"calibrate --set":         {benchesFit, []string{"--set", "model.weights=fp8"}},
	"calibrate --fit":         {benchesFit, []string{"--fit", "step_cpu"}},
}

// sameOutput are flags that must not change what a test sees, and why.
var sameOutput = map[string]string{
	"run --workers":       "results do not depend on how many are simulated at a time",
	"validate --workers":  "likewise",
	"knee --workers":      "likewise",
	"knee --no-store":     "these tests keep nothing",
	"calibrate --workers": "likewise",
	"run --engine":        "the reference gives the same results",
	"run --no-store":      "these tests keep nothing",
	"gather --store":      "the same runs are the same results wherever they are kept",
	"run --no-color":      "there is colour on a terminal alone",
	"knee --no-color":     "likewise",
	"plan --workers":      "likewise",
	"plan --no-store":     "these tests keep nothing",
	"plan --no-color":     "likewise",
	"compare --no-color":  "likewise",
	"validate --quiet":    "what takes less than a second shows no progress",
}

// TestEveryFlagHasAnEffect walks the flags of all commands, and adds each to a command
// line: what is printed or written changes. A flag that has no case, such as a new one,
// is an error.
func TestEveryFlagHasAnEffect(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "kept") // has what gather asks for
	folder := t.TempDir()
	t.Chdir(folder)
	writeInputs(t, ".")
	if status, _, stderr := command(t, with(runSmall, "--store", kept)...); status != exitDone {
		t.Fatal(stderr)
	}
	maps.Copy(flagCases, reproduceCases)
	maps.Copy(sameOutput, reproduceSame)
	seen, ran := map[string]bool{}, map[string]string{}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.InitDefaultHelpFlag()
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			name := strings.TrimPrefix(cmd.CommandPath()+" --"+f.Name, "kneepoint ")
			seen[name] = true
			if strings.Contains(f.Usage, "`") {
				t.Errorf("%s: %q has back quotes, in which the help looks for the kind of the value", name, f.Usage)
			}
			c, there := flagCases[name]
			why, same := sameOutput[name]
			switch shared, isGather := strings.CutPrefix(name, "gather "); {
			case there && c.without[0] == "compare":
				c.without = with([]string{"compare", filepath.Join(folder, "results", "small")}, c.without[2:]...)
			case there && c.without[0] == "store":
				c.without, c.flag = inKept(c.without, kept), inKept(c.flag, kept)
			case isGather && f.Name != "help" && !same: // its flags are some of run's
				c, there = flagCases["run "+shared]
				c.without = with([]string{"gather"}, c.without[min(1, len(c.without)):]...)
			case f.Name == "help":
				c, there = flagCase{helped(name), []string{"--help"}}, cmd.HasParent()
			case there == same:
				t.Errorf("%s has no case, or two", name)
			case same:
				t.Logf("%s: %s", name, why)
			}
			if there {
				t.Run(name, func(t *testing.T) {
					if c.without[0] == "gather" {
						t.Setenv(storeVariable, kept)
					}
					c.check(t, ran)
				})
			}
		})
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(newRoot())
	for name := range flagCases {
		if !seen[name] {
			t.Errorf("there is no %s", name)
		}
	}
}

// helped is what --help is added to of a flag's name, "run --help". A reproduce that
// names nothing runs every paper.
func helped(name string) []string {
	if verb := strings.Fields(name)[:1]; verb[0] != "reproduce" {
		return verb
	}
	return reproduceQuiet
}

// inKept names a store that is there, instead of one that is not.
func inKept(args []string, kept string) []string {
	args = slices.Clone(args)
	for i, a := range args {
		if a == "kept" {
			args[i] = kept
		}
	}
	return args
}

// check runs both command lines, each in a folder of its own. Many cases share the
// one without the flag: ran has what was seen of those that ran.
func (c flagCase) check(t *testing.T, ran map[string]string) {
	line := strings.Join(c.without, " ")
	if _, there := ran[line]; !there {
		ran[line] = seenOf(t, c.without)
	}
	before := ran[line]
	after := seenOf(t, slices.Concat(c.without, c.flag))
	if before == after {
		t.Errorf("%v after %v changes nothing", c.flag, c.without)
	}
	missing := strings.Contains(after, "runs are missing") // gather finds what it was asked for, and not other runs
	if strings.HasPrefix(after, "status 3") || strings.HasPrefix(after, "status 2") && !missing {
		t.Errorf("%v after %v: %.300s", c.flag, c.without, after)
	}
}

// seenOf is all that a user sees of a command line: its status, what it prints, and the
// files that it writes.
func seenOf(t *testing.T, args []string) string {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	writeInputs(t, dir)
	var stdout, stderr bytes.Buffer
	status := execute(t.Context(), args, &stdout, &stderr)
	text := fmt.Sprintf("status %d\n%s\n%s\n", status, &stdout, &stderr)
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		text += fmt.Sprintf("%s\n%s\n", strings.TrimPrefix(path, dir), content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// timedSteps are steps that a profile can be fitted to.
const timedSteps = `prefill_tokens,prefill_context,decode_sequences,decode_context_tokens,time_ms
128,0,0,0,18.4
512,0,0,0,38.1
2048,0,0,0,122.8
1024 256,0 3000,0,0,81.3
4000,4000,0,0,308.1
0,0,1,200,9.05
0,0,4,9000,10.1
0,0,16,4000,9.8
0,0,32,64000,16.3
0,0,64,32000,14.1
0,0,128,300000,42.9
0,0,256,100000,26.7
512,0,8,4000,38.8
1500,500,64,90000,105.4
100 900,0 0,200,150000,84.6
`

// sourceFolder is the package's own, where tests start.
var sourceFolder, _ = os.Getwd()
