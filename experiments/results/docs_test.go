package results

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestDocsHaveEveryKey: docs/metrics.md says of every key of results.json and runs.ndjson, and of
// every column of points.csv, what it is.
func TestDocsHaveEveryKey(t *testing.T) {
	text, err := os.ReadFile("../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	_, files, _ := strings.Cut(string(text), "## results.json")
	whole, files, _ := strings.Cut(files, "## runs.ndjson")
	runs, files, _ := strings.Cut(files, "## results.csv")
	_, points, _ := strings.Cut(files, "## points.csv")
	keys := append(keysOf(reflect.TypeFor[Results]()), keysOf(reflect.TypeFor[Series]())...)
	for _, key := range append(keys, append(keysOf(reflect.TypeFor[Point]()), keysOf(reflect.TypeFor[PlannedPoint]())...)...) {
		if !hasWord(whole, key) {
			t.Errorf("results.json has %s, and docs/metrics.md does not", key)
		}
	}
	for _, key := range keysOf(reflect.TypeFor[Run]()) {
		if !hasWord(runs, key) {
			t.Errorf("runs.ndjson has %s, and docs/metrics.md does not", key)
		}
	}
	for _, column := range pointColumns {
		if !strings.Contains(points, "`"+column+"`") {
			t.Errorf("points.csv has %s, and docs/metrics.md does not", column)
		}
	}
}

// keysOf are the keys of a struct in JSON, with those of what it embeds.
func keysOf(structure reflect.Type) []string {
	var keys []string
	for _, field := range reflect.VisibleFields(structure) {
		if key, _, _ := strings.Cut(field.Tag.Get("json"), ","); key != "" && key != "-" {
			keys = append(keys, key)
		}
	}
	return keys
}

// hasWord tells whether a text has a word, with nothing of a key around it.
func hasWord(text, word string) bool {
	isKey := func(r rune) bool { return r == '_' || 'a' <= r && r <= 'z' }
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !isKey(r) }) {
		if w == word {
			return true
		}
	}
	return false
}
