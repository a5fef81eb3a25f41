package experiments_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments"
	"kneepoint/experiments/results"
	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/units/badinput"
)

// TestEveryKeyHasAnEffect walks the schema of the experiment file and sets each key to
// another value in an experiment in which it means something: results must change, or
// the key be refused where it is written. What is accepted and ignored would be a wrong
// answer with a nice figure. Where a key only labels something, labels says what.
func TestEveryKeyHasAnEffect(t *testing.T) {
	effort.Whole(t)
	keys := map[string]reflect.StructField{}
	schemaKeys("", reflect.TypeFor[experiments.Spec](), keys)
	dir := t.TempDir()
	writeTraces(t, dir)
	all := allEffects(dir)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		e, tried := all[key]
		_, labels := labelKeys[key]
		if keys[key].Tag.Get("later") == "true" {
			continue // refused by the decoder, whatever its value
		}
		switch {
		case tried && labels:
			t.Errorf("%s is a label, and has an effect: one of them is wrong", key)
		case !tried && !labels:
			t.Errorf("%s has no entry in allEffects, and is no label", key)
		case tried:
			t.Run(key, func(t *testing.T) {
				t.Parallel()
				e.check(t)
			})
		}
	}
	for key := range all {
		if _, known := keys[key]; !known {
			t.Errorf("the schema has no key %s", key)
		}
	}
}

// TestKeysOfOtherCostModels sets keys of models and accelerators where the cost model
// knows neither: they are refused, or change results.
func TestKeysOfOtherCostModels(t *testing.T) {
	for name, c := range map[string]struct {
		with   string
		labels []string // say what was measured
	}{
		"synthetic": {synthetic, nil},
		"measured":  {measured, []string{"hardware.tp", "hardware.dp"}},
	} {
		for _, key := range slices.Sorted(maps.Keys(effects)) {
			table, _, _ := strings.Cut(key, ".")
			own := strings.HasPrefix(key, "hardware.synthetic") || strings.HasPrefix(key, "hardware.measured") || strings.HasPrefix(key, "hardware.custom.")
			if table != "model" && table != "hardware" || own || key == "hardware.cost_model" || slices.Contains(c.labels, key) {
				continue
			}
			t.Run(name+" "+key, func(t *testing.T) {
				e := effect{with: c.with, from: effects[key].from, to: effects[key].to}
				before, err := e.outcome(t, e.from)
				if err != nil {
					t.Fatal(err)
				}
				after, err := e.outcome(t, e.to)
				var bad *badinput.Error
				if err == nil && before == after || err != nil && !errors.As(err, &bad) {
					t.Errorf("%s changes no result, and is not refused: %v", e.to, err)
				}
			})
		}
	}
}

// TestDraftWindowIsRefused where the proposer has no keys and values, and where the file
// says what its passes cost.
func TestDraftWindowIsRefused(t *testing.T) {
	for _, with := range []string{guessing, guessing + `; strategy.a.speculation.method="eagle"; ` + synthetic} {
		e := effect{with: with, to: `strategy.a.speculation.draft_window=64`}
		if _, err := e.outcome(t, ""); err != nil {
			t.Fatal(err)
		}
		var bad *badinput.Error
		if _, err := e.outcome(t, e.to); !errors.As(err, &bad) || !strings.HasSuffix(bad.Key, "speculation.draft_window") {
			t.Errorf("with %s: %v", with, err)
		}
	}
}

