package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
)

// compareExperiment runs one experiment with both versions.
func compareExperiment(c *comparison, name string, base, work *version) error {
	before, err := runExperiment(base, name)
	if err != nil {
		return err
	}
	now, err := runExperiment(work, name)
	if err != nil {
		return err
	}
	c.outcomes(name, before.outcome, now.outcome)
	c.folders(name, before.folder, now.folder)
	return nil
}

// experiment is all that a version says about an experiment.
type experiment struct {
	outcome
	*folder
}

func runExperiment(v *version, name string) (*experiment, error) {
	dir := filepath.Join(v.dir, name)
	out, err := v.run("run", name, "--quiet", "--out", dir)
	if err != nil {
		return nil, err
	}
	written, err := readFolder(dir)
	return &experiment{out, written}, err
}

// outcomes compares what was printed and how the command ended.
func (c *comparison) outcomes(name string, base, work outcome) {
	c.texts(name+": tables", base.stdout, work.stdout)
	if base.status != work.status {
		c.differ(name, "exit status %d became %d", base.status, work.status)
	}
}

// folders compares what was written.
func (c *comparison) folders(name string, base, work *folder) {
	c.warnings(name+": warnings", base.facts["warnings"], work.facts["warnings"])
	for _, f := range []*folder{base, work} {
		delete(f.facts, "warnings")
	}
	c.objects(name+": results: ", base.facts, work.facts)
	for _, run := range slices.Sorted(maps.Keys(base.runs)) {
		if _, ok := work.runs[run]; !ok {
			c.differ(name, "%s is gone", run)
			continue
		}
		c.values(name+": "+run+": ", base.runs[run], work.runs[run])
	}
	for _, run := range slices.Sorted(maps.Keys(work.runs)) {
		if _, ok := base.runs[run]; !ok {
			c.differ(name, "%s is new", run)
		}
	}
	c.figures(name, base.files, work.files)
}

func (c *comparison) figures(name string, base, work map[string][]byte) {
	for _, file := range slices.Sorted(maps.Keys(base)) {
		image, ok := work[file]
		switch {
		case !ok:
			c.differ(name, "%s is gone", file)
		case !bytes.Equal(base[file], image):
			c.differ(name, "%s looks different", file)
		}
	}
	for _, file := range slices.Sorted(maps.Keys(work)) {
		if _, ok := base[file]; !ok {
			c.add("figure " + file + " of " + name)
		}
	}
}

// compareValidation compares every error against measurements.
func compareValidation(c *comparison, measured string, base, work *version) error {
	measured, err := filepath.Abs(measured)
	if err != nil {
		return err
	}
	before, err := runValidation(base, measured)
	if err != nil {
		return err
	}
	now, err := runValidation(work, measured)
	if err != nil {
		return err
	}
	c.values("validate: results: ", before, now)
	return nil
}

func runValidation(v *version, measured string) (any, error) {
	out, err := v.run("validate", measured, "--json", "--quiet")
	if err != nil {
		return nil, err
	}
	var report any
	return report, json.Unmarshal([]byte(out.stdout), &report)
}
