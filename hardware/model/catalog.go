package model

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"kneepoint/internal/badinput"
)

//go:embed catalog/*.toml
var catalogFiles embed.FS

var architectures = sync.OnceValues(loadArchitectures)

func loadArchitectures() ([]Architecture, error) {
	names, err := fs.Glob(catalogFiles, "catalog/*.toml")
	if err != nil {
		return nil, err
	}
	var all []Architecture
	for _, name := range names {
		models, err := decodeFile(name)
		if err != nil {
			return nil, err
		}
		all = append(all, models...)
	}
	return all, nil
}

func decodeFile(name string) ([]Architecture, error) {
	text, err := catalogFiles.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var table struct {
		Model []Architecture `toml:"model"`
	}
	meta, err := toml.Decode(string(text), &table)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("%s: unknown key %s", name, unknown[0])
	}
	return table.Model, nil
}

// Names lists the catalog's models, by family and size.
func Names() []string {
	all, err := architectures()
	if err != nil {
		return nil
	}
	names := make([]string, len(all))
	for i, a := range all {
		names[i] = a.Name
	}
	return names
}

// Lookup returns a model of the catalog by its name, an alias or its Hugging
// Face id, without regard to case. The owner before the slash, and the parts
// "Meta", "Instruct", "Chat", "Base", "it" and "hf", do not distinguish
// architectures. A path (ending in .json, or beginning with a dot or a slash) is
// that of a Hugging Face config.json.
func Lookup(name string) (Architecture, error) {
	all, err := architectures()
	if err != nil {
		return Architecture{}, err
	}
	if IsPath(name) {
		return LoadConfig(name)
	}
	wanted := canonical(name)
	var spellings []string
	for _, a := range all {
		for _, known := range append([]string{a.Name, a.HuggingFace}, a.Aliases...) {
			if canonical(known) == wanted {
				return a, nil
			}
		}
		spellings = append(append(spellings, a.Name), a.Aliases...)
	}
	nearest := badinput.Nearest(wanted, spellings)
	e := &badinput.Error{Key: "name", Value: name, Problem: "unknown model", Nearest: nearest}
	if nearest == "" {
		e.Allowed = "a name that `kneepoint list models` shows, or the path of a config.json"
	}
	return Architecture{}, e
}

// IsPath tells a path to a config.json, or to a folder that holds one, from a
// name of the catalog.
func IsPath(name string) bool {
	return strings.HasSuffix(strings.ToLower(name), ".json") || strings.HasPrefix(name, ".") ||
		strings.HasPrefix(name, "/") || strings.Contains(name, `\`)
}

// canonical reduces a model's name to what tells architectures apart.
func canonical(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	name = name[strings.LastIndex(name, "/")+1:]
	same := []string{"meta", "instruct", "chat", "base", "it", "hf"}
	parts := slices.DeleteFunc(strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' || r == ' ' }),
		func(part string) bool { return slices.Contains(same, part) })
	return strings.Join(parts, "-")
}