// TestKeysThatOthersRead: what one strategy or point does not read may stand in the
// tables that all have in common.
func TestKeysThatOthersRead(t *testing.T) {
	for _, with := range []string{
		`strategy.a.hardware={cost_model="synthetic", kv_tokens=20000, synthetic={step_fixed="10ms"}}`,
		`hardware.gpu_memory_utilization=0.8; sweep={"hardware.kv_tokens"=[0, 20000]}`,
		`hardware.tp=4; model.expert_skew=1; sweep={"model.name"=["llama-3.1-8b", "mixtral-8x7b"]}`,
		`hardware.profile.step_cpu_per_accelerator="1ms"; sweep={"hardware.tp"=[1, 2]}`,
		`hardware.profile.fused_sums=true; sweep={"hardware.tp"=[1, 2]}`,
		`hardware.profile.product_vector_ops=16.0; sweep={"model.weights"=["bf16", "int8"]}`,
		`hardware.profile.product_vector_ops=16.0; model.other_weights="int8"`,
		`hardware.profile.speculation_step="1ms"; ` + guessing,
	} {
		if _, err := (effect{with: with}).outcome(t, ""); err != nil {
			t.Errorf("%s: %v", with, err)
		}
	}
	for _, with := range []string{
		`model.kv="fp8"`,
		`hardware.tp=2; strategy.a.hardware={kv_tokens=9000}`,
		`hardware.tp=2; sweep={"hardware.kv_tokens"=[9000, 20000]}`,
		`hardware.tp=2; sweep={"hardware.cost_model"=["synthetic"]}`,
	} {
		if _, err := (effect{with: synthetic}).outcome(t, with); err == nil || !strings.Contains(err.Error(), "has no effect") {
			t.Errorf("%s, which nobody reads: %v", with, err)
		}
	}
	for _, with := range []string{
		`model.expert_skew=1; sweep={"model.name"=["llama-3.1-8b", "llama-3.2-1b"]}`,
		`hardware.profile.step_cpu_per_accelerator="1ms"; sweep={"model.weights"=["bf16", "int8"]}`,
	} {
		if _, err := (effect{with: with}).outcome(t, ""); err == nil || !strings.Contains(err.Error(), "has no effect") {
			t.Errorf("%s, which no point reads: %v", with, err)
		}
	}
}

// schemaKeys are the keys of the experiment file, as dotted paths from the top, with the
// tables in lists and the fields of an accelerator of one's own.
func schemaKeys(table string, s reflect.Type, keys map[string]reflect.StructField) {
	for _, f := range reflect.VisibleFields(s) {
		key := f.Tag.Get("toml")
		if key == "" || key == "-" || !f.IsExported() {
			continue
		}
		path := strings.TrimPrefix(table+"."+key, ".")
		switch below := elementTable(f.Type); {
		case path == "hardware.custom":
			schemaKeys(path, reflect.TypeFor[hardware.Accelerator](), keys)
		case below != nil:
			schemaKeys(path, below, keys)
		default:
			keys[path] = f
		}
	}
}

// elementTable is the struct that a table, or each of a list of tables, is read into; nil
// for a value.
func elementTable(f reflect.Type) reflect.Type {
	if f.Kind() == reflect.Slice {
		f = f.Elem()
	}
	return tableType(f)
}

// effect is two experiments that differ in a key, as assignments that --set takes,
// several separated by "; ".
type effect struct {
	with     string // in both; "-key" leaves out what plain sets below this key
	from, to string // empty: the key is not given
	refused  bool   // the second one must be refused, because of the key that it sets
	searched bool   // their knees are searched, instead of a sweep
}

// plain is what every experiment starts from, but for what it leaves out.
var plain = []string{
	`model.name="llama-3.1-8b"`,
	`hardware.accelerator="h100-sxm"`,
	`workload.num_requests=24`,
	`workload.arrival={process="poisson", rate=60}`,
	`workload.input={type="lognormal", mean=300, std=150}`,
	`workload.output={type="lognormal", mean=40, std=20}`,
	`slo.ttft_ms=30`,
}

const twoStrategies = `title = "effects"
[[strategy]]
name = "base"
[[strategy]]
name = "a"
`

// check runs both experiments.
func (e effect) check(t *testing.T) {
	before, err := e.outcome(t, e.from)
	if err != nil {
		t.Fatalf("without the change: %v", err)
	}
	after, err := e.outcome(t, e.to)
	var bad *badinput.Error
	switch {
	case e.refused && !errors.As(err, &bad):
		t.Errorf("%s is not refused: %v", e.to, err)
	case e.refused && !strings.Contains(e.to, bad.Key[strings.LastIndexByte(bad.Key, '.')+1:]):
		t.Errorf("%s is refused because of another key: %v", e.to, err)
	case e.refused:
	case err != nil:
		t.Errorf("%s: %v", e.to, err)
	case before == after:
		t.Errorf("%q instead of %q changes no result", e.to, e.from)
	}
}

