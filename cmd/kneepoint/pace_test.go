package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGapsAreShownWhereTheyAreBounded: tables, those of differences and comparisons too, show p99 ITL in place of p99 TPOT where the
// objective bounds gaps between tokens.
func TestGapsAreShownWhereTheyAreBounded(t *testing.T) {
	var outs []string
	for _, c := range []struct{ bound, want, not string }{{"60", "p99 ITL", "p99 TPOT"}, {"0", "p99 TPOT", "p99 ITL"}} {
		out := t.TempDir()
		text := succeeding(t, "run", "quickstart", "--quiet", "--no-figures", "--no-search", "--out", out,
			"--set", "slo.itl_p99_ms="+c.bound, "--set", "workload.num_requests=20", "--set", "replications=1")
		if !strings.Contains(text, "p99 TTFT  "+c.want+" ") || strings.Contains(text, c.not) {
			t.Errorf("with itl_p99_ms = %s tables want %q and no %q:\n%s", c.bound, c.want, c.not, text)
		}
		tables, err := os.ReadFile(filepath.Join(out, "tables.txt"))
		if err != nil {
			t.Fatal(err)
		}
		if _, differences, _ := strings.Cut(string(tables), "compared with"); !strings.Contains(differences, c.want) {
			t.Errorf("with itl_p99_ms = %s the differences are\n%s", c.bound, differences)
		}
		if compared := succeeding(t, "compare", out, "static", "continuous"); !strings.Contains(compared, c.want) || strings.Contains(compared, c.not) {
			t.Errorf("with itl_p99_ms = %s the comparison is\n%s", c.bound, compared)
		}
		outs = append(outs, out)
	}
	if compared := succeeding(t, "compare", outs[0], outs[1]); !strings.Contains(compared, "p99 ITL") || !strings.Contains(compared, "p99 TPOT") {
		t.Errorf("where one has the bound and the other has not the comparison is\n%s", compared)
	}
}

// succeeding is what a command prints that succeeds.
func succeeding(t *testing.T, args ...string) string {
	t.Helper()
	status, stdout, stderr := command(t, args...)
	if status != exitDone {
		t.Fatalf("%v: exit status %d: %s", args, status, stderr)
	}
	return stdout
}
