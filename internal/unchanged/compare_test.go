package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The same results in both forms: version 1 has everything in one file.
const (
	version1 = `{"tool": "kneepoint", "schema_version": 1, "version": "0.1.0",
		"warnings": ["estimated: engine ideal: steps", "requests had not ended, at most 3 a run: static at 4"],
		"series": [{"strategy": "static", "points": [{"value": 4, "metrics": {"mbu": {"mean": 0.1, "n": 2}}}], "knee": null}],
		"runs": [
			{"strategy": "static", "point": {"rate": 4}, "seed": 1, "replication": 0, "metrics": {"mbu": 0.1, "mfu": null}},
			{"strategy": "static", "point": {"rate": 4}, "seed": 1, "replication": 1, "metrics": {"mbu": 0.1, "mfu": 0.30000000000000004}}
		]}`
	version2 = `{"tool": "kneepoint", "schema_version": 2, "version": "0.2.0",
		"warnings": [
			{"kind": "unfinished", "text": "requests had not ended, at most 3 a run", "where": "static at 4"},
			{"kind": "estimated", "text": "engine ideal: steps"}
		],
		"series": [{"strategy": "static", "points": [{"value": 4, "metrics": {"mbu": {"mean": 0.1, "n": 2}}}], "knee": null}]}`
	lines2 = `{"strategy": "static", "point": {"rate": 4}, "seed": 1, "replication": 1, "key": "b7", "metrics": {"mbu": 0.1, "mfu": 0.30000000000000004}}
{"strategy": "static", "point": {"rate": 4}, "seed": 1, "replication": 0, "key": "a6", "metrics": {"mbu": 0.1, "mfu": null}}
`
)

// written is a folder of results with one figure.
func written(t *testing.T, results, lines string) *folder {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"results.json": results, "mbu.svg": "<svg/>"}
	if lines != "" {
		files["runs.ndjson"] = lines
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := readFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// replaced is text with one part changed, which must be there.
func replaced(t *testing.T, text, old, new string) string {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("%q is not in the fixture", old)
	}
	return strings.Replace(text, old, new, 1)
}

func TestFolders(t *testing.T) {
	for name, test := range map[string]struct {
		results, lines [2]string // what to replace by what
		tolerance      float64
		want           []string
		additions      []string
	}{
		"another form of the same": {},
		"an empty list for null": {
			results: [2]string{`"knee": null`, `"knee": []`},
		},
		"a field more": {
			results:   [2]string{`"series": `, `"title": "a title", "series": `},
			additions: []string{"field title of results"},
		},
		"a metric by one bit": {
			lines: [2]string{"0.30000000000000004", "0.3"},
			want:  []string{"x: run of static at rate=4, seed 1, replication 1: metrics.mfu: 0.30000000000000004 became 0.3"},
		},
		"a metric within the tolerance": {
			lines:     [2]string{"0.30000000000000004", "0.3"},
			tolerance: 1e-9,
		},
		"a metric that has a value now": {
			lines: [2]string{"null", "0"},
			want:  []string{"x: run of static at rate=4, seed 1, replication 0: metrics.mfu: <nil> became 0"},
		},
		"a metric that is gone": {
			lines: [2]string{`"mbu": 0.1, "mfu": null`, `"mfu": null`},
			want:  []string{"x: run of static at rate=4, seed 1, replication 0: metrics.mbu: 0.1 is gone"},
		},
		"a metric more": {
			lines:     [2]string{`"mfu": null`, `"mfu": null, "tokens": 3`},
			additions: []string{"field tokens of a run's metrics"},
		},
		"another seed": {
			lines: [2]string{`"seed": 1, "replication": 0`, `"seed": 2, "replication": 0`},
			want: []string{
				"x: run of static at rate=4, seed 1, replication 0 is gone",
				"x: run of static at rate=4, seed 2, replication 0 is new",
			},
		},
		"a curve's point": {
			results: [2]string{`"mean": 0.1`, `"mean": 0.2`},
			want:    []string{"x: results: series[0].points[0].metrics.mbu.mean: 0.1 became 0.2"},
		},
		"a point more": {
			results: [2]string{`"knee": null`, `"knee": {"value": 4}`},
			want:    []string{`x: results: series[0].knee: <nil> became map[string]interface {}{"value":4}`},
		},
		"another warning": {
			results: [2]string{"engine ideal: steps", "engine ideal: requests"},
			want: []string{
				`x: warnings: "estimated: engine ideal: steps" is gone`,
				`x: warnings: map[string]interface {}{"kind":"estimated", "text":"engine ideal: requests"} is new`,
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			results, lines := version2, lines2
			if test.results[0] != "" {
				results = replaced(t, results, test.results[0], test.results[1])
			}
			if test.lines[0] != "" {
				lines = replaced(t, lines, test.lines[0], test.lines[1])
			}
			c := &comparison{tolerance: test.tolerance}
			c.folders("x", written(t, version1, ""), written(t, results, lines))
			if diff := cmp.Diff(test.want, c.differences); diff != "" {
				t.Errorf("differences: -want +got\n%s", diff)
			}
			if diff := cmp.Diff(test.additions, c.additions); diff != "" {
				t.Errorf("additions: -want +got\n%s", diff)
			}
		})
	}
}