// outcome is what a reader of the results sees, without what the file says itself.
func (e effect) outcome(t *testing.T, change string) (string, error) {
	t.Helper()
	file, err := experiments.Parse("effects.toml", twoStrategies)
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Override(e.assignments(change)); err != nil {
		return "", err
	}
	check, run := file.Check, (*experiments.Experiment).Run
	if e.searched {
		check, run = file.CheckKnees, (*experiments.Experiment).Knees
	}
	experiment, err := check()
	if err != nil {
		return "", err
	}
	res, err := run(experiment, context.Background(), experiments.Options{Workers: 1})
	if err != nil {
		return "", err
	}
	seen := struct {
		Outcomes     []results.Outcome
		Series       []results.Series
		Differences  []results.Difference
		Expectations []results.Expectation
		Claims       []results.Claim
		Tradeoffs    []results.Tradeoff
		Warnings     []results.Warning
		Plots        []results.PlotSpec
		Reproduced   []results.Reproduced
		Verdicts     []results.Reproduction
		BreakEvens   []results.BreakEven
	}{nil, res.Series, res.Differences, res.Expectations, res.Claims, res.Tradeoffs, res.Warnings, res.Plots, res.Reproduced,
		res.Reproductions(), res.BreakEvens}
	for i := range res.Runs {
		seen.Outcomes = append(seen.Outcomes, res.Runs[i].Outcome)
	}
	text, err := json.Marshal(seen)
	return string(text), err
}

// assignments are those of one of the experiments.
func (e effect) assignments(change string) []string {
	var set, without []string
	for _, a := range strings.Split(e.with+"; "+change, "; ") {
		if key, isRemoval := strings.CutPrefix(a, "-"); isRemoval {
			without = append(without, key)
		} else if a != "" {
			set = append(set, a)
		}
	}
	var all []string
	for _, a := range plain {
		if !slices.ContainsFunc(without, func(key string) bool { return strings.HasPrefix(a, key) }) {
			all = append(all, a)
		}
	}
	return append(all, set...)
}

// writeTraces writes a trace of each kind.
func writeTraces(t *testing.T, dir string) {
	t.Helper()
	for name, text := range map[string]string{
		"azure.csv":    "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.68,374,44\n2023-11-16 18:15:47.68,96,9\n2023-11-16 18:15:49.1,99,55\n",
		"measured.csv": "arrival_s,prompt_tokens,output_tokens\n0,100,10\n0.3,900,40\n0.4,200,20\n2.5,300,30\n",
		"log.csv": "t,u,a,b,c,d,s,z,h,k\n0,0,600,10,700,12,x,x,[1],[1]\n2,3,1200,20,1300,25,x,y,\"[1, 2]\",\"[5, 2]\"\n" +
			"6,7,1210,20,1305,25,x,x,\"[1, 2]\",\"[5, 6]\"\n",
		"other.csv":      "arrival_s,prompt_tokens,output_tokens\n0,700,30\n0.3,900,40\n0.4,200,20\n2.5,300,30\n",
		"lengths.txt":    "1\n20\n\n60.5\n",
		"longer.txt":     "1\n50\n90\n",
		"points.csv":     "x,y\n5,2\n",
		"prices.toml":    "name = \"ours\"\ndate = \"2026-11\"\nsource = \"a contract\"\n[usd_per_hour]\nh100-sxm = 1.9\n",
		"hashed.jsonl":   `{"timestamp": 0, "input_length": 1024, "output_length": 9, "hash_ids": [1, 2]}` + "\n" + `{"timestamp": 6, "input_length": 1024, "output_length": 9, "hash_ids": [1, 3]}` + "\n",
		"mooncake.jsonl": `{"timestamp": 0, "input_length": 500, "output_length": 9, "hash_ids": [1]}` + "\n" + `{"timestamp": 600, "input_length": 510, "output_length": 9, "hash_ids": [2]}` + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
