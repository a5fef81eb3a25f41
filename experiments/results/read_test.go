package results

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kneepoint/units/badinput"
)

// TestReadBack: what was written is read and aggregated to the same bytes,
// whichever runs are missing, and in whatever order the lines of the runs are.
func TestReadBack(t *testing.T) {
	for name, missing := range map[string]string{"whole": "", "without the first": "A", "without a point": "ABCD", "without any": "ABCDEFGHIJKL"} {
		t.Run(name, func(t *testing.T) {
			plan := twoByThree()
			outcomes := outcomesOf(plan)
			for _, key := range missing {
				delete(outcomes, string(key))
			}
			res := Aggregate(plan, ByKey(outcomes))
			dir := folderOf(t, res)
			readsBack(t, dir, res)
			path := filepath.Join(dir, runsFile)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.SplitAfter(string(text), "\n")
			slices.Reverse(lines)
			if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644); err != nil {
				t.Fatal(err)
			}
			readsBack(t, dir, res)
		})
	}
}

// readsBack demands that a folder holds results.
func readsBack(t *testing.T, dir string, want *Results) {
	t.Helper()
	plan, outcomes, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := written(t, Aggregate(plan, ByKey(outcomes))), written(t, want); got != want {
		t.Errorf("read back\n%s\nwant\n%s", got, want)
	}
}

// TestReadRefuses: each in one line that names the file and what is wrong in it.
func TestReadRefuses(t *testing.T) {
	for name, c := range map[string]struct{ file, old, new, want string }{
		"the version before": {resultsFile, `"schema_version": 3`, `"schema_version": 2`,
			"results.json: schema_version = 2: this version of kneepoint does not read it, run the experiment again; allowed: 3"},
		"a later version":          {resultsFile, `"schema_version": 3`, `"schema_version": 4`, "schema_version = 4"},
		"another tool":             {resultsFile, `"tool": "kneepoint"`, `"tool": "bench"`, "results.json: holds no results of kneepoint"},
		"half a file":              {resultsFile, `"version"`, ``, "results.json: holds no results of kneepoint"},
		"no replications":          {resultsFile, `"replications": 2`, `"replications": 0`, "results.json: points: strategies, points or replications are missing"},
		"a list as a value":        {resultsFile, `100000000.0`, `[1]`, "results.json: is no whole results.json: [1] is no swept value"},
		"values without a path":    {resultsFile, `"sweep": [`, `"swept": [`, "results.json: points[0]: does not have one value for each swept variable"},
		"a figure of no kind":      {resultsFile, `"kind": "cdf"`, `"kind": "pie"`, "results.json: plots[1]: is a figure of what is not there"},
		"a figure over nothing":    {resultsFile, `"x": "workload`, `"x": "x.workload`, "results.json: plots[0]: is a figure of what is not there"},
		"a figure per nothing":     {resultsFile, `"kind": "cdf"`, `"per": "euro", "kind": "cdf"`, "results.json: plots[1]: is a figure of what is not there"},
		"a figure of no size":      {resultsFile, `"kind": "cdf"`, `"size": "a4", "kind": "cdf"`, "results.json: plots[1]: is a figure of what is not there"},
		"a figure by nothing":      {resultsFile, `"by": "class"`, `"by": "model.name"`, "results.json: plots[1]: is a figure of what is not there"},
		"a figure of other values": {resultsFile, `"filter": {`, `"filter": {"mbu": [1], `, "results.json: plots[0]: is a figure of what is not there"},
		"a figure elsewhere":       {resultsFile, `"file": "tpot.pdf"`, `"file": "../tpot.pdf"`, "results.json: plots[0]: is a figure of what is not there"},
		"half a line":              {runsFile, "\n", "", "runs.ndjson:1: is no run: invalid character"},
		"another point":            {runsFile, `"workload.arrival.rate":1}`, `"workload.arrival.rate":3}`, "runs.ndjson:1: is a run that is not in the plan of results.json"},
		"another strategy":         {runsFile, `"strategy":"b"`, `"strategy":"c"`, "runs.ndjson:3: is a run that is not in the plan"},
		"another replication":      {runsFile, `"replication":1`, `"replication":2`, "runs.ndjson:2: is a run that is not in the plan"},
		"no key":                   {runsFile, `"key":"B"`, `"key":""`, "runs.ndjson:2: is no run: it lacks key, metrics or why"},
		"text for a metric":        {runsFile, `"rejected":0`, `"rejected":"none"`, "runs.ndjson:1: is no run: rejected is none, which is no value of a metric"},
		"another outcome":          {runsFile, `"key":"B"`, `"key":"A"`, "runs.ndjson:2: has the key of an earlier run, and another outcome"},
		"the same run twice":       {runsFile, `"replication":1`, `"replication":0`, "runs.ndjson:2: is a run that was there before"},
	} {
		t.Run(name, func(t *testing.T) {
			plan := twoByThree()
			dir := folderOf(t, Aggregate(plan, ByKey(outcomesOf(plan))))
			path := filepath.Join(dir, c.file)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			changed := strings.Replace(string(text), c.old, c.new, 1)
			if changed == string(text) {
				t.Fatalf("%s has no %q", c.file, c.old)
			}
			if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
				t.Fatal(err)
			}
			_, _, err = Read(dir)
			var bad *badinput.Error
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("says %q, want %q", err, c.want)
			}
		})
	}
	t.Run("no folder", func(t *testing.T) {
		if _, _, err := Read("none such"); err == nil || !strings.Contains(err.Error(), "none such/results.json: cannot be read") {
			t.Errorf("says %v", err)
		}
	})
}