// A run that is there twice would hide what the first of them says.
func TestTwiceTheSameRun(t *testing.T) {
	var run any
	f := &folder{runs: map[string]any{}}
	for want := range 2 {
		if err := json.Unmarshal([]byte(`{"strategy": "static", "seed": 1}`), &run); err != nil {
			t.Fatal(err)
		}
		if err := f.addRun(run); (err != nil) != (want == 1) {
			t.Errorf("run %d: %v", want, err)
		}
	}
}

func TestFiguresAndTables(t *testing.T) {
	c := &comparison{}
	c.figures("x", map[string][]byte{"a.png": {1}, "b.png": {1}, "c.png": {1}}, map[string][]byte{"a.png": {1}, "b.png": {2}, "d.png": {1}})
	c.outcomes("x", outcome{"knee: 4\nSLO met\n", 0}, outcome{"knee: 5\nmissed\n", 1})
	want := []string{
		"x: b.png looks different",
		"x: c.png is gone",
		`x: tables, line 1: "knee: 4" became "knee: 5"`,
		"x: exit status 0 became 1",
	}
	if diff := cmp.Diff(want, c.differences); diff != "" {
		t.Errorf("differences: -want +got\n%s", diff)
	}
	if diff := cmp.Diff([]string{"figure d.png of x"}, c.additions); diff != "" {
		t.Errorf("additions: -want +got\n%s", diff)
	}
}

// However much differs, what is printed can be read.
func TestPrintsTheFirst(t *testing.T) {
	c := &comparison{}
	for range 30 {
		c.differ("x", "is gone")
	}
	var text strings.Builder
	c.print(&text, 20)
	if lines := strings.Split(strings.TrimSpace(text.String()), "\n"); len(lines) != 21 || lines[20] != "and 10 more" {
		t.Errorf("printed %d lines, the last %q", len(lines), lines[len(lines)-1])
	}
}

func TestParse(t *testing.T) {
	for name, test := range map[string]struct {
		args string
		ok   bool
	}{
		"a revision":            {"HEAD", true},
		"a binary":              {"-base-binary kp", true},
		"neither":               {"", false},
		"both":                  {"-base-binary kp HEAD", false},
		"two revisions":         {"HEAD main", false},
		"no such flag":          {"-nothing HEAD", false},
		"flags of a comparison": {"-tolerance 1e-9 -only a,b -n 3 HEAD", true},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := parse(strings.Fields(test.args)); (err == nil) != test.ok {
				t.Errorf("parse: %v", err)
			}
		})
	}
}
