package strict

import (
	"encoding"
	"errors"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"kneepoint/units/badinput"
)

// elsewhere makes of an unknown key the one of that name in a table within its own, which is what is meant more often than another spelling;
// or, where no other spelling is near, in another table of the root, which may be meant.
func elsewhere(root reflect.Type, err error) error {
	var bad *badinput.Error
	if !errors.As(err, &bad) || bad.Problem != unknown {
		return err
	}
	table, key := cutLast(index.ReplaceAllString(bad.Key, ""))
	paths := pathsTo(root, key, nil)
	within := slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return !strings.HasPrefix(path, table+".") })
	better := *bad
	if path := leastDeep(within); path != "" {
		better.Nearest, better.Allowed = path, ""
	} else if bad.Nearest == "" {
		better.Nearest = leastDeep(paths)
	}
	return &better
}

// index is that of a table in a list.
var index = regexp.MustCompile(`\[\d+\]`)

// cutLast parts a path from its last key.
func cutLast(path string) (before, last string) {
	i := strings.LastIndex(path, ".")
	return path[:max(i, 0)], path[i+1:]
}

// leastDeep is the shortest of paths; "" where several are.
func leastDeep(paths []string) (path string) {
	least := math.MaxInt
	for _, p := range paths {
		switch depth := strings.Count(p, "."); {
		case depth < least:
			path, least = p, depth
		case depth == least:
			path = ""
		}
	}
	return path
}

// pathsTo are the keys of that name in the tables of a type, with those that lead there. A type within itself is not entered again.
func pathsTo(t reflect.Type, key string, within []reflect.Type) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || slices.Contains(within, t) || readsItself(t) {
		return nil
	}
	var paths []string
	fields := fieldsOf(t)
	for _, name := range fields.keys {
		f := fields.byKey[name]
		if name == key {
			paths = append(paths, name)
		}
		for _, path := range pathsTo(t.FieldByIndex(f.index).Type, key, append(slices.Clone(within), t)) {
			paths = append(paths, name+"."+path)
		}
	}
	return paths
}

// readsItself tells whether a type has a decoder of its own, whose keys are not known.
func readsItself(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[decoder]()) || reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}
