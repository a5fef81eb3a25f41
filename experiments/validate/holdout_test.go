package validate

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kneepoint/internal/effort"
)

// lattice is the constants of the engine profile vllm-v1 that were chosen with
// serving runs in view, and the values that a refit tries. The first value is
// the kernels alone: a server that costs no time.
var lattice = []struct {
	key    string
	values []string
}{
	{"compute_efficiency", []string{"1.0", "0.95", "0.9", "0.85", "0.8", "0.75", "0.7"}},
	{"step_cpu", []string{`"0s"`, `"0.25ms"`, `"0.5ms"`, `"0.75ms"`, `"1ms"`, `"1.5ms"`, `"2ms"`}},
	{"step_cpu_per_sequence", []string{`"0s"`, `"5us"`, `"10us"`, `"15us"`, `"20us"`, `"30us"`}},
	{"request_fixed", []string{`"0s"`, `"2ms"`, `"4ms"`, `"6ms"`, `"8ms"`}},
	{"request_per_prompt_token", []string{`"0s"`, `"2us"`, `"4us"`, `"6us"`}},
}

// constants is a place in the lattice.
type constants [5]int

// profile is the constants as an engine profile.
func (c constants) profile() string {
	text := "like = \"vllm-v1\"\n"
	for i, p := range lattice {
		text += p.key + " = " + p.values[c[i]] + "\n"
	}
	return text
}

func (c constants) String() string {
	var values []string
	for i, p := range lattice {
		values = append(values, strings.Trim(p.values[c[i]], `"`))
	}
	return strings.Join(values, ", ")
}

// refit fits the constants to some of the serving runs. What it has simulated it
// keeps, since most folds go the same way.
type refit struct {
	t      *testing.T
	folder string
	cases  []Case
	known  map[constants]map[string][]float64 // losses by run
}

// simulate repeats cases with the constants. limit is the number of cycles to which runs
// that cycle through few prompts are shortened; 0 leaves them as they are.
func (r *refit) simulate(cases []Case, c constants, limit int64) []Row {
	r.t.Helper()
	path := filepath.Join(r.folder, "engine.toml")
	if err := os.WriteFile(path, []byte(c.profile()), 0o600); err != nil {
		r.t.Fatal(err)
	}
	moved := slices.Clone(cases)
	for i := range moved {
		moved[i].Tree = maps.Clone(cases[i].Tree)
		hardware := maps.Clone(cases[i].Tree["hardware"].(map[string]any))
		hardware["engine"] = path
		moved[i].Tree["hardware"] = hardware
		workload := maps.Clone(cases[i].Tree["workload"].(map[string]any))
		if prefix, cycles := workload["prefix"].(map[string]any); cycles && limit > 0 {
			workload["num_requests"] = min(workload["num_requests"].(int64), limit*prefix["distinct"].(int64))
		}
		moved[i].Tree["workload"] = workload
	}
	rows, skipped := simulated(r.t, moved)
	if len(skipped) > 0 {
		r.t.Fatal(skipped)
	}
	return rows
}

// losses are |ln(predicted/measured)| of the means of TTFT, TPOT and E2EL, by
// run; a run that is taken over its knee counts no more than one that is off by
// half. Runs that cycle through few prompts are as long as the test's effort, and ten
// cycles at least: shorter ones are mostly the first cycle, in which nothing is cached, and
// what is fitted to that predicts no long run. Published errors rest on 30 cycles.
func (r *refit) losses(c constants) map[string][]float64 {
	if known, ok := r.known[c]; ok {
		return known
	}
	byRun := map[string][]float64{}
	for _, row := range r.simulate(r.cases, c, int64(max(10, effort.Times(r.t, 10)))) {
		if strings.Contains(row.Metric, "_mean_") {
			byRun[row.ID] = append(byRun[row.ID], min(0.5, math.Abs(math.Log(row.Predicted/row.Measured))))
		}
	}
	r.known[c] = byRun
	return byRun
}

// loss is the mean loss over the runs that are not left out.
func (r *refit) loss(c constants, leftOut func(c *Case) bool) float64 {
	byRun := r.losses(c)
	var sum float64
	n := 0
	for i := range r.cases {
		if leftOut(&r.cases[i]) {
			continue
		}
		for _, x := range byRun[r.cases[i].ID] {
			sum += x
			n++
		}
	}
	return sum / float64(n)
}

