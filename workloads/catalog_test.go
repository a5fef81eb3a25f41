package workloads

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kneepoint/internal/strict"
)

// builtinSpec decodes a built-in workload; an unknown name gives an empty spec.
func builtinSpec(t testing.TB, name string) Spec {
	t.Helper()
	var spec Spec
	if !slices.Contains(Names(), name) {
		return spec
	}
	table, err := Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := strict.Decode(table, &spec); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return spec
}

// builtinTraffic returns a function from seeds to the workload's traffic.
func builtinTraffic(t *testing.T, name string) func(seed uint64) Traffic {
	spec := builtinSpec(t, name)
	return func(seed uint64) Traffic {
		traffic, err := New(spec, nil, seed, 0)
		if err != nil {
			t.Fatal(err)
		}
		return traffic
	}
}

func TestBuiltinsAreDescribed(t *testing.T) {
	want := []string{"arxiv-summarization", "azure-code-2023", "azure-conv-2023", "bwb", "mooncake-conversation", "sharegpt-8k"}
	if got := Names(); !slices.Equal(got, want) {
		t.Errorf("built-in workloads %v, want %v", got, want)
	}
	for _, name := range Names() {
		d, err := Describe(name)
		if err != nil {
			t.Fatal(err)
		}
		if d.Name != name || d.Title == "" || d.Source == "" || d.Licence == "" || d.Date == "" || d.Note == "" {
			t.Errorf("%s is not fully described: %+v", name, d)
		}
		builtinSpec(t, name)
	}
}

func TestUnknownBuiltin(t *testing.T) {
	_, err := Builtin("azure-conv-2022")
	if e := badInput(t, err); e.Key != "name" || e.Nearest != "azure-conv-2023" {
		t.Errorf("error %v", e)
	}
}

// The means of the published data, over requests. Quantiles at 105 points, with
// straight lines between them, miss a mean by up to 3 % where the lengths are
// few tokens (code output: steps of whole tokens, and a long tail).
func TestBuiltinsHaveTheMeansOfTheirData(t *testing.T) {
	for name, want := range map[string][2]float64{
		"azure-conv-2023":       {1154.7, 211.1},
		"azure-code-2023":       {2047.8, 27.9},
		"mooncake-conversation": {12035, 343},
		"sharegpt-8k":           {2340, 439},
		"bwb":                   {1067, 1613},
		"arxiv-summarization":   {2588, 291},
	} {
		t.Run(name, func(t *testing.T) {
			spec := builtinSpec(t, name)
			for i, part := range []*LengthSpec{spec.Input, spec.Output} {
				law, err := part.Law()
				if err != nil {
					t.Fatal(err)
				}
				about(t, name+" mean", law.Mean(), want[i], 0.03)
			}
		})
	}
}

// The built-in quantiles are those that were computed from the data.
func TestBuiltinsHaveTheQuantilesOfTheirData(t *testing.T) {
	path := filepath.Join(shared, "reference", "quantiles.json")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Skip("the source quantiles need ../shared: ", err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	for name, key := range map[string]string{
		"azure-conv-2023": "azure-conv-2023", "azure-code-2023": "azure-code-2023", "mooncake-conversation": "mooncake-conversation",
		"sharegpt-8k": "sharegpt-8k-llama2", "bwb": "bwb-llama2", "arxiv-summarization": "arxiv-summarization-llama2",
	} {
		t.Run(name, func(t *testing.T) {
			var source struct{ Percentiles, Input, Output []float64 }
			if err := json.Unmarshal(all[key], &source); err != nil {
				t.Fatal(err)
			}
			spec := builtinSpec(t, name)
			comparePoints(t, name+" input percentiles", spec.Input.Percentiles, source.Percentiles)
			comparePoints(t, name+" input", spec.Input.Quantiles, source.Input)
			comparePoints(t, name+" output percentiles", spec.Output.Percentiles, source.Percentiles)
			comparePoints(t, name+" output", spec.Output.Quantiles, source.Output)
		})
	}
}

func comparePoints(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d points, want %d", what, len(got), len(want))
	}
	for i := range got {
		within(t, what, got[i], want[i]-0.0051, want[i]+0.0051)
	}
}

// The arrival models were fitted to the index of dispersion of the counts in windows
// of several widths. Those of the data are known from one hour: at 60 s single hours of
// the models lie between 0.7 and 1.4 times their own mean.
func TestBuiltinArrivalsAreAsBurstyAsTheirData(t *testing.T) {
	for _, c := range []struct {
		name      string
		rate, cv  float64
		windows   []float64 // seconds
		data      []float64 // index of dispersion
		tolerance float64
	}{
		{"azure-code-2023", 2.57, 13.15, []float64{0.1, 0.3, 1, 3, 10, 30, 60}, []float64{2.54, 5.16, 13.2, 32.4, 71.6, 124, 164}, 0.1},
		{"mooncake-conversation", 3.4, 1, []float64{30, 60, 120, 300}, []float64{2.5, 2.9, 3.7, 7.3}, 0.3},
		{"azure-conv-2023", 5.53, 1.09, []float64{1, 10, 60}, []float64{1.4, 4.0, 20.6}, 0.2},
	} {
		spec := builtinSpec(t, c.name)
		spec.NumRequests = 1_000_000
		traffic, err := New(spec, nil, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		times := arrivalsOf(traffic)
		mean, std := meanAndStd(gapsOf(times))
		about(t, c.name+" rate", 1/mean, c.rate, 0.03)
		about(t, c.name+" CV", std/mean, c.cv, 0.1)
		for i, width := range c.windows {
			about(t, fmt.Sprintf("%s index of dispersion at %g s", c.name, width), dispersion(times, width), c.data[i], c.tolerance)
			t.Logf("%s: index of dispersion at %g s %.2f, the data's %.2f", c.name, width, dispersion(times, width), c.data[i])
		}
	}
}
