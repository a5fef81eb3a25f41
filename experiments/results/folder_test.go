package results

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// put commits files into a folder, as results are, and returns what was renamed.
func put(t *testing.T, dir string, names ...string) []string {
	t.Helper()
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Discard()
	for _, name := range names {
		write(t, filepath.Join(f.Path(), name), "new")
	}
	renamed, err := f.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return renamed
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// holds demands that a folder has these files, each as NAME=TEXT, beside the manifest.
func holds(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		switch {
		case e.Name() == manifestFile:
		case err != nil:
			got = append(got, e.Name()+"/")
		default:
			got = append(got, e.Name()+"="+string(text))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("holds %q, want %q", got, want)
	}
}

// TestFolderKeepsWhatIsNotOurs: files of somebody else survive however often results
// replace each other beside them.
func TestFolderKeepsWhatIsNotOurs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "o")
	put(t, dir, "results.json", "a.png")
	holds(t, dir, "a.png=new", "results.json=new")
	write(t, filepath.Join(dir, "notes.txt"), "mine")
	write(t, filepath.Join(dir, "results.json"), "old")
	put(t, dir, "results.json", "b.png")
	holds(t, dir, "b.png=new", "notes.txt=mine", "results.json=new")
	put(t, dir, "results.json")
	holds(t, dir, "notes.txt=mine", "results.json=new")
}

// TestFolderRenamesWhatIsInItsWay: a file of somebody else with the name of a result,
// also a second one.
func TestFolderRenamesWhatIsInItsWay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "o")
	put(t, dir, "results.json")
	for i, text := range []string{"first", "second"} {
		write(t, filepath.Join(dir, "a.png"), text)
		if renamed := put(t, dir, "results.json", "a.png"); len(renamed) != 1 {
			t.Errorf("%d: renamed %q, want one", i, renamed)
		}
		put(t, dir, "results.json")
	}
	holds(t, dir, "a.png.kept-1=first", "a.png.kept-2=second", "results.json=new")
}

// TestFolderOfTheFirstVersion has no list of its files: results take the places of
// results, and whatever else is there stays.
func TestFolderOfTheFirstVersion(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "results.json"), `{"tool": "kneepoint"}`)
	for _, name := range []string{"requests.csv", "a.png", "notes.txt"} {
		write(t, filepath.Join(dir, name), "old")
	}
	put(t, dir, "results.json", "a.png")
	holds(t, dir, "a.png=new", "notes.txt=old", "results.json=new")
}

// TestFolderThatCannotBeRenamed: the parent cannot be written to, as around a mounted
// volume.
func TestFolderThatCannotBeRenamed(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "o")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(parent, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(parent, 0o755) })
	if os.Mkdir(filepath.Join(parent, "x"), 0o755) == nil {
		t.Skip("this user may write anywhere")
	}
	put(t, dir, "results.json", "a.png")
	put(t, dir, "results.json", "b.png")
	holds(t, dir, "b.png=new", "results.json=new")
}

// TestMoveInto is that case for a user who may write anywhere: files are moved one by
// one, results.json last.
func TestMoveInto(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "results.json", "a.png")
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Discard()
	write(t, filepath.Join(f.Path(), "results.json"), "newer")
	write(t, filepath.Join(f.Path(), "z.png"), "newer")
	next, err := newManifest(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := next.inOrder(), []string{"z.png", "results.json"}; !slices.Equal(got, want) {
		t.Errorf("moves %q, want %q", got, want)
	}
	if _, err := f.moveIn(next); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, "results.json=newer", "z.png=newer")
}

// TestKillBeforeFilesAreMoved: a file of somebody else that has the name of a result was
// renamed before the list says that it is one, by which the next run would replace it.
func TestKillBeforeFilesAreMoved(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "results.json")
	write(t, filepath.Join(dir, "a.png"), "mine")
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Discard()
	write(t, filepath.Join(f.Path(), "a.png"), "newer")
	next, err := newManifest(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(f.Path()); err != nil { // so that nothing can be moved
		t.Fatal(err)
	}
	if _, err := f.moveIn(next); err == nil {
		t.Fatal("moves what is not there")
	}
	put(t, dir, "results.json", "a.png")
	holds(t, dir, "a.png=new", "a.png.kept-1=mine", "results.json=new")
}

// TestFoldersCalledLikeResults are somebody else's, whatever the list says.
func TestFoldersCalledLikeResults(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "results.json", "a.png", "b.png")
	for _, name := range []string{"results.json", "b.png"} {
		if err := errors.Join(os.Remove(filepath.Join(dir, name)), os.Mkdir(filepath.Join(dir, name), 0o755)); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name, "notes"), "mine")
	}
	put(t, dir, "results.json", "a.png")
	for _, path := range []string{"results.json.kept-1/notes", "b.png/notes"} {
		if text, err := os.ReadFile(filepath.Join(dir, path)); err != nil || string(text) != "mine" {
			t.Errorf("%s is %q: %v", path, text, err)
		}
	}
}

// TestTwoRunsAtOnce: several that put their results into a folder at once, into which files
// are moved one by one, all do, and the last one's are there.
func TestTwoRunsAtOnce(t *testing.T) {
	for range 20 {
		dir := t.TempDir()
		put(t, dir, "results.json")
		write(t, filepath.Join(dir, "notes"), "mine")
		var runs sync.WaitGroup
		for i := range 4 {
			f, err := OpenFolder(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"results.json", "runs.ndjson", fmt.Sprint(i, ".png")} {
				write(t, filepath.Join(f.Path(), name), fmt.Sprint(i))
			}
			runs.Go(func() {
				defer f.Discard()
				if _, err := f.Commit(); err != nil {
					t.Error(err)
				}
			})
		}
		runs.Wait()
		last, err := os.ReadFile(filepath.Join(dir, "results.json"))
		if err != nil {
			t.Fatal(err)
		}
		holds(t, dir, string(last)+".png="+string(last), "notes=mine", "results.json="+string(last), "runs.ndjson="+string(last))
	}
}

// TestManifestNamesFilesOfTheFolder alone, whatever somebody wrote into it.
func TestManifestNamesFilesOfTheFolder(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, manifestFile), strings.Join([]string{"a.png", "../b", "c/d", "/e", "..", ".", ""}, "\n"))
	m := readManifest(dir)
	delete(m.names, manifestFile)
	if len(m.names) != 1 || !m.has("a.png") {
		t.Errorf("%v, want a.png alone", m.names)
	}
}

// TestCopyFile: a file that cannot be renamed, since it goes to another file system, is
// copied.
func TestCopyFile(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a"), "text")
	if err := copyFile(filepath.Join(dir, "a"), filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, "a=text", "b=text")
	if err := copyFile(filepath.Join(dir, "absent"), filepath.Join(dir, "c")); err == nil {
		t.Error("no error for a file that is not there")
	}
}
