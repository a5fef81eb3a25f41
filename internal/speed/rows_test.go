package main

import (
	"testing"

	"kneepoint/experiments"
)

// TestRowsAreExperiments: every row is a file that kneepoint runs as one simulation.
func TestRowsAreExperiments(t *testing.T) {
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			path, err := r.write(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			file, err := experiments.Load(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := file.Check(); err != nil {
				t.Fatal(err)
			}
		})
	}
}
