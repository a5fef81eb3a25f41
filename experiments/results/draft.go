package results

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// draft is a hidden folder in which the files of a folder of results are made. It is
// locked for as long as the program that made it runs: one that is not locked was
// left by a program that was killed.
type draft struct {
	dir  string
	lock *flock.Flock
}

// What a draft has in it: its lock, the files that are made, and for a moment those that
// they replace.
const (
	lockFile  = "lock"
	newFolder = "new"
	oldFolder = "old"
)

func (d *draft) files() string { return filepath.Join(d.dir, newFolder) }
func (d *draft) old() string   { return filepath.Join(d.dir, oldFolder) }

// draftPrefix is how the names of the drafts of a folder begin.
func draftPrefix(target string) string { return "." + filepath.Base(target) + ".draft-" }

// isDraft tells whether an entry of the folder in is a draft of target: it has a name that
// os.MkdirTemp gives one, and nothing in it but what a draft has. Any of that may be
// missing from one that was left half made or half removed.
func isDraft(in string, e os.DirEntry, target string) bool {
	number, called := strings.CutPrefix(e.Name(), draftPrefix(target))
	if !called || !e.IsDir() || strings.Trim(number, "0123456789") != "" {
		return false
	}
	entries, err := os.ReadDir(filepath.Join(in, e.Name()))
	return err == nil && !slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return !slices.Contains([]string{lockFile, newFolder, oldFolder}, e.Name())
	})
}

// newDraft makes and locks a draft of target in a folder. As long as it is not locked, another
// program takes it for one that was left, and removes it; then the next try has more luck.
func newDraft(in, target string) (*draft, error) {
	var err error
	for range 5 {
		var d *draft
		if d, err = tryDraft(in, target); err == nil {
			return d, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return nil, err
}

func tryDraft(in, target string) (*draft, error) {
	dir, err := os.MkdirTemp(in, draftPrefix(target))
	if err != nil {
		return nil, err
	}
	d := lockOf(dir)
	switch locked, err := d.lock.TryLock(); {
	case err != nil:
		_ = os.RemoveAll(dir)
		return nil, err
	case !locked:
		return nil, fs.ErrNotExist // in a moment
	}
	if err := os.Mkdir(d.files(), 0o755); err != nil {
		d.remove(target)
		return nil, err
	}
	return d, nil
}

// lockOf is the draft in a folder, not locked yet.
func lockOf(dir string) *draft { return &draft{dir, flock.New(filepath.Join(dir, lockFile))} }

// clearDrafts removes the drafts of target in a folder that nobody has locked. It has no
// errors: what cannot be looked at is no obstacle. One that is empty goes without a lock, which would make a file in it:
// whoever has just made the draft would not know that file from its own.
func clearDrafts(in, target string) {
	entries, _ := os.ReadDir(in)
	for _, e := range entries {
		if !isDraft(in, e, target) {
			continue
		}
		d := lockOf(filepath.Join(in, e.Name()))
		if os.Remove(d.dir) == nil {
			continue
		}
		if locked, err := d.lock.TryLock(); err == nil && locked {
			d.remove(target)
		}
	}
}

// remove removes the draft. A folder that was moved into it, and for which nothing took
// the place, goes back. The draft stays locked until it is gone, so that who was about to lock it does not take it for
// its own; what cannot be removed while it is open goes after.
func (d *draft) remove(target string) {
	if _, err := os.Lstat(target); errors.Is(err, fs.ErrNotExist) {
		_ = os.Rename(d.old(), target)
	}
	_ = os.RemoveAll(d.dir)
	_ = d.lock.Unlock()
	_ = os.RemoveAll(d.dir)
}

// swap lets the files take the place of target, which may be missing, and is left as it
// was when that fails. It is moved aside first, since no system renames onto a
// folder that has files. Once another one is in its place it is like any file of the draft: one
// of which a kill left a part must not come back.
func (d *draft) swap(target string) error {
	err := os.Rename(target, d.old())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(d.files(), target); err != nil {
		_ = os.Rename(d.old(), target)
		return err
	}
	_ = os.Rename(d.old(), d.files())
	return nil
}

// commitWait is how long a run waits for others to put their results in place, which takes
// them milliseconds, and as long as their disk where they have to copy.
const commitWait = 30 * time.Second

// lockFolder keeps other runs from putting results into a folder below parent meanwhile: of
// two that move files into the same one, each would take those of the other. Where
// nothing can be locked, or somebody else keeps the lock, it goes without.
func lockFolder(parent string) (unlock func()) {
	lock := flock.New(parent, flock.SetFlag(os.O_RDONLY))
	ctx, cancel := context.WithTimeout(context.Background(), commitWait)
	defer cancel()
	_, _ = lock.TryLockContext(ctx, time.Millisecond)
	return func() { _ = lock.Close() }
}

// setAside renames a file to the first free name behind its own, and returns that.
func setAside(path string) (string, error) {
	for n := 1; ; n++ {
		to := fmt.Sprintf("%s.kept-%d", path, n)
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			return to, os.Rename(path, to)
		}
	}
}

// move moves a file, also to another file system, where it is copied first: it is
// never there in part.
func move(from, to string) error {
	if os.Rename(from, to) == nil {
		return nil
	}
	part := filepath.Join(filepath.Dir(to), partFile)
	if err := copyFile(from, part); err != nil {
		_ = os.Remove(part)
		return err
	}
	return os.Rename(part, to)
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
