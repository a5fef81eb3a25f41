package columns

import (
	"encoding/csv"
	"slices"
	"strings"
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

// TestHeader: a file without a header is empty, or no table.
func TestHeader(t *testing.T) {
	for text, want := range map[string]string{
		"":         "is empty; allowed: a header and rows",
		"a,b\n1,2": "",
		"a,\"b":    "line 1: not CSV",
		"a,a\n":    "stands twice in the header",
	} {
		names, err := Header(csv.NewReader(strings.NewReader(text)))
		switch {
		case want == "" && (err != nil || len(names) != 2):
			t.Errorf("%q: %q, %v", text, names, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
