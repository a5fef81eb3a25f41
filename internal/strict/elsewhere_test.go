package strict

import "testing"

// TestElsewhere: a key that is unknown in its table is found in one within it, or in the one other table that has it, and not where several do.
func TestElsewhere(t *testing.T) {
	type inner struct {
		Deep  int `toml:"deepest"`
		Twice int `toml:"twice"`
	}
	type outer struct { // which has tables of its own kind
		Inner inner   `toml:"inner"`
		List  []inner `toml:"list"`
		Twin  int     `toml:"twine"`
		Again *outer  `toml:"again"`
	}
	type root struct {
		Outer outer `toml:"outer"`
		Other struct {
			Alone  int    `toml:"alone"`
			Twice  int    `toml:"twice"`
			Within *inner `toml:"within"`
		} `toml:"other"`
	}
	for _, c := range []struct{ table, key, want string }{
		{"other", "deepest", `other.deepest: unknown key; did you mean "other.within.deepest"?`},
		{"outer", "alone", `outer.alone: unknown key; allowed: inner, list, twine, again; did you mean "other.alone"?`},
		{"outer", "deepest", `outer.deepest: unknown key; allowed: inner, list, twine, again`},
		{"outer", "twice", `outer.twice: unknown key; did you mean "twine"?`},
		{"outer", "nothing", `outer.nothing: unknown key; allowed: inner, list, twine, again`},
	} {
		var into root
		err := Decode(map[string]any{c.table: map[string]any{c.key: int64(1)}}, &into)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s.%s: %v, want %s", c.table, c.key, err, c.want)
		}
	}
}
