package experiments_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments"
)

// TestQuantilesOfAFile: they are those of the file, in every table of lengths, and what is wrong with it is said with its line.
func TestQuantilesOfAFile(t *testing.T) {
	dir := t.TempDir()
	writeTraces(t, dir)
	for name, text := range map[string]string{"words.txt": "5\nmany\n", "falling.txt": "5\n4\n", "one.txt": "5\n", "long.txt": strings.Repeat("5\n", 10_001)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check := func(law string) (*experiments.Experiment, error) {
		file, err := experiments.Parse("small.toml", `title = "Lengths"
[model]
name = "llama-3.1-8b"
[hardware]
accelerator = "h100-sxm"
[workload.arrival]
rate = 1
[workload.input]
`+law+`
[workload.output]
type = "fixed"
mean = 5
[[workload.client]]
share = 0.5
[[workload.client]]
share = 0.5
output = { type = "empirical", path = "lengths.txt" }
[[strategy]]
name = "continuous"
`)
		if err != nil {
			return nil, err
		}
		file.Folder = dir
		return file.Check()
	}
	e, err := check(`type = "empirical"
path = "longer.txt"`)
	if err != nil {
		t.Fatal(err)
	}
	w := &e.Spec.Workload
	if !slices.Equal(w.Input.Quantiles, []float64{1, 50, 90}) || !slices.Equal(w.Client[1].Output.Quantiles, []float64{1, 20, 60.5}) || w.Input.Path != "" {
		t.Errorf("%+v and %+v", w.Input, w.Client[1].Output)
	}
	for law, says := range map[string]string{
		`path = "nowhere.txt"`:                          "nowhere.txt: ",
		`path = "words.txt"`:                            `words.txt:2: workload.input.path: "many" is not a number of tokens; allowed: one number a line`,
		`path = "long.txt"`:                             "long.txt:10001: workload.input.path: too many numbers; allowed: at most 10000",
		`path = "falling.txt"`:                          "workload.input.quantiles: must not decrease",
		`path = "one.txt"`:                              "workload.input.quantiles: too few",
		"path = \"longer.txt\"\nquantiles = [1, 2]":     "workload.input.path = \"longer.txt\": has no effect beside quantiles",
		"path = \"longer.txt\"\npercentiles = [0, 100]": "workload.input.percentiles: has 2 values for 3 quantiles",
	} {
		if _, err := check("type = \"empirical\"\n" + law); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v does not say %q", law, err, says)
		}
	}
	if _, err := check("type = \"fixed\"\nmean = 5\npath = \"longer.txt\""); err == nil || !strings.Contains(err.Error(), "workload.input.path") {
		t.Errorf("beside another law: %v", err)
	}
}
