package experiments

import (
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
)

// TestPlotFiles: a name is that of one figure in the folder, on every system.
func TestPlotFiles(t *testing.T) {
	for file, ok := range map[string]bool{
		"": true, "a": true, "a.png": true, "a.svg": true, "a.pdf": true, "A_b-1.5": true, "llama-3.1.svg": true, "8": true,
		strings.Repeat("a", 100): true, strings.Repeat("a", 101): false, strings.Repeat("a", 96) + ".svg": true, strings.Repeat("a", 97) + ".svg": false,
		"a.eps": false, "a.PNG": false, "a.": false, ".png": false, ".a": false, "-a": false, "_a": false, "a/b": false, `a\b`: false, "..": false,
		"a b": false, "ä": false, "a\x00": false, "a:b": false, "a*": false, "results": false, "results.png": false, "RUNS.svg": false, "requests.pdf": false,
	} {
		s := PlotSpec{Kind: results.PlotTraffic, File: file}
		if err := s.Validate(); (err == nil) != ok {
			t.Errorf("%q: %v", file, err)
		}
	}
}

// kindOf is the kind that a table asks for.
var kindOf = regexp.MustCompile(`kind = "([a-z-]+)"`)

// TestPlotExamples: there is one of every kind in the documentation, and all are right.
func TestPlotExamples(t *testing.T) {
	text, err := os.ReadFile("../docs/experiments.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "## `[[plot]]`")
	section, _, _ = strings.Cut(section, "\n## ")
	seen := map[string]bool{}
	e := experiment(t, swept+expected+published)
	for i, block := range strings.Split(section, "```") {
		if i%2 == 0 {
			continue
		}
		block = strings.TrimPrefix(block, "toml")
		if err := checkPlots(t, e, block); err != nil {
			t.Error(err)
		}
		for _, table := range strings.Split(block, "[[plot]]")[1:] {
			kind := kindOf.FindStringSubmatch(table)[1]
			seen[kind] = true
			refused := refusal(t, swept+expected+published+"[[plot]]"+table)
			if refused != "" {
				t.Errorf("%s: %q", kind, refused)
			}
		}
	}
	for _, kind := range results.PlotKinds {
		if !seen[kind] {
			t.Errorf("%s has no example", kind)
		}
	}
}

// refusal is what the reader of a file says of it; "" where it is accepted.
func refusal(t *testing.T, text string) string {
	t.Helper()
	f, err := Parse("plots.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = f.Check(); err == nil {
		return ""
	}
	if _, isBad := err.(*badinput.Error); !isBad || strings.Contains(err.Error(), "\n") {
		t.Errorf("not one line of wrong input: %v", err)
	}
	return err.Error()
}

// TestPlotKindsAreDocumented: the documentation lists them.
func TestPlotKindsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../docs/experiments.md")
	if err != nil {
		t.Fatal(err)
	}
	_, row, _ := strings.Cut(string(text), "| `kind` | required |")
	row, _, _ = strings.Cut(row, "\n")
	for _, kind := range results.PlotKinds {
		if !strings.Contains(row, "`"+kind+"`") {
			t.Errorf("%s is not in the docs", kind)
		}
	}
}

// TestMetricsOfObjectivesAndClasses: what runs have with an SLO alone, and what they have
// of classes, is what figures of it are refused without.
func TestMetricsOfObjectivesAndClasses(t *testing.T) {
	has := func(text string) (of, ofClass metrics.Values) {
		res, err := experiment(t, text).Run(context.Background(), Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		return res.Runs[0].Metrics, res.Runs[0].Clients[0].Metrics
	}
	text := strings.Replace(strings.Replace(swept, "num_requests = 1", "num_requests = 40", 1), "rate = 1", "rate = 1000", 1) + clients
	without, _ := has(strings.Replace(text, "ttft_ms = 100", "attainment = 0.42", 1))
	with, ofClass := has(strings.Replace(text, "ttft_ms = 100", "ttft_ms = 1000\ntpot_ms = 1000\ne2el_ms = 5000\nattainment = 0.42", 1))
	for _, key := range metrics.Keys() {
		_, always := without[key]
		_, known := with[key]
		if known && slices.Contains(ofObjective, key) == always {
			t.Errorf("%s is there without an SLO: %v", key, always)
		}
		if _, isThere := ofClass[key]; known && isThere != isOfClass(key) {
			t.Errorf("%s of a class is there: %v", key, isThere)
		}
	}
}
