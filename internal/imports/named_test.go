package imports

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// fileName is a Go file as comments and documents name it.
var fileName = regexp.MustCompile(`\b[a-z][a-z0-9_]*\.go\b`)

// TestNamedFilesExist holds that every Go file that the comment of a package or the
// description of the architecture names is there.
func TestNamedFilesExist(t *testing.T) {
	names, docs := map[string]bool{}, map[string][]byte{}
	goFiles(t, func(name string, text []byte) {
		names[filepath.Base(name)] = true
		if filepath.Base(name) == "doc.go" {
			docs[name] = text
		}
	})
	for _, name := range []string{"docs/architecture.md", "docs/CONTRIBUTING.md", "docs/performance.md"} {
		text, err := os.ReadFile(filepath.Join(top, name))
		if err != nil {
			t.Fatal(err)
		}
		docs[name] = text
	}
	for doc, text := range docs {
		for _, name := range fileName.FindAllString(string(text), -1) {
			if !names[name] {
				t.Errorf("%s names %s, which is not there", doc, name)
			}
		}
	}
}
