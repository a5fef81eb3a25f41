package results

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"kneepoint/units/badinput"
)

// Folder is where results go. They are written to a temporary neighbour that
// takes the folder's place when everything is there, so that there is never a
// partial folder where a whole one was.
type Folder struct {
	target string
	draft  string
	made   []string // parents that had to be made, the outermost first
}

// OpenFolder prepares to write results to dir. An existing dir is replaced only if
// kneepoint wrote it: its results.json says so. Any other one, and a dir that cannot
// be written, is a *badinput.Error of --out. Discard must follow, whatever happens.
func OpenFolder(dir string) (*Folder, error) {
	if err := checkOurs(dir); err != nil {
		return nil, err
	}
	parent := filepath.Dir(filepath.Clean(dir))
	made := missing(parent)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, unwritable(dir, err)
	}
	draft, err := os.MkdirTemp(parent, "."+filepath.Base(dir)+".draft-")
	if err != nil {
		return nil, unwritable(dir, err)
	}
	if err := os.Chmod(draft, 0o755); err != nil {
		return nil, unwritable(dir, err)
	}
	return &Folder{target: filepath.Clean(dir), draft: draft, made: made}, nil
}

func unwritable(dir string, err error) error {
	return &badinput.Error{Key: "--out", Value: dir, Problem: "cannot be written: " + badinput.Reason(err)}
}

// checkOurs refuses a folder, or a file, that kneepoint did not write. A folder
// that is missing or empty is fine.
func checkOurs(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(entries) == 0:
		return nil
	case err != nil:
		return unwritable(dir, err)
	}
	var marked struct {
		Tool string `json:"tool"`
	}
	text, err := os.ReadFile(filepath.Join(dir, resultsFile))
	if err == nil && json.Unmarshal(text, &marked) == nil && marked.Tool == Tool {
		return nil
	}
	return &badinput.Error{Key: "--out", Value: dir, Problem: "is a folder that kneepoint did not write, so it is not replaced",
		Allowed: "a new folder, or one of earlier results"}
}

// Path is where results are written until Commit: figures go there too. It is not the
// folder that was opened, and is gone after Commit or Discard.
func (f *Folder) Path() string { return f.draft }

// Commit puts the folder in its place. An earlier one is moved aside first, since no
// system renames onto a folder that has files, and back when that fails.
func (f *Folder) Commit() error {
	old := f.draft + ".old"
	err := os.Rename(f.target, old)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(f.draft, f.target); err != nil {
		_ = os.Rename(old, f.target)
		return err
	}
	return os.RemoveAll(old)
}

// Discard removes what was written, unless it was committed, and the parents that were
// made for it and are empty. It has no errors: what cannot be removed is a hidden
// folder, and no result depends on it.
func (f *Folder) Discard() {
	_ = os.RemoveAll(f.draft)
	for _, parent := range slices.Backward(f.made) {
		_ = os.Remove(parent)
	}
}

// missing lists the folders above and at dir that do not exist, the outermost
// first.
func missing(dir string) []string {
	if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
		return nil
	}
	return append(missing(filepath.Dir(dir)), dir)
}

// create writes one file of the folder.
func (f *Folder) create(name string, write func(io.Writer) error) error {
	file, err := os.Create(filepath.Join(f.draft, name))
	if err != nil {
		return err
	}
	b := bufio.NewWriter(file)
	return errors.Join(write(b), b.Flush(), file.Close())
}
