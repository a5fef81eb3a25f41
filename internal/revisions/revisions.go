// Package revisions builds kneepoint as it was at a revision of the repository, and as the working tree has it, for
// programs that compare two of them.
//
// It knows git and the go command. It must not know what the kneepoints are built for.
package revisions

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
)

// Build builds kneepoint as it was at a revision, in a folder whose files binary and binary-tree nobody else has. The working
// tree for it is removed again.
func Build(revision, binary string) error {
	tree := binary + "-tree"
	if _, err := call("", "git", "worktree", "add", "--detach", tree, revision); err != nil {
		return err
	}
	err := buildTree(tree, binary)
	_, removed := call("", "git", "worktree", "remove", "--force", tree)
	return errors.Join(err, removed)
}

// BuildWorkTree builds kneepoint as the files here have it.
func BuildWorkTree(binary string) error {
	top, err := call("", "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	return buildTree(filepath.FromSlash(string(bytes.TrimSpace(top))), binary)
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
