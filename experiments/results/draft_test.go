package results

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestDraftsLeftByAKill: the next run removes them, and puts a folder back that had been
// moved aside; but not those of a program that still runs.
func TestDraftsLeftByAKill(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "o")
	put(t, dir, "results.json")
	running, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer running.Discard()
	killed, err := newDraft(parent, dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir, killed.old()); err != nil {
		t.Fatal(err)
	}
	if err := killed.lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	next, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	next.Discard()
	holds(t, dir, "results.json=new")
	entries, err := os.ReadDir(parent)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); name != "o" && name != filepath.Base(running.draft.dir) {
			t.Errorf("%s is left", name)
		}
	}
	if _, err := os.Stat(running.Path()); err != nil {
		t.Errorf("the draft of a program that runs: %v", err)
	}
}

// TestDraftsLeftByAKillWhileRemoved: whatever a program had removed of its draft when it was
// killed, the next run removes the rest.
func TestDraftsLeftByAKillWhileRemoved(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "o")
	put(t, dir, "results.json")
	for _, in := range []string{parent, dir} {
		for left := range 1 << 3 {
			draft := filepath.Join(in, fmt.Sprint(".o.draft-", left))
			if err := os.Mkdir(draft, 0o700); err != nil {
				t.Fatal(err)
			}
			for i, file := range []string{"new/results.json", "old/results.json", "lock"} {
				if left>>i&1 == 1 {
					write(t, filepath.Join(draft, file), "")
				}
			}
		}
	}
	put(t, dir, "results.json")
	for _, in := range []string{parent, dir} {
		if left, err := filepath.Glob(filepath.Join(in, ".o.draft-*")); err != nil || len(left) > 0 {
			t.Errorf("%q are left: %v", left, err)
		}
	}
}

// TestReplacedFolderDoesNotComeBack: a program that is killed while it removes the folder that its results replaced leaves a part of
// it, which is not put in the place of results that somebody has removed since.
func TestReplacedFolderDoesNotComeBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "o")
	put(t, dir, "results.json", "a.png")
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.draft.lock.Unlock(), os.RemoveAll(dir)); err != nil { // the kill, and somebody
		t.Fatal(err)
	}
	next, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	next.Discard()
	if _, err := os.Lstat(dir); err == nil {
		t.Error("the folder is back")
	}
}

// TestNamesLikeADraft: a file or a folder that is called like a draft, and is none, is kept.
func TestNamesLikeADraft(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "o")
	put(t, dir, "results.json")
	foreign := []string{".o.draft-1", ".o.draft-2/notes", ".o.draft-3/new/notes", ".o.draft-3/lock", ".o.draft-3/notes",
		".o.draft-mine/lock", ".o.draft-4x/new/notes"}
	for _, in := range []string{parent, dir} {
		for _, name := range foreign {
			write(t, filepath.Join(in, name), "mine")
		}
	}
	put(t, dir, "results.json")
	for _, in := range []string{parent, dir} {
		for _, name := range foreign {
			if text, err := os.ReadFile(filepath.Join(in, name)); err != nil || string(text) != "mine" {
				t.Errorf("%s/%s is %q: %v", in, name, text, err)
			}
		}
	}
}
