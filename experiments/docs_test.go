package experiments_test

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"kneepoint/experiments"
	"kneepoint/sim/metrics"
)

// row is one row of a table in docs/experiments.md.
type row struct{ key, defaults, text string }

var (
	headingOf = regexp.MustCompile("`\\[+([a-z_. ]+)\\]+`")
	rowOf     = regexp.MustCompile("^\\| `([a-z_0-9]+)` \\|([^|]*)\\|")
)

// documented reads the tables of docs/experiments.md by the names in the
// heading above them.
func documented(t *testing.T) map[string][]row {
	t.Helper()
	text, err := os.ReadFile("../docs/experiments.md")
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string][]row{}
	var current []string
	for _, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "#") {
			current = nil
			for _, m := range headingOf.FindAllStringSubmatch(line, -1) {
				current = append(current, m[1])
				tables[m[1]] = nil
			}
		}
		if m := rowOf.FindStringSubmatch(line); m != nil {
			for _, table := range current {
				tables[table] = append(tables[table], row{m[1], strings.TrimSpace(m[2]), line})
			}
		}
	}
	return tables
}

// TestEveryKeyIsDocumented walks the schema of the experiment file and compares
// it with docs/experiments.md, both ways.
func TestEveryKeyIsDocumented(t *testing.T) {
	tables := documented(t)
	compareTable(t, tables, "top level", reflect.TypeFor[experiments.Spec]())
	for table := range tables {
		t.Errorf("the docs have a table [%s], which the schema lacks", table)
	}
}

// compareTable checks one struct, and the tables below it.
func compareTable(t *testing.T, tables map[string][]row, table string, s reflect.Type) {
	rows, ok := tables[table]
	if !ok {
		t.Errorf("the docs have no heading with `[%s]`", table)
		return
	}
	delete(tables, table)
	known := map[string]bool{}
	value := reflect.New(s)
	if d, ok := value.Interface().(interface{ SetDefaults() }); ok {
		d.SetDefaults()
	}
	for _, f := range reflect.VisibleFields(s) {
		key := f.Tag.Get("toml")
		if key == "" || key == "sweep" {
			continue
		}
		if below := tableType(f.Type); below != nil {
			compareTable(t, tables, strings.TrimPrefix(table+"."+key, "top level."), below)
			continue
		}
		known[key] = true
		at := fmt.Sprintf("[%s] %s", table, key)
		compareRow(t, at, value.Interface(), f, value.Elem().FieldByIndex(f.Index), find(rows, key))
	}
	for _, r := range rows {
		if !known[r.key] {
			t.Errorf("the docs have [%s] %s, which the schema lacks", table, r.key)
		}
	}
}

// tableType is the struct that a field's table is read into; nil when the field
// is a key with a value. Of lists of tables, those of strategies, expectations,
// claims, published curves, figures, pools and failures have a heading of their own.
func tableType(f reflect.Type) reflect.Type {
	switch f {
	case reflect.TypeFor[[]experiments.StrategySpec](), reflect.TypeFor[[]experiments.ExpectSpec](), reflect.TypeFor[[]experiments.ClaimSpec](), reflect.TypeFor[[]experiments.CurveSpec](),
		reflect.TypeFor[[]experiments.PlotSpec](), reflect.TypeFor[[]experiments.PoolSpec](), reflect.TypeFor[[]experiments.FailureSpec]():
		return f.Elem()
	}
	if f.Kind() == reflect.Pointer {
		f = f.Elem()
	}
	_, decodes := reflect.New(f).Interface().(interface{ DecodeTOML(any) error })
	if f.Kind() != reflect.Struct || decodes {
		return nil
	}
	return f
}

func find(rows []row, key string) *row {
	for i := range rows {
		if rows[i].key == key {
			return &rows[i]
		}
	}
	return nil
}

// compareRow checks that a row tells the default and the allowed words.
func compareRow(t *testing.T, at string, table any, f reflect.StructField, value reflect.Value, r *row) {
	if r == nil {
		t.Errorf("%s is not documented", at)
		return
	}
	for _, word := range expand(strings.Fields(f.Tag.Get("oneof")), table) {
		if !strings.Contains(r.text, "`"+word+"`") {
			t.Errorf("the docs of %s lack the value %s", at, word)
		}
	}
	if f.Tag.Get("required") == "true" && r.defaults != "required" {
		t.Errorf("the docs do not say that %s is required", at)
	}
	compareDefault(t, at, value, r)
	if f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct {
		for _, part := range reflect.VisibleFields(f.Type.Elem()) {
			if key := part.Tag.Get("toml"); key != "" && !strings.Contains(r.text, "`"+key+"`") {
				t.Errorf("the docs of %s lack its key %s", at, key)
			}
		}
	}
}

// expand puts the words of a list of the struct in the place of its name, "@name".
func expand(words []string, table any) []string {
	var all []string
	for _, word := range words {
		if list, ok := strings.CutPrefix(word, "@"); ok {
			all = append(all, table.(interface{ Words(string) []string }).Words(list)...)
		} else {
			all = append(all, word)
		}
	}
	return all
}

// compareDefault checks a default that is not zero.
func compareDefault(t *testing.T, at string, value reflect.Value, r *row) {
	switch value.Kind() {
	case reflect.Int, reflect.Uint64, reflect.Float64, reflect.String, reflect.Bool:
		if want := fmt.Sprintf("`%v`", value.Interface()); !value.IsZero() && r.defaults != want {
			t.Errorf("the docs give %s the default %s, it is %s", at, r.defaults, want)
		}
	}
}

// TestEveryMetricIsDocumented looks for every key of the results in
// docs/metrics.md.
func TestEveryMetricIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range metrics.Definitions {
		at := strings.Index(string(text), "`"+d.Key+"`")
		if at < 0 {
			t.Errorf("%s is not documented", d.Key)
			continue
		}
		line, _, _ := strings.Cut(string(text)[at:], "\n")
		if !strings.HasSuffix(d.Key, "_ms") && !strings.HasPrefix(line, "`"+d.Key+"` | "+d.Unit) {
			t.Errorf("the docs of %s do not give its unit %q", d.Key, d.Unit)
		}
	}
}
