package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// folder is what an experiment wrote.
type folder struct {
	facts map[string]any // results.json without the runs and what names the version
	runs  map[string]any // by strategy, point, seed and replication
	files map[string][]byte
}

// readFolder reads the results in either form: schema version 1 keeps the runs
// in results.json and warnings as text; version 2 has a line per run in
// runs.ndjson, and warnings of several fields.
func readFolder(dir string) (*folder, error) {
	f := &folder{runs: map[string]any{}}
	text, err := os.ReadFile(filepath.Join(dir, "results.json"))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &f.facts); err != nil {
		return nil, fmt.Errorf("results.json: %w", err)
	}
	if err := f.readRuns(dir); err != nil {
		return nil, err
	}
	for _, key := range []string{"tool", "schema_version", "version", "runs"} {
		delete(f.facts, key)
	}
	return f, f.readFiles(dir)
}

// readRuns takes the runs from where they are.
func (f *folder) readRuns(dir string) error {
	if runs, inside := f.facts["runs"].([]any); inside {
		for _, run := range runs {
			if err := f.addRun(run); err != nil {
				return fmt.Errorf("results.json: %w", err)
			}
		}
		return nil
	}
	text, err := os.ReadFile(filepath.Join(dir, "runs.ndjson"))
	if err != nil {
		return err
	}
	lines := json.NewDecoder(bufio.NewReader(bytes.NewReader(text)))
	for {
		var run any
		switch err := lines.Decode(&run); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("runs.ndjson: %w", err)
		}
		if err := f.addRun(run); err != nil {
			return fmt.Errorf("runs.ndjson: %w", err)
		}
	}
}

// addRun files a run under what it is a run of. Its key in a store is a hash of
// the scenario's form, not a result.
func (f *folder) addRun(run any) error {
	fields, ok := run.(map[string]any)
	if !ok {
		return fmt.Errorf("a run is %v, want an object", run)
	}
	delete(fields, "key")
	name := fmt.Sprintf("run of %v at %s, seed %v, replication %v",
		fields["strategy"], point(fields["point"]), fields["seed"], fields["replication"])
	if _, twice := f.runs[name]; twice {
		return fmt.Errorf("two times the %s", name)
	}
	f.runs[name] = fields
	return nil
}

// point writes the values of the swept variables in one order.
func point(values any) string {
	fields, _ := values.(map[string]any)
	var parts []string
	for path, value := range fields {
		parts = append(parts, fmt.Sprintf("%s=%v", path, value))
	}
	slices.Sort(parts)
	if len(parts) == 0 {
		return "the only point"
	}
	return strings.Join(parts, " ")
}

// readFiles reads the figures and tables of text. Those of values repeat what the runs say.
func (f *folder) readFiles(dir string) error {
	f.files = map[string][]byte{}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if !slices.Contains([]string{".png", ".svg", ".txt"}, filepath.Ext(path)) {
			return nil
		}
		f.files[filepath.Base(path)], err = os.ReadFile(path)
		return err
	})
}
