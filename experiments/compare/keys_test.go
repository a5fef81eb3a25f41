package compare_test

import (
	"reflect"
	"slices"
	"testing"

	"kneepoint/experiments/compare"
)

// TestDiffers: keys that differ are named, those of swept variables and of what changes no run are not; other requests are paired
// with none.
func TestDiffers(t *testing.T) {
	a, b := one("a", latency, 1, 2, 3), one("b", latency, 1, 2, 3)
	a.Results.Experiment = map[string]any{"seed": 1, "title": "x", "hardware": map[string]any{"tp": 1},
		"workload": map[string]any{"arrival": map[string]any{"rate": 1}},
		"strategy": []any{map[string]any{"name": "s", "max_num_seqs": 8}, map[string]any{"name": "other", "max_num_seqs": 1}}}
	b.Results.Experiment = map[string]any{"seed": 1, "title": "y", "hardware": map[string]any{"tp": 2, "pp": 1},
		"workload": map[string]any{"arrival": map[string]any{"rate": 2}},
		"strategy": []any{map[string]any{"name": "s", "max_num_seqs": 16}}}
	c := compared(t, a, b, compare.Options{})
	want := []compare.Key{{"hardware.pp", nil, 1}, {"hardware.tp", 1, 2}, {"strategy.max_num_seqs", 8, 16}}
	if !slices.Equal(c.Differs, want) || !c.Paired {
		t.Errorf("%v, paired %t", c.Differs, c.Paired)
	}
	a, b = one("a", latency, 1, 2, 3), one("b", latency, 1, 2, 3)
	a.Results.Experiment = map[string]any{"workload": map[string]any{}}
	b.Results.Experiment = map[string]any{"workload": map[string]any{}}
	b.Results.Experiment["workload"].(map[string]any)["num_requests"] = 10
	if c := compared(t, a, b, compare.Options{}); c.Paired || c.Unpaired != "workload.num_requests is not set in the one, 10 in the other" {
		t.Errorf("paired %t: %s", c.Paired, c.Unpaired)
	}
}

// TestDiffersInLists: of lists of tables, keys are compared by the tables' names or numbers, and a table that one side has alone is
// one difference.
func TestDiffersInLists(t *testing.T) {
	a, b := one("a", latency, 1, 2, 3), one("b", latency, 1, 2, 3)
	small, large := map[string]any{"name": "small", "users": 1}, map[string]any{"name": "large", "users": 2}
	a.Results.Experiment = map[string]any{"pool": []any{map[string]any{"tp": 1}, map[string]any{"tp": 2}}, "class": []any{small, large},
		"trace": []any{1, 2}, "fleet": map[string]any{"router": "random"},
		"twin": []any{map[string]any{"name": "t", "x": 1}, map[string]any{"name": "t", "x": 2}},
		"half": []any{map[string]any{"name": "h", "x": 1}, map[string]any{"x": 2}}}
	b.Results.Experiment = map[string]any{"pool": []any{map[string]any{"tp": 1}, map[string]any{"tp": 4}, map[string]any{"tp": 8}},
		"class": []any{map[string]any{"name": "large", "users": 3}}, "trace": []any{1, 3},
		"twin": []any{map[string]any{"name": "t", "x": 3}, map[string]any{"name": "t", "x": 2}},
		"half": []any{map[string]any{"name": "h", "x": 1}, map[string]any{"x": 3}}}
	want := []compare.Key{{"class.large.users", 2, 3}, {"class.small", small, nil}, {"fleet.router", "random", nil}, {"half.2.x", 2, 3},
		{"pool.2.tp", 2, 4}, {"pool.3", nil, map[string]any{"tp": 8}}, {"trace", []any{1, 2}, []any{1, 3}}, {"twin.1.x", 1, 3}}
	if got := compared(t, a, b, compare.Options{}).Differs; !reflect.DeepEqual(got, want) {
		t.Errorf("%v\nwant %v", got, want)
	}
	for want, v := range map[string]any{"not set": nil, "h100-sxm": "h100-sxm", "true": true, "100000000": 1e8,
		`{"tp":8}`: map[string]any{"tp": 8}, `["fp8","int4"]`: []any{"fp8", "int4"}} {
		if got := compare.Text(v); got != want {
			t.Errorf("%v is written %q, want %q", v, got, want)
		}
	}
}

// TestDiffersInOneFolder: of two strategies the keys differ that they do not have in common, names apart.
func TestDiffersInOneFolder(t *testing.T) {
	a := sideOf("folder", latency, values{"s": {{1, 2, 3}}, "other": {{1, 2, 3}}}, "s", "other")
	a.Results.Experiment = map[string]any{"strategy": []any{map[string]any{"name": "s", "max_num_seqs": 8, "batching": "static"},
		map[string]any{"name": "other", "max_num_seqs": 1, "batching": "static"}}}
	b := *a
	a.Strategies, b.Strategies = []string{"s"}, []string{"other"}
	c := compared(t, a, &b, compare.Options{})
	if !slices.Equal(c.Differs, []compare.Key{{"strategy.max_num_seqs", 8, 1}}) || !c.Paired {
		t.Errorf("%v, paired %t", c.Differs, c.Paired)
	}
	if c := compared(t, a, a, compare.Options{}); len(c.Differs) > 0 {
		t.Errorf("differs from itself: %v", c.Differs)
	}
}
