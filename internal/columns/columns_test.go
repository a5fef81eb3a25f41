package columns

import (
	"slices"
	"testing"
)

func TestNames(t *testing.T) {
	names, err := Names([]string{"\ufeffa", " b ", "", "c", ""})
	if err != nil || !slices.Equal(names, []string{"a", "b", "", "c", ""}) {
		t.Errorf("%q, %v", names, err)
	}
	_, err = Names([]string{"\ufeffa", "b", " a"})
	if err == nil || err.Error() != "line 1: a: stands twice in the header; allowed: each column once" {
		t.Errorf("twice: %v", err)
	}
}

func TestFind(t *testing.T) {
	at, err := Find([]string{"a", "b", "c"}, "c", "a")
	if err != nil || !slices.Equal(at, []int{2, 0}) {
		t.Errorf("%v, %v", at, err)
	}
	_, err = Find([]string{"isk", "osl"}, "osl", "isl")
	if want := `line 1: no column "isl"; allowed: a header with osl,isl; did you mean "isk"?`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
