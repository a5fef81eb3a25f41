package model

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"kneepoint/internal/catalog"
	"kneepoint/units/badinput"
)

//go:embed catalog/*.toml
var catalogFiles embed.FS

// modelFile is a file of the catalog.
type modelFile struct {
	Model []Architecture `toml:"model"`
}

var modelFiles = catalog.NewFolder(catalogFiles, "catalog/*.toml", catalog.Unchecked[modelFile])

// architectures are those of the catalog, by family and size.
func architectures() ([]Architecture, error) { return modelsOf(modelFiles.All()) }

func modelsOf(files []modelFile, err error) ([]Architecture, error) {
	var all []Architecture
	for _, f := range files {
		all = append(all, f.Model...)
	}
	return all, err
}

// Names lists the catalog's models, by family and size.
func Names() []string {
	return catalog.Names(architectures, func(a *Architecture) string { return a.Name })
}

// Lookup returns a model of the catalog by its name, an alias or its Hugging
// Face id, without regard to case. The owner before the slash, and the parts
// "Meta", "Instruct", "Chat", "Base", "it" and "hf", do not distinguish
// architectures, nor does a month at the end; an ending like "-FP8" or "-AWQ" says how
// the checkpoint is quantized. A path (ending in .json, or beginning with a dot or a slash) is
// that of a Hugging Face config.json.
func Lookup(name string) (Architecture, error) {
	if IsPath(name) {
		return LoadConfig(name)
	}
	if all, err := modelsOf(modelFiles.With(fmt.Sprintf("name = %q", name))); err == nil {
		for _, a := range all {
			if a.Name == name {
				return a, nil
			}
		}
	}
	all, err := architectures()
	if err != nil {
		return Architecture{}, err
	}
	if a, ok := spelled(all, name); ok {
		return a, nil
	}
	var spellings []string
	for _, a := range all {
		spellings = append(append(spellings, a.Name), a.Aliases...)
	}
	nearest := badinput.Nearest(canonical(name), spellings)
	e := &badinput.Error{Key: "name", Value: name, Problem: "unknown model", Nearest: nearest}
	if nearest == "" {
		e.Allowed = "a name that `kneepoint list models` shows, or the path of a config.json"
	}
	return Architecture{}, e
}

// names are all spellings that mean the model. Models that were never published have none on
// Hugging Face.
func (a *Architecture) names() []string {
	names := append([]string{a.Name}, a.Aliases...)
	if a.HuggingFace != "" {
		names = append(names, a.HuggingFace)
	}
	return names
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
