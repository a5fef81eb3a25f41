package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kneepoint/units/badinput"
)

// manifestFile lists the files of a folder that kneepoint wrote, a name a line. Whatever
// else is there belongs to somebody else.
const manifestFile = ".kneepoint"

// What is written before it takes the place of a list, or of a file that comes from
// another file system. A run that is killed may leave either.
const (
	newFile  = manifestFile + ".new"
	partFile = manifestFile + ".part"
)

// manifest is the names of files that kneepoint wrote.
type manifest struct {
	names   map[string]bool
	guessed bool // the folder has no list: it was written by version 0.1
}

// newManifest lists what is in a folder.
func newManifest(dir string) (manifest, error) {
	m := manifest{names: map[string]bool{manifestFile: true}}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		m.names[e.Name()] = true
	}
	return m, err
}

// readManifest is what kneepoint wrote in a folder: as it is listed, or where there is no
// list, the files that every version has written.
func readManifest(dir string) manifest {
	text, err := badinput.ReadText(filepath.Join(dir, manifestFile))
	if err != nil {
		return manifest{map[string]bool{resultsFile: true, runsFile: true, tableFile: true, requestsFile: true}, true}
	}
	m := manifest{names: map[string]bool{manifestFile: true}}
	for name := range strings.Lines(string(text)) {
		if name = strings.TrimSuffix(name, "\n"); isFileName(name) {
			m.names[name] = true
		}
	}
	return m
}

// isFileName tells whether a name is that of a file of the folder, and not of one elsewhere.
func isFileName(name string) bool {
	return filepath.Base(name) == name && filepath.IsLocal(name) && name != "." && !strings.Contains(name, "\x00")
}

// has tells whether kneepoint wrote a file.
func (m manifest) has(name string) bool { return m.names[name] || name == newFile || name == partFile }

// mayReplace tells whether a new result may take the place of a file. In a folder
// without a list, one with the name of a result is one: a figure, say.
func (m manifest) mayReplace(name string) bool { return m.guessed || m.names[name] }

// with is m and other together.
func (m manifest) with(other manifest) manifest {
	both := manifest{names: maps.Clone(m.names)}
	maps.Copy(both.names, other.names)
	return both
}

// inOrder is the names in the order in which files are moved: results.json last, by
// which readers know that the others are there.
func (m manifest) inOrder() []string {
	names := slices.Sorted(maps.Keys(m.names))
	names = slices.DeleteFunc(names, func(name string) bool { return name == manifestFile || name == resultsFile })
	if m.has(resultsFile) {
		names = append(names, resultsFile)
	}
	return names
}

// write writes the list into a folder, whole.
func (m manifest) write(dir string) error {
	var text bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(m.names)) {
		text.WriteString(name + "\n")
	}
	fresh := filepath.Join(dir, newFile)
	if err := os.WriteFile(fresh, text.Bytes(), 0o644); err != nil {
		return err
	}
	return os.Rename(fresh, filepath.Join(dir, manifestFile))
}

// checkOurs refuses a folder, or a file, that kneepoint did not write to. A folder
// that is missing or empty is fine. target is what dir resolves to.
func checkOurs(dir, target string) error {
	entries, err := os.ReadDir(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return unwritable(dir, err)
	case !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return !isDraft(target, e, target) }):
		return nil
	}
	if _, err := os.Stat(filepath.Join(target, manifestFile)); err == nil {
		return nil
	}
	ours, err := badinput.ReadFile(filepath.Join(target, resultsFile), badinput.MostData, isMarked)
	if err == nil && ours {
		return nil
	}
	return &badinput.Error{Key: "--out", Value: dir, Problem: "is a folder that kneepoint did not write, so nothing is written to it",
		Allowed: "a new or an empty folder, or one of earlier results"}
}

// IsIn tells whether a folder holds results.
func IsIn(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, resultsFile))
	return err == nil
}

// isMarked tells whether a results.json is a whole one, and kneepoint's.
func isMarked(r io.Reader) (bool, error) {
	var marked struct {
		Tool string `json:"tool"`
	}
	err := json.NewDecoder(r).Decode(&marked)
	return marked.Tool == Tool, err
}
