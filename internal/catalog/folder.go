package catalog

import (
	"io/fs"
	"strings"
	"sync"
)

// Folder is TOML files, each of which is decoded into a T when it is first asked for: most runs of the program
// look at one entry of a catalog, and to decode them all takes longer than to simulate a thousand requests.
type Folder[T any] struct {
	files func() ([]*file[T], error)
}

type file[T any] struct {
	text  string
	table func() (T, error)
}

// NewFolder is the files whose names match a pattern, in order of their names. What the decoder does not refuse, check may; it
// may complete a table, too.
func NewFolder[T any](files fs.FS, pattern string, check func(*T) error) *Folder[T] {
	return &Folder[T]{files: sync.OnceValues(func() (all []*file[T], err error) {
		names, err := fs.Glob(files, pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := fs.ReadFile(files, name)
			if err != nil {
				return nil, err
			}
			all = append(all, &file[T]{text: string(text), table: sync.OnceValues(func() (table T, err error) {
				if err = decode(string(text), name, &table); err == nil {
					err = check(&table)
				}
				return table, err
			})})
		}
		return all, nil
	})}
}

// Unchecked is the check of tables of which nothing but their keys and types can be wrong.
func Unchecked[T any](*T) error { return nil }

// All is the table of every file. Unknown keys are errors.
func (f *Folder[T]) All() ([]T, error) { return f.With("") }

// With is the tables of the files whose text holds a key with a value, as catalogs write it, such as `name = "x"`. A file may hold it for
// another reason than what is looked for.
func (f *Folder[T]) With(text string) ([]T, error) {
	all, err := f.files()
	if err != nil {
		return nil, err
	}
	var tables []T
	for _, file := range all {
		if !strings.Contains(file.text, text) {
			continue
		}
		table, err := file.table()
		if err != nil {
			return nil, err
		}
		tables = append(tables, table)
	}
	return tables, nil
}
