package experiments

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/BurntSushi/toml"

	"kneepoint/units/badinput"
)

// checkFinite refuses inf and nan anywhere in the file. No key takes them, but a value that a sweep or a
// strategy replaces everywhere is never decoded, and results, which hold the file, have no way to write them.
func (f *File) checkFinite() error {
	if bad := notFinite(f.tree); bad != nil {
		return bad.In(f.Path)
	}
	return nil
}

// notFinite finds the first such number in a value.
func notFinite(value any) *badinput.Error {
	switch v := value.(type) {
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return &badinput.Error{Value: v, Problem: "must be a finite number"}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if bad := notFinite(v[key]); bad != nil {
				return bad.Under(toml.Key{key}.String())
			}
		}
	case []map[string]any:
		return notFiniteIn(v)
	case []any:
		return notFiniteIn(v)
	}
	return nil
}

// notFiniteIn finds it in a list.
func notFiniteIn[T any](list []T) *badinput.Error {
	for i, value := range list {
		if bad := notFinite(value); bad != nil {
			return bad.Under(fmt.Sprintf("[%d]", i))
		}
	}
	return nil
}
