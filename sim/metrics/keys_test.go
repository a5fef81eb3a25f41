package metrics

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"testing"
)

// TestKeysAreDefined: the constants are the keys of the definitions, no more and
// no less.
func TestKeysAreDefined(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "keys.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if text, ok := n.(*ast.BasicLit); ok {
			key, err := strconv.Unquote(text.Value)
			if err != nil || named[key] {
				t.Errorf("%s is a key twice: %v", text.Value, err)
			}
			named[key] = true
		}
		return true
	})
	if got, want := slices.Sorted(maps.Keys(named)), slices.Sorted(slices.Values(Keys())); !slices.Equal(got, want) {
		t.Errorf("the constants are %q, the definitions %q", got, want)
	}
}
