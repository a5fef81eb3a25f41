package experiments

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"kneepoint/internal/strict"
	"kneepoint/units/badinput"
	"kneepoint/workloads"
)

//go:embed *.toml
var embedded embed.FS

// planPrefix begins the names of files that are planned, and not run.
const planPrefix = "plan-"

// Names lists the experiments that come with kneepoint, in alphabetical order.
func Names() []string {
	return slices.DeleteFunc(embeddedNames(), func(name string) bool { return strings.HasPrefix(name, planPrefix) })
}

// Plans lists the plans that come with kneepoint, in alphabetical order.
func Plans() []string {
	return slices.DeleteFunc(embeddedNames(), func(name string) bool { return !strings.HasPrefix(name, planPrefix) })
}

// Papers lists the experiments that come with kneepoint and repeat what was published, in
// alphabetical order.
func Papers() []string {
	return slices.DeleteFunc(Names(), func(name string) bool {
		file, err := Load(name)
		return err != nil || file.tree["paper"] == nil
	})
}

// embeddedNames are those of all files that come with kneepoint.
func embeddedNames() []string {
	files, _ := fs.Glob(embedded, "*.toml")
	for i := range files {
		files[i] = strings.TrimSuffix(files[i], ".toml")
	}
	slices.Sort(files)
	return files
}

// Source returns the text of an experiment or a plan that comes with kneepoint, false when none
// has the name.
func Source(name string) (string, bool) {
	text, err := embedded.ReadFile(name + ".toml")
	return string(text), err == nil
}

// File is an experiment file as written: a tree of tables, not checked yet. It stays a
// tree until a point and a strategy are chosen, since sweeps, overrides and built-in
// workloads all set keys by their paths; only then is it decoded into a Spec.
type File struct {
	Name   string // the file's base name without .toml
	Path   string // as the user gave it, for messages
	Folder string // that relative paths in the file start from

	// Traces are used, by path, instead of the files that workloads name: for traces
	// that are in no file. nil: all are read.
	Traces map[string]*workloads.Trace

	tree     map[string]any
	axes     []string      // swept paths, in the order of the file
	searched *searchedLoad // of a search without points; nil: of a sweep
}

// FromTree makes an experiment of tables that were not read from a file; folder is
// where relative paths in them start from. It has no sweep.
func FromTree(name, folder string, tree map[string]any) *File {
	return &File{Name: name, Path: name, Folder: folder, tree: tree}
}

// Load reads an experiment: a path to a TOML file, or the name of an experiment
// that comes with kneepoint. An existing file wins over a name, a folder does not.
// What cannot be read, or is not TOML, is a *badinput.Error; keys and values are
// checked by Resolve and Check.
func Load(nameOrPath string) (*File, error) {
	text, err := badinput.ReadText(nameOrPath)
	source, known := Source(nameOrPath)
	if known && isFolder(nameOrPath) {
		err = fs.ErrNotExist
	}
	switch {
	case err == nil:
		return Parse(nameOrPath, string(text))
	case !errors.Is(err, fs.ErrNotExist):
		return nil, badinput.Unreadable(nameOrPath, err)
	}
	if known {
		f, err := Parse(nameOrPath+".toml", source)
		if f != nil {
			f.Folder = "."
		}
		return f, err
	}
	return nil, &badinput.Error{File: nameOrPath, Problem: "no such file, and no experiment of this name comes with kneepoint",
		Allowed: "the path of a TOML file, or a name that `kneepoint list experiments` or `kneepoint list plans` shows",
		Nearest: badinput.Nearest(nameOrPath, embeddedNames())}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Parse reads the text of an experiment file; path is for messages, and the
// folder that relative paths in the file start from.
func Parse(path, text string) (*File, error) {
	f := &File{
		Name:   strings.TrimSuffix(filepath.Base(path), ".toml"),
		Path:   path,
		Folder: filepath.Dir(path),
	}
	if strict.TooDeep(text) {
		return nil, &badinput.Error{
			File:    path,
			Problem: "not an experiment: lists and tables within each other",
			Allowed: fmt.Sprintf("%d deep", strict.Deepest),
		}
	}
	meta, err := toml.Decode(text, &f.tree)
	if err != nil {
		return nil, syntaxError(path, err)
	}
	if err := f.checkFinite(); err != nil {
		return nil, err
	}
	for _, key := range meta.Keys() {
		if len(key) >= 2 && key[0] == "sweep" {
			if err := f.addAxis(key); err != nil {
				return nil, err
			}
		}
	}
	return f, nil
}

// plainTOML says what an experiment file is.
const plainTOML = "TOML in UTF-8, with each key once"

// syntaxError is the error of text that is not TOML, with its line where the parser
// knows it.
func syntaxError(path string, err error) error {
	var parse toml.ParseError
	if errors.As(err, &parse) {
		return &badinput.Error{File: path, Line: parse.Position.Line, Problem: "not TOML: " + parse.Message, Allowed: plainTOML}
	}
	return &badinput.Error{File: path, Problem: "not TOML: " + err.Error(), Allowed: plainTOML}
}

// addAxis notes a key of the [sweep] table. The tree has lost the order of keys, which
// decides along which variable curves run.
func (f *File) addAxis(key toml.Key) error {
	if len(key) > 2 && strings.Contains(key[1], ".") {
		return nil // inside of a table among the values
	}
	if len(key) > 2 {
		return &badinput.Error{File: f.Path, Key: key.String(), Problem: "the path of a swept variable must stand in quotes",
			Allowed: `"` + strings.Join(key[1:], ".") + `" = [ … ]`}
	}
	if key[1] != "mode" {
		f.axes = append(f.axes, key[1])
	}
	return nil
}
