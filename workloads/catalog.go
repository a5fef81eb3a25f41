package workloads

import (
	"embed"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"

	"kneepoint/units/badinput"
)

//go:embed catalog/*.toml
var catalog embed.FS

// Description says what a built-in workload is and where it comes from.
type Description struct {
	Name    string `toml:"-"`
	Title   string `toml:"title"`
	Source  string `toml:"source"`  // the data, and what was made of them
	Licence string `toml:"licence"` // of the data
	Date    string `toml:"date"`    // of the data
	Note    string `toml:"note"`    // what it leaves out

	// Repeats is the share of the data's prompt tokens that earlier requests began with,
	// none of which the workload has; 0: not known.
	Repeats float64 `toml:"repeats"`
}

// Names returns the names of the built-in workloads in alphabetical order.
func Names() []string {
	entries, err := catalog.ReadDir("catalog")
	if err != nil {
		return nil
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".toml")
	}
	return names
}

// Builtin returns a built-in workload as a [workload] table: its arrival, input
// and output tables, for Merge. The caller may change it. An unknown name is a
// *badinput.Error with the key "name".
func Builtin(name string) (map[string]any, error) {
	var table map[string]any
	if err := read(name, &table); err != nil {
		return nil, err
	}
	for _, key := range []string{"title", "source", "licence", "date", "note", "repeats"} {
		delete(table, key)
	}
	return table, nil
}

// Describe returns what a built-in workload is; its errors are those of Builtin.
func Describe(name string) (Description, error) {
	d := Description{Name: name}
	err := read(name, &d)
	return d, err
}

func read(name string, into any) error {
	data, err := catalog.ReadFile("catalog/" + name + ".toml")
	if err != nil {
		return &badinput.Error{Key: "name", Value: name, Problem: "unknown workload",
			Allowed: "one of " + strings.Join(Names(), ", "), Nearest: badinput.Nearest(name, Names())}
	}
	if err := toml.Unmarshal(data, into); err != nil {
		return fmt.Errorf("built-in workload %s: %w", name, err)
	}
	return nil
}
