package results

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kneepoint/units/badinput"
)

// Folder is where results go. They are written to a draft beside it, and put in place
// when everything is there, so that there is never a partial file where a whole one
// was. Files in the folder that kneepoint did not write are kept.
type Folder struct {
	target string // absolute, and where a link leads to
	draft  *draft
	made   []string // parents that had to be made, the outermost first
}

// OpenFolder prepares to write results to dir: a new or an empty folder, or one that
// kneepoint wrote to before. Any other one, and a dir that cannot be written, is a
// *badinput.Error of --out. Discard must follow, whatever happens.
func OpenFolder(dir string) (*Folder, error) {
	if f, err := openFolder(dir); err == nil {
		return f, nil
	}
	if path, err := filepath.Abs(dir); err == nil {
		defer lockFolder(filepath.Dir(path))() // while another run puts its results in place the folder is absent for a moment
	}
	return openFolder(dir)
}

func openFolder(dir string) (*Folder, error) {
	target, err := resolve(dir)
	if err != nil {
		return nil, unwritable(dir, err)
	}
	parent := filepath.Dir(target)
	clearDrafts(parent, target)
	clearDrafts(target, target)
	if err := checkOurs(dir, target); err != nil {
		return nil, err
	}
	f := &Folder{target: target, made: missing(parent)}
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, unwritable(dir, err)
	}
	if f.draft, err = newDraft(parent, target); err != nil {
		f.draft, err = newDraft(target, target) // a volume may be writable where its neighbourhood is not
	}
	if err != nil {
		f.removeMade()
		return nil, unwritable(dir, err)
	}
	return f, nil
}

// resolve is the absolute path of a folder, with links followed as far as it exists.
func resolve(dir string) (string, error) {
	target, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if _, err := os.Lstat(target); err != nil {
		return target, nil
	}
	return filepath.EvalSymlinks(target)
}

func unwritable(dir string, err error) error {
	return &badinput.Error{Key: "--out", Value: dir, Problem: "cannot be written: " + badinput.Reason(err), Allowed: "a folder"}
}

// Path is where results are written until Commit: figures go there too. It is not the
// folder that was opened, and is gone after Commit or Discard.
func (f *Folder) Path() string { return f.draft.files() }

// Commit puts the results in place. A folder that holds nothing else takes the place
// of an earlier one at once. Where that cannot be, since there are other files, or
// the folder is a mounted volume or the current one, files are moved into it one by
// one, results.json last. A file of somebody else that has the name of a result
// is renamed; renamed lists the new names.
func (f *Folder) Commit() (renamed []string, err error) {
	next, err := newManifest(f.Path())
	if err != nil {
		return nil, err
	}
	if err := next.write(f.Path()); err != nil {
		return nil, err
	}
	defer lockFolder(filepath.Dir(f.target))()
	if f.replaceable() && f.draft.swap(f.target) == nil {
		return nil, nil
	}
	return f.moveIn(next)
}

// replaceable tells whether the folder holds nothing but results, and is not where a
// shell or this program stands.
func (f *Folder) replaceable() bool {
	if here, err := os.Getwd(); err == nil {
		if below, err := filepath.Rel(f.target, here); err == nil && below != ".." && !strings.HasPrefix(below, ".."+string(filepath.Separator)) {
			return false
		}
	}
	entries, err := os.ReadDir(f.target)
	if err != nil {
		return true // it is not there, or renaming will tell
	}
	ours := readManifest(f.target)
	return !slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return (e.IsDir() || !ours.has(e.Name())) && !isDraft(f.target, e, f.target)
	})
}

// moveIn moves files into the folder. The manifest names the old and the new ones
// while that goes on, so that a run after an interrupted one knows them; hence files of
// somebody else make room before.
func (f *Folder) moveIn(next manifest) (renamed []string, err error) {
	before := readManifest(f.target)
	if renamed, err = f.makeRoom(next, before); err != nil {
		return renamed, err
	}
	if err := before.with(next).write(f.target); err != nil {
		return renamed, err
	}
	for _, name := range next.inOrder() {
		if err := move(filepath.Join(f.Path(), name), filepath.Join(f.target, name)); err != nil {
			return renamed, err
		}
	}
	for name := range before.names {
		if !next.has(name) {
			_ = os.Remove(filepath.Join(f.target, name)) // a folder with something in it is not ours
		}
	}
	return renamed, next.write(f.target)
}

// makeRoom renames what has the name of a result and is none: a file that is not listed, or
// a folder.
func (f *Folder) makeRoom(next, before manifest) (renamed []string, err error) {
	for _, name := range next.inOrder() {
		there := filepath.Join(f.target, name)
		info, err := os.Lstat(there)
		if err != nil || before.mayReplace(name) && !info.IsDir() {
			continue
		}
		kept, err := setAside(there)
		if err != nil {
			return renamed, err
		}
		renamed = append(renamed, kept)
	}
	return renamed, nil
}

// Discard removes what was written and not committed, and the parents that were
// made for it and are empty. It has no errors: what cannot be removed is a hidden
// folder, and no result depends on it.
func (f *Folder) Discard() {
	f.draft.remove(f.target)
	f.removeMade()
}

func (f *Folder) removeMade() {
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

// Create writes a file of the folder, like Write: it is seen there after Commit. What a full disk says is said once, though the
// buffer says it again.
func (f *Folder) Create(name string, write func(io.Writer) error) error {
	file, err := os.Create(filepath.Join(f.Path(), name))
	if err != nil {
		return err
	}
	b := bufio.NewWriter(file)
	if err = write(b); err == nil {
		err = b.Flush()
	}
	return errors.Join(err, file.Close())
}
