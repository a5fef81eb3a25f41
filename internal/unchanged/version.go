package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
		err = buildRevision(o.revision, filepath.Join(dir, "tree"), base.binary)
	} else {
		base.binary, err = filepath.Abs(o.binary)
	}
	if err != nil {
		return nil, nil, err
	}
	top, err := call("", "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, nil, err
	}
	return base, work, buildTree(string(bytes.TrimSpace(top)), work.binary)
}

// buildRevision builds kneepoint as it was at a revision, from a working tree
// that is removed again.
func buildRevision(revision, tree, binary string) error {
	if _, err := call("", "git", "worktree", "add", "--detach", tree, revision); err != nil {
		return err
	}
	return errors.Join(buildTree(tree, binary), removeTree(tree))
}

func removeTree(tree string) error {
	_, err := call("", "git", "worktree", "remove", "--force", tree)
	return err
}

func buildTree(tree, binary string) error {
	_, err := call(tree, "go", "build", "-buildvcs=false", "-o", binary, "./cmd/kneepoint")
	return err
}

// call runs a program that must succeed and returns its standard output.
func call(dir, program string, args ...string) ([]byte, error) {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %v: %w\n%s", program, args, err, stderr.Bytes())
	}
	return out, nil
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
