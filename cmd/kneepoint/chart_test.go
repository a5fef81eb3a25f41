package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestChart: curves are told apart by what draws them, or by colour; a load or two, many curves
// and what is swept over no load have no chart.
func TestChart(t *testing.T) {
	chart := func(m madeUp, p page) string {
		var text strings.Builder
		renderChart(p.on(&text), m.results())
		return text.String()
	}
	got := chart(madeUps["small"], page{width: 70}) + chart(madeUps["no-slo"], page{width: 70}) +
		strings.ReplaceAll(chart(madeUps["small"], page{width: 50, colour: true}), "\x1b", "ESC")
	file := filepath.Join("testdata", "printed", "charts.txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || got != string(want) {
		t.Errorf("got\n%s\nwant\n%s%v", got, want, err)
	}
	two := madeUps["small"]
	two.loads = 2
	for name, none := range map[string]madeUp{"two loads": two, "no sweep": madeUps["no-sweep"], "no load": madeUps["config"], "many curves": madeUps["large"]} {
		if text := chart(none, page{width: 70}); text != "" {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// TestChartOnTerminals: a chart is drawn where lines are, and with all tables; never in a pipe.
func TestChartOnTerminals(t *testing.T) {
	for _, c := range []struct{ drawn, verbose, want bool }{{false, false, false}, {true, false, true}, {false, true, true}} {
		text := printed(madeUps["small"].results(), page{width: 80, drawn: c.drawn}, c.verbose)
		if got := strings.Contains(text, "SLO met by request rate"); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

// TestUnicodeLocale: of the locale's variables the first that is set says whether UTF-8 is shown.
func TestUnicodeLocale(t *testing.T) {
	for _, c := range []struct {
		all, ctype, lang string
		want             bool
	}{
		{"", "", "en_US.UTF-8", true},
		{"", "", "C.utf8", true},
		{"C", "", "en_US.UTF-8", false},
		{"", "POSIX", "en_US.UTF-8", false},
		{"de_DE.UTF-8", "C", "", true},
	} {
		t.Setenv("LC_ALL", c.all)
		t.Setenv("LC_CTYPE", c.ctype)
		t.Setenv("LANG", c.lang)
		if got := isUnicode(); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

// TestPageOfFile: a file has the width of an unknown page, and no colours, whatever the terminal
// that the command was typed in.
func TestPageOfFile(t *testing.T) {
	for _, name := range []string{os.DevNull, filepath.Join(t.TempDir(), "out.txt")} {
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if p := newPage(f, false); p.width != unknownWidth || p.colour || p.drawn {
			t.Errorf("%s: %+v", name, p)
		}
	}
}
