package experiments

import (
	"math"
	"strings"
	"testing"

	"kneepoint/units"
)

// TestTrim: what is cut off a run is a duration, or a fraction below 1.
func TestTrim(t *testing.T) {
	for _, c := range []struct {
		value any
		want  Trim
		wrong bool
	}{
		{"30s", Trim{Time: 30}, false}, {"0s", Trim{}, false}, {"-1s", Trim{}, true}, {"much", Trim{}, true},
		{0.0, Trim{}, false}, {0.25, Trim{Fraction: 0.25}, false}, {1.0, Trim{}, true}, {-0.1, Trim{}, true},
		{int64(0), Trim{}, false}, {int64(1), Trim{}, true}, {true, Trim{}, true},
	} {
		var got Trim
		if err := got.DecodeTOML(c.value); got != c.want || (err != nil) != c.wrong {
			t.Errorf("%v is %+v (%v)", c.value, got, err)
		}
	}
	var longest Trim
	if err := longest.DecodeTOML("1e9s"); err == nil || longest.Time > units.Longest {
		t.Errorf("a time that no clock tells: %+v", longest)
	}
}

// TestProbability includes both ends.
func TestProbability(t *testing.T) {
	for value, allowed := range map[any]bool{
		0.0: true, 1.0: true, int64(1): true, 0.5: true, 1.001: false, -0.001: false, int64(2): false, "1": false,
	} {
		if _, err := probability(value); (err == nil) != allowed {
			t.Errorf("%v is allowed: %t (%v)", value, err == nil, err)
		}
	}
}

// TestAcceptanceOfMoreTokens: a written list must not be longer than the guesses, of a measured
// one the first are taken.
func TestAcceptanceOfMoreTokens(t *testing.T) {
	for _, c := range []struct {
		tokens, numbers, want int
		measured, wrong       bool
	}{{2, 3, 3, false, true}, {2, 3, 2, true, false}, {3, 3, 3, false, false}, {3, 3, 3, true, false}, {5, 3, 3, true, false},
		{0, 1, 1, false, false}} {
		s := SpeculationSpec{NumSpeculativeTokens: c.tokens}
		s.Acceptance = AcceptanceSpec{Probabilities: make([]float64, c.numbers), measured: c.measured}
		if err := s.checkAcceptance(); (err != nil) != c.wrong || len(s.Acceptance.Probabilities) != c.want {
			t.Errorf("%+v: %d numbers are left (%v)", c, len(s.Acceptance.Probabilities), err)
		}
	}
}

// TestMostNodesOfATree: guesses are counted over all levels, and no product overflows.
func TestMostNodesOfATree(t *testing.T) {
	for _, c := range []struct {
		tree    []int
		allowed bool
	}{{nil, true}, {[]int{mostNodes}, true}, {[]int{mostNodes + 1}, false}, {[]int{2, mostNodes/2 - 1}, true}, {[]int{2, mostNodes / 2}, false},
		{[]int{1, math.MaxInt}, false}, {[]int{1000, 1000, 1000, 1000, 1000, 1000, 1000}, false}} {
		if got := (&SpeculationSpec{Tree: c.tree}).countable(); got != c.allowed {
			t.Errorf("%v is allowed: %t", c.tree, got)
		}
	}
}

// TestOneLine: names are text that a table can show in a line.
func TestOneLine(t *testing.T) {
	for text, allowed := range map[string]bool{"a": true, "a b": true, "": false, " \t": false, "a\nb": false, "a\x00": false,
		strings.Repeat("é", mostLetters): true, strings.Repeat("é", mostLetters+1): false} {
		if err := oneLine("name", text); (err == nil) != allowed {
			t.Errorf("%.10q of %d bytes is allowed: %t (%v)", text, len(text), err == nil, err)
		}
	}
}
