package experiments_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"kneepoint/experiments"
	"kneepoint/experiments/scenario"
	"kneepoint/internal/strict"
	"kneepoint/units/badinput"
)

// FuzzExperiment: whatever the text of a file, it is refused in one line, or what it
// means can be written as a file that means the same.
func FuzzExperiment(f *testing.F) {
	for _, name := range experiments.Names() {
		text, _ := experiments.Source(name)
		f.Add(text)
	}
	whole := strings.Join(plain, "\n") + "\n" + twoStrategies
	f.Add(whole)
	f.Add("title = 'a'\n[workload]\nname = 'sharegpt'\n[[strategy]]\nname = 'b'\n[sweep]\n'strategy.b.max_num_seqs' = [1, 2]\n")
	f.Add(whole + "[[plot]]\nkind = 'tradeoff'\nmetric = 'mbu'\nx = 'mfu'\nfilter = {strategy = ['a']}\nfile = 'x.svg'\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := experiments.Parse("fuzzed.toml", text)
		if err != nil {
			inOneLine(t, err)
			return
		}
		meansTheSame(t, file)
	})
}

// FuzzOverride: likewise for assignments as --set takes them, one a line.
func FuzzOverride(f *testing.F) {
	for _, key := range slices.Sorted(maps.Keys(effects)) {
		e := effects[key]
		f.Add(strings.Join(e.assignments(e.to), "\n"))
	}
	f.Add("strategy.a.max_num_seqs = 0x10\nsweep.\"workload.arrival.rate\"=[1, 2.5, inf]\nsweep.mode=zip")
	f.Fuzz(func(t *testing.T, lines string) {
		file, err := experiments.Parse("fuzzed.toml", twoStrategies)
		if err != nil {
			t.Fatal(err)
		}
		if err := file.Override(strings.Split(lines, "\n")); err != nil {
			inOneLine(t, err)
			return
		}
		meansTheSame(t, file)
	})
}

func inOneLine(t *testing.T, err error) {
	t.Helper()
	var bad *badinput.Error
	if !errors.As(err, &bad) || strings.ContainsAny(err.Error(), "\n\r") {
		t.Fatalf("not one line of bad input: %q", err)
	}
}

// meansTheSame resolves a file, and the file that it says in full, to the same scenarios.
// In a sweep the defaults of an accelerator may differ from point to point, so that no
// file says them all.
func meansTheSame(t *testing.T, file *experiments.File) {
	t.Helper()
	e, err := file.Resolve(&scenario.Traces{})
	if err != nil {
		inOneLine(t, err)
		return
	}
	if e.Axes != nil || e.Runs() > 100 {
		return
	}
	var text strings.Builder
	if err := toml.NewEncoder(&text).Encode(strict.Encode(&e.Spec)); err != nil {
		t.Fatal(err)
	}
	again, err := experiments.Parse("fuzzed.toml", text.String())
	if err != nil {
		t.Fatalf("%v\n%s", err, text.String())
	}
	twin, err := again.Resolve(&scenario.Traces{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text.String())
	}
	if got, want := keysOf(twin), keysOf(e); !slices.Equal(got, want) {
		t.Errorf("the scenarios of\n%s\ndiffer: %q, want %q", text.String(), got, want)
	}
}

// keysOf are the keys of an experiment's scenarios.
func keysOf(e *experiments.Experiment) []string {
	var keys []string
	for i := range e.Runs() {
		s := e.Scenario(i)
		keys = append(keys, s.Key())
	}
	return keys
}
