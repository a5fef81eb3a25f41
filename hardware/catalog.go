package hardware

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/BurntSushi/toml"
)

//go:embed catalog
var catalogFiles embed.FS

// decodeFolder decodes every TOML file of a folder of the catalog into a T,
// in order of file names. Unknown keys are errors.
func decodeFolder[T any](folder string) ([]T, error) {
	names, err := fs.Glob(catalogFiles, path.Join("catalog", folder, "*.toml"))
	if err != nil {
		return nil, err
	}
	tables := make([]T, len(names))
	for i, name := range names {
		if err := decodeFile(name, &tables[i]); err != nil {
			return nil, err
		}
	}
	return tables, nil
}

// decodeFile decodes one file of the catalog. The decoder matches keys without
// regard to case; a catalog's keys are lower case.
func decodeFile[T any](name string, table *T) error {
	text, err := catalogFiles.ReadFile(name)
	if err != nil {
		return err
	}
	meta, err := toml.Decode(string(text), table)
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
