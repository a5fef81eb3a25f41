package strict

import (
	"strings"
	"testing"
)

// TestTooDeep: tables are nested by brackets, by dots, and by both.
func TestTooDeep(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"brackets":              {"a = " + strings.Repeat("[", Deepest+1), true},
		"as many as allowed":    {"a = " + strings.Repeat("[", Deepest), false},
		"one after another":     {"a = [" + strings.Repeat("[],", 10*Deepest) + "]", false},
		"too many that close":   {strings.Repeat("]", 10*Deepest) + strings.Repeat("[", Deepest), false},
		"a dotted key":          {"a" + strings.Repeat(".a", Deepest+1) + " = 1", true},
		"a dotted header":       {"[a" + strings.Repeat(".a", Deepest) + "]", true},
		"dotted keys in tables": {strings.Repeat("a.a.a = { ", Deepest/2), true},
		"numbers in a list":     {"a = [\n" + strings.Repeat("0.5,\n", 10*Deepest) + "]", false},
		"numbers of keys":       {strings.Repeat("a.b = 0.5\n", 10*Deepest), false},
		"lists of tables":       {strings.Repeat("[[a.b]]\nc = 1.5\n", 10*Deepest), false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := TooDeep(c.text); got != c.want {
				t.Errorf("%t, want %t", got, c.want)
			}
		})
	}
}
