package imports

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// top is the repository, seen from here.
const top = "../.."

// mostLines is how long a file may be: longer ones have more than one subject.
const mostLines = 330

// goFiles calls f for every Go file of the repository, with its path from the top.
func goFiles(t *testing.T, f func(name string, text []byte)) {
	t.Helper()
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".") && name != "..") {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(top, path)
		f(filepath.ToSlash(name), text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestFilesAreShort also shows how much of each room's code is comments.
func TestFilesAreShort(t *testing.T) {
	type share struct{ comments, lines int }
	rooms := map[string]*share{}
	goFiles(t, func(name string, text []byte) {
		lines := bytes.Count(text, []byte("\n"))
		if lines > mostLines {
			t.Errorf("%s has %d lines, at most %d", name, lines, mostLines)
		}
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		room, _, _ := strings.Cut(name, "/")
		if rooms[room] == nil {
			rooms[room] = &share{}
		}
		rooms[room].lines += lines
		rooms[room].comments += commentLines(text)
	})
	for room, s := range rooms {
		t.Logf("%-12s %5d lines, %2d %% of them comments", room, s.lines, 100*s.comments/s.lines)
	}
}

// commentLines counts the lines with a comment.
func commentLines(text []byte) int {
	n := 0
	for line := range bytes.Lines(text) {
		if bytes.Contains(line, []byte("// ")) || bytes.HasSuffix(line, []byte("//\n")) {
			n++
		}
	}
	return n
}

// TestPackagesSayWhatTheyKnow demands of every package's comment what it knows
// and what it must not know.
func TestPackagesSayWhatTheyKnow(t *testing.T) {
	docs := map[string]string{}
	goFiles(t, func(name string, text []byte) {
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		docs[filepath.Dir(name)] += strings.Join(strings.Fields(file.Doc.Text()), " ")
	})
	for dir, doc := range docs {
		t.Run(dir, func(t *testing.T) {
			for _, words := range []string{"knows", "must not know"} {
				if !strings.Contains(doc, words) {
					t.Errorf("its comment does not say what it %s", words)
				}
			}
		})
	}
}
