package experiments

import (
	"reflect"
	"strings"
	"testing"

	"kneepoint/internal/strict"
)

// TestParsedValues: a value is TOML, or text where it is none; what lies too deep is never read.
func TestParsedValues(t *testing.T) {
	for text, want := range map[string]any{
		"3": int64(3), "true": true, `"3"`: "3", "poisson": "poisson", "inf": "inf", "nan": "nan", "2.5": 2.5,
	} {
		if got, ok := parseValue(text); !ok || got != want {
			t.Errorf("%s is %v (%T)", text, got, got)
		}
	}
	deep := strings.Repeat("[", strict.Deepest+1) + strings.Repeat("]", strict.Deepest+1)
	if got, ok := parseValue(deep); !ok || got != deep {
		t.Errorf("a deep list is %v", got)
	}
	if _, ok := parseValue("3\nw = 4"); ok {
		t.Error("a second key is accepted")
	}
}

// TestOverlay: tables are laid over each other key by key, lists as a whole, and neither changes.
func TestOverlay(t *testing.T) {
	base := map[string]any{"kv": map[string]any{"a": 1, "b": 2}, "list": []any{1, 2}, "text": "x"}
	got := overlay(base, map[string]any{"kv": map[string]any{"b": 3}, "list": []any{4}, "text": map[string]any{"c": 5}})
	want := map[string]any{"kv": map[string]any{"a": 1, "b": 3}, "list": []any{4}, "text": map[string]any{"c": 5}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("laid over each other: %v, want %v", got, want)
	}
	if base["kv"].(map[string]any)["b"] != 2 {
		t.Errorf("the base is %v", base)
	}
}

// TestAssignments: a key and a value are needed, and a value may be empty or hold an equals sign.
func TestAssignments(t *testing.T) {
	for text, allowed := range map[string]bool{
		"seed=3": true, "seed = 3": true, "title=a=b": true, "title=": true, "seed": false, "=3": false, "": false, " = 3": false,
	} {
		f := FromTree("x", ".", map[string]any{"title": "x"})
		if err := f.Override([]string{text}); (err == nil) != allowed {
			t.Errorf("%q is allowed: %t (%v)", text, err == nil, err)
		}
	}
}
