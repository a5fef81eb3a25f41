package catalog

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

type shelf struct {
	Books []struct {
		Title string `toml:"title"`
	} `toml:"book"`
}

func folder(files ...string) fstest.MapFS {
	all := fstest.MapFS{}
	for i := 0; i < len(files); i += 2 {
		all["shelves/"+files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return all
}

func shelvesOf(files fstest.MapFS) ([]shelf, error) {
	return NewFolder(files, "shelves/*.toml", Unchecked[shelf]).All()
}

func TestFolder(t *testing.T) {
	shelves, err := shelvesOf(folder("b.toml", "[[book]]\ntitle = \"second\"", "a.toml", "[[book]]\ntitle = \"first\"", "c.md", "no TOML"))
	if err != nil || len(shelves) != 2 || shelves[0].Books[0].Title != "first" || shelves[1].Books[0].Title != "second" {
		t.Errorf("%+v, %v", shelves, err)
	}
}

func TestMistakesAreErrors(t *testing.T) {
	for text, want := range map[string]string{
		"[[book]]\npages = 3":     "shelves/x.toml: unknown key book.pages",
		"[[book]]\nTitle = \"x\"": "shelves/x.toml: key book.Title is not in lower case",
		"[[book":                  "shelves/x.toml: ",
		"[[book]]\ntitle = 3":     "shelves/x.toml: ",
	} {
		t.Run(text, func(t *testing.T) {
			if _, err := shelvesOf(folder("x.toml", text)); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%q: %v, want %s", text, err, want)
			}
		})
	}
	var none shelf
	if err := Decode(folder(), "shelves/x.toml", &none); err == nil {
		t.Error("a file that is not there is decoded")
	}
}

func TestNames(t *testing.T) {
	names := Names(func() ([]string, error) { return []string{"b", "a"}, nil }, func(s *string) string { return *s + "!" })
	if !slices.Equal(names, []string{"b!", "a!"}) {
		t.Error(names)
	}
	if Names(func() ([]string, error) { return []string{"b"}, errors.New("broken") }, func(s *string) string { return *s }) != nil {
		t.Error("names of a broken catalog")
	}
}

// TestCommentsAreNotRead: lines of comments are none to the decoder, but for those inside of strings, and errors are where they were.
func TestCommentsAreNotRead(t *testing.T) {
	for text, want := range map[string]string{
		"# a book\n[[book]]\n  # of\ntitle = \"x # y\"": "[[book]]\n\ntitle = \"x # y\"",
		"title = \"\"\"\n# x\"\"\"":                     "title = \"\"\"\n# x\"\"\"",
		"title = '''\n# x'''":                           "title = '''\n# x'''",
	} {
		if got := withoutComments(text); strings.TrimLeft(got, "\n") != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
	var s shelf
	if err := Decode(folder("x.toml", "# one\n# two\n[[book"), "shelves/x.toml", &s); err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("the mistake in line 3 is told as %v", err)
	}
}

// TestFilesAreDecodedWhenTheyAreAskedFor: only the files with a text are decoded and checked, each once, and a mistake in another one is found
// with that.
func TestFilesAreDecodedWhenTheyAreAskedFor(t *testing.T) {
	checked := 0
	shelves := NewFolder(folder("a.toml", "[[book]]\ntitle = \"first\"", "b.toml", "[[book]]\ntitle = 3"), "shelves/*.toml", func(s *shelf) error {
		s.Books[0].Title += ", checked"
		checked++
		return nil
	})
	for range 2 {
		if got, err := shelves.With("title = \"first\""); err != nil || len(got) != 1 || got[0].Books[0].Title != "first, checked" {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if got, err := shelves.With("no such text"); len(got) != 0 || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := shelves.All(); err == nil || checked != 1 {
		t.Errorf("a mistake is not found: %v; checked %d times", err, checked)
	}
	bad := NewFolder(folder("a.toml", "[[book]]"), "shelves/*.toml", func(*shelf) error { return errors.New("no title") })
	if _, err := bad.All(); err == nil || err.Error() != "no title" {
		t.Errorf("what the check refuses: %v", err)
	}
}
