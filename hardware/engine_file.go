package hardware

import (
	"errors"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"kneepoint/internal/strict"
	"kneepoint/units/badinput"
)

// LoadEngine reads an engine profile from a TOML file: the parameters of Engine
// by their keys, and
//
//	like = "vllm-v1"
//
// for the profile of the catalog that supplies every parameter which the file
// leaves out. What is wrong with the file is a *badinput.Error about the key
// "engine", whose value is the path.
func LoadEngine(path string) (Engine, error) {
	e, err := loadEngine(path)
	if err != nil {
		return Engine{}, &badinput.Error{Key: "engine", Value: path, Problem: err.Error()}
	}
	return e, nil
}

func loadEngine(path string) (Engine, error) {
	text, err := badinput.ReadText(path)
	if err != nil {
		var p *os.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return Engine{}, &badinput.Error{Problem: "cannot be read: " + err.Error()}
	}
	return ParseEngine(string(text), path)
}

// ParseEngine reads an engine profile from its text; name is what it is called
// unless it says. Its errors are *badinput.Error with the profile's keys.
func ParseEngine(text, name string) (Engine, error) {
	if strict.TooDeep(text) {
		return Engine{}, &badinput.Error{Problem: "is no engine profile: lists and tables within each other"}
	}
	var table map[string]any
	if _, err := toml.Decode(text, &table); err != nil {
		return Engine{}, &badinput.Error{Problem: "is not TOML: " + firstLine(err), Allowed: "a profile, like `kneepoint show vllm-v1` prints one"}
	}
	like, _ := table["like"].(string)
	if like == "" || IsProfilePath(like) {
		return Engine{}, &badinput.Error{Key: "like", Value: table["like"], Problem: "missing, or no name",
			Allowed: "one of " + strings.Join(Engines(), ", ")}
	}
	base, err := LookupEngine(like)
	if err != nil {
		return Engine{}, badinput.At("like", err)
	}
	delete(table, "like")
	base.Name, base.Title, base.Date = name, "like "+base.Title, ""
	return base.With(table, name)
}

// With is the profile with the parameters of a table, by their keys, in place of its own;
// name is where these are from. Errors are *badinput.Error with the table's keys.
func (e *Engine) With(table map[string]any, name string) (Engine, error) {
	changed := *e
	changed.Sources, changed.LaunchFloorByArchitecture = maps.Clone(e.Sources), maps.Clone(e.LaunchFloorByArchitecture)
	changed.Estimated = slices.DeleteFunc(slices.Clone(e.Estimated), func(key string) bool { _, given := table[key]; return given })
	for key := range table {
		changed.Sources[key] = name
	}
	changed.ColdStart.givenBy(table["cold_start"], name)
	if err := strict.Decode(table, &changed); err != nil {
		return Engine{}, err
	}
	return changed, nil
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// IsProfilePath tells whether a name is the path of an engine profile, and not
// one of the catalog's: it has a slash, or ends in .toml.
func IsProfilePath(name string) bool {
	return strings.ContainsAny(name, `/\`) || strings.HasSuffix(strings.ToLower(name), ".toml")
}