// fit descends from the kernels alone, one constant after the other, until no
// neighbour of any is better.
func (r *refit) fit(leftOut func(c *Case) bool) constants {
	var at constants
	best := r.loss(at, leftOut)
	for moved := true; moved; {
		moved = false
		for i := range lattice {
			for _, step := range []int{1, -1} {
				for {
					next := at
					next[i] += step
					if next[i] < 0 || next[i] == len(lattice[i].values) {
						break
					}
					loss := r.loss(next, leftOut)
					if loss >= best {
						break
					}
					at, best, moved = next, loss, true
				}
			}
		}
	}
	return at
}

// fold is what a refit leaves out.
type fold struct {
	name    string
	leftOut func(c *Case) bool
}

// folds leave out each whole model, and the whole A100.
func folds(cases []Case) []fold {
	families := map[string]bool{}
	for i := range cases {
		families[family(&cases[i])] = true
	}
	var all []fold
	for _, name := range slices.Sorted(maps.Keys(families)) {
		all = append(all, fold{name, func(c *Case) bool { return family(c) == name }})
	}
	return append(all, fold{"A100", func(c *Case) bool { return c.Labels["accelerator"] == "a100-sxm-80" }})
}

// family is the model of a run, instructed or not.
func family(c *Case) string {
	_, name, _ := strings.Cut(c.Labels["model"], "/")
	name = strings.ToLower(name)
	for _, suffix := range []string{"-hf", "-instruct", "-instruct-2407", "-v0.1"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return strings.TrimSuffix(name, "-instruct")
}

// How well the constants of vllm-v1 that were chosen with serving runs in view
// carry over: they are fitted again, from the kernels alone, without a model or
// without the A100, and predict what was left out. That error is what a user may
// expect elsewhere. It has to stay near that of the constants that are built in.
func TestHoldOut(t *testing.T) {
	if testing.Short() {
		t.Skip("takes most of a minute")
	}
	all := allRepeated(t)
	cases := slices.DeleteFunc(slices.Clone(all.cases), func(c Case) bool { return c.Set != "e2e" || c.Skip != "" })
	r := &refit{t: t, folder: t.TempDir(), cases: cases, known: map[constants]map[string][]float64{}}
	shipped := slices.DeleteFunc(slices.Clone(all.rows), func(r Row) bool { return strings.HasPrefix(r.Metric, "silicon_") })
	nothing := r.simulate(cases, constants{}, 0)
	t.Logf("%-16s %5s  %-21s %-21s %-21s constants", "left out", "runs", "refitted", "built in", "kernels alone")
	t.Logf("%-16s %5s  %-21s %-21s %-21s", "", "", "TPOT   E2EL   TTFT", "TPOT   E2EL   TTFT", "TPOT   E2EL   TTFT")
	var pooled []Row
	for _, f := range folds(cases) {
		at := r.fit(f.leftOut)
		held := slices.DeleteFunc(slices.Clone(cases), func(c Case) bool { return !f.leftOut(&c) })
		rows := r.simulate(held, at, 0)
		ids := map[string]bool{}
		for i := range held {
			ids[held[i].ID] = true
		}
		t.Logf("%-16s %5d  %-21s %-21s %-21s %v", f.name, len(held), medians(rows), medians(only(shipped, ids)), medians(only(nothing, ids)), at)
		if f.name != "A100" {
			pooled = append(pooled, rows...)
		}
	}
	t.Logf("%-16s %5d  %-21s %-21s %-21s", "all models", len(cases), medians(pooled), medians(shipped), medians(nothing))
	everything := r.fit(func(*Case) bool { return false })
	t.Logf("%-16s %5d  %-21s %-21s %-21s %v", "nothing", len(cases), medians(r.simulate(cases, everything, 0)), "", "", everything)
	t.Logf("%d profiles were tried", len(r.known))
	for metric, atMost := range map[string]float64{"tpot_mean_ms": 6, "e2e_mean_ms": 6, "ttft_mean_ms": 12} {
		if median, _ := medianError(pooled, metric, "", ""); !(median <= atMost) {
			t.Errorf("%s of models that were left out: median error %.1f %%, at most %.0f %%", metric, median, atMost)
		}
	}
}

func only(rows []Row, ids map[string]bool) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return !ids[r.ID] })
}

// medians are the median errors of the means of TPOT, E2EL and TTFT.
func medians(rows []Row) string {
	var text []string
	for _, metric := range []string{"tpot_mean_ms", "e2e_mean_ms", "ttft_mean_ms"} {
		median, n := medianError(rows, metric, "", "")
		cell := "     -"
		if n > 0 {
			cell = fmt.Sprintf("%4.1f %%", median)
		}
		text = append(text, cell)
	}
	return strings.Join(text, " ")
}
