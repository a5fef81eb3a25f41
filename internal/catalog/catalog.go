// Package catalog reads the tables that are built into the program: folders of
// TOML files, decoded strictly.
//
// It knows how to read such a table. It must not know what is in one, nor any of
// a user's files: what is wrong in a catalog is a mistake of kneepoint's own.
package catalog

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/BurntSushi/toml"
)

// Decode decodes one file. The decoder matches keys without regard to case; a
// catalog's keys are lower case.
func Decode[T any](files fs.FS, name string, table *T) error {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return err
	}
	return decode(string(text), name, table)
}

// decode is Decode of a file's text.
func decode[T any](text, name string, table *T) error {
	meta, err := toml.Decode(withoutComments(text), table)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return fmt.Errorf("%s: unknown key %s", name, unknown[0])
	}
	for _, key := range meta.Keys() {
		if last := key[len(key)-1]; last != strings.ToLower(last) {
			return fmt.Errorf("%s: key %s is not in lower case", name, key)
		}
	}
	return nil
}

// withoutComments is a text whose lines of comments are empty: the decoder would read them rune by rune, which takes a third of its time at
// the start of the program. Mistakes are on the lines where they were. Strings of several lines stay as they are.
func withoutComments(text string) string {
	if strings.Contains(text, `"""`) || strings.Contains(text, "'''") {
		return text
	}
	var kept strings.Builder
	kept.Grow(len(text))
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
			line = "\n"
		}
		kept.WriteString(line)
	}
	return kept.String()
}

// Names lists the entries of a catalog in its order; nothing when it cannot be
// loaded, which is the error of looking up an entry.
func Names[T any](load func() ([]T, error), name func(*T) string) []string {
	all, err := load()
	if err != nil {
		return nil
	}
	names := make([]string, len(all))
	for i := range all {
		names[i] = name(&all[i])
	}
	return names
}
