package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"kneepoint/internal/revisions"
)

// version is one kneepoint: its binary, and the folder that its runs write to.
type version struct {
	binary string
	dir    string
}

// build makes the two versions, in folders of dir.
func build(o *options, dir string) (base, work *version, err error) {
	base = &version{binary: o.binary, dir: filepath.Join(dir, "base")}
	work = &version{binary: filepath.Join(dir, "kneepoint"), dir: filepath.Join(dir, "work")}
	for _, v := range []*version{base, work} {
		if err := os.Mkdir(v.dir, 0o755); err != nil {
			return nil, nil, err
		}
	}
	if o.binary == "" {
		base.binary = filepath.Join(dir, "kneepoint-base")
		err = revisions.Build(o.revision, base.binary)
	} else {
		base.binary, err = filepath.Abs(o.binary)
	}
	if err != nil {
		return nil, nil, err
	}
	return base, work, revisions.BuildWorkTree(work.binary)
}

// outcome is what a command line printed and how it ended.
type outcome struct {
	stdout string
	status int
}

// run calls kneepoint. Failing is an outcome like any other: an experiment whose
// expectations are missed ends with status 1.
func (v *version) run(args ...string) (outcome, error) {
	cmd := exec.Command(v.binary, args...)
	cmd.Dir = v.dir
	cmd.Env = append(os.Environ(), "KNEEPOINT_STORE=off") // both are to simulate
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return outcome{string(out), exit.ExitCode()}, nil
	}
	return outcome{stdout: string(out)}, err
}

// names lists the experiments that a version ships.
func (v *version) names() ([]string, error) {
	out, err := v.run("list", "experiments", "--json")
	if err != nil {
		return nil, err
	}
	var rows []struct{ Name string }
	if err := json.Unmarshal([]byte(out.stdout), &rows); err != nil {
		return nil, fmt.Errorf("list experiments: %w", err)
	}
	var names []string
	for _, row := range rows {
		names = append(names, row.Name)
	}
	return names, nil
}

// common lists the experiments of both versions. One that is gone is a
// difference; one that is new has nothing to be compared with.
func common(c *comparison, base, work *version) ([]string, error) {
	before, err := base.names()
	if err != nil {
		return nil, err
	}
	now, err := work.names()
	if err != nil {
		return nil, err
	}
	for _, name := range now {
		if !slices.Contains(before, name) {
			c.add("experiment " + name)
		}
	}
	return slices.DeleteFunc(before, func(name string) bool {
		gone := !slices.Contains(now, name)
		if gone {
			c.differ(name, "is gone")
		}
		return gone
	}), nil
}
