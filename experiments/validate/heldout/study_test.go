package heldout

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/validate"
	"kneepoint/internal/effort"
)

// header is the columns of closed loops that the tests fill.
const header = "id,backend,backend_version,model_path,system,precision,mode,isl,osl,batch_size,tp_size,attention_dp_size,moe_ep_size,silicon_ttft_ms,silicon_tpot_ms"

// loops are small closed loops of two models, each on two accelerators and under two versions
// of an engine. What they are said to have measured is of no meaning.
func loops(t *testing.T) []validate.Case {
	t.Helper()
	lines := []string{header}
	for i, model := range []string{"meta-llama/Llama-3.1-8B-Instruct", "Qwen/Qwen3-14B"} {
		for k, system := range []string{"h100_sxm", "h200_sxm"} {
			for _, load := range []struct{ batch, isl, tp int }{{1, 256, 1}, {1, 2048, 1}, {16, 256, 1}, {4, 1024, 8}} {
				version := []string{"0.15.0", "0.18.0"}[(i+k)%2]
				lines = append(lines, fmt.Sprintf("%d,vllm,%s,%s,%s,bf16,agg,%d,24,%d,%d,1,1,1,1", len(lines), version, model, system, load.isl, load.batch, load.tp))
			}
		}
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "silicon"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "silicon", "closed_loop.csv"), []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cases, err := validate.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// truth are the constants that made up measurements are made with.
var truth = map[string]float64{"compute_efficiency": .85, "step_cpu": .5, "step_cpu_per_sequence": 10, "request_fixed": 4,
	"request_per_prompt_token": 2, "prompt_launch_floor_per_layer": .4}

// madeUp are loops that measured what the model says with the true constants.
func madeUp(t *testing.T) []validate.Case {
	t.Helper()
	cases := loops(t)
	r := &repeater{known: map[outcome]rows{}}
	runs := r.runs(cases)
	at := make(place, len(r.knobs))
	for i := range at {
		at[i] = slices.Index(r.knobs[i].of.values, truth[r.knobs[i].of.key])
	}
	found, err := r.predict(t.Context(), runs, at)
	if err != nil {
		t.Fatal(err)
	}
	for i := range runs {
		for k := range found[i] {
			runs[i].c.Measured[k].Value = found[i][k].Predicted
		}
	}
	return cases
}

// reportOn is a study that must not fail.
func reportOn(t *testing.T, cases []validate.Case) *Report {
	t.Helper()
	r, err := Study(t.Context(), cases, nil, Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Where the model is right, its constants are found from any groups, and those left out are
// predicted without an error, but for accelerators, whose kernels are then those of their class or of a relative.
func TestRecovery(t *testing.T) {
	r := reportOn(t, madeUp(t))
	for _, f := range append([]Fold{{Constants: r.Constants}}, r.Folds...) {
		for _, c := range f.Constants {
			if c.Value != truth[c.Key] {
				t.Errorf("without %s %q: %s = %v, want %v", f.Of, f.Left, c.Key, c.Value, truth[c.Key])
			}
		}
	}
	for _, e := range r.Errors {
		if e.HeldOut.N == 0 || (e.HeldOut.MeanAPE > 1e-9) != (e.Of == Accelerator || e.Of == Relatives) {
			t.Errorf("%s %q: %+v", e.Of, e.Left, e)
		}
	}
}

// What was measured of a group has no part in what is predicted of it.
func TestGroupsAreLeftOut(t *testing.T) {
	effort.Whole(t)
	cases := madeUp(t)
	before := reportOn(t, cases)
	const left = "qwen3-14b"
	for i := range cases {
		if groupOf(&cases[i], Model) == left {
			for k := range cases[i].Measured {
				cases[i].Measured[k].Value *= 1 + 0.05*float64(i%5)
			}
		}
	}
	after := reportOn(t, cases)
	same := func(f Fold) bool { return f.Of == Model && f.Left == left }
	i, k := slices.IndexFunc(before.Folds, same), slices.IndexFunc(after.Folds, same)
	if !slices.Equal(before.Folds[i].Constants, after.Folds[k].Constants) {
		t.Errorf("%v became %v", before.Folds[i].Constants, after.Folds[k].Constants)
	}
	if slices.Equal(before.Constants, after.Constants) {
		t.Error("a fit to all groups does not depend on a group")
	}
}
