package imports

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// public are the rooms that other modules build on.
var public = []string{"experiments", "sim", "policies", "hardware", "workloads", "units"}

// TestPublicDeclarationsAreNameable demands that what is exported mentions no type
// of an internal package, which other modules cannot name.
func TestPublicDeclarationsAreNameable(t *testing.T) {
	files := token.NewFileSet()
	for _, room := range public {
		err := filepath.WalkDir(filepath.Join("..", "..", room), func(name string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
			if err == nil {
				checkDeclarations(t, files, file)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// checkDeclarations looks for internal types in what a file exports.
func checkDeclarations(t *testing.T, files *token.FileSet, file *ast.File) {
	t.Helper()
	hidden := map[string]bool{}
	for _, i := range file.Imports {
		if p := strings.Trim(i.Path.Value, `"`); strings.HasPrefix(p, "kneepoint/internal/") {
			hidden[path.Base(p)] = true
		}
	}
	for _, d := range file.Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				n.Body = nil
				return n.Name.IsExported()
			case *ast.TypeSpec:
				return n.Name.IsExported()
			case *ast.ValueSpec:
				n.Values = nil
				return n.Names[0].IsExported()
			case *ast.StructType:
				n.Fields.List = slices.DeleteFunc(n.Fields.List, func(f *ast.Field) bool { return len(f.Names) > 0 && !f.Names[0].IsExported() })
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && hidden[x.Name] {
					t.Errorf("%s: %s.%s is internal", files.Position(n.Pos()), x.Name, n.Sel.Name)
				}
			}
			return true
		})
	}
}
