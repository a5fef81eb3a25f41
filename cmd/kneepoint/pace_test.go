package main

import (
	"strings"
	"testing"
)

// TestGapsAreShownWhereTheyAreBounded: a table shows p99 ITL in place of p99 TPOT where the objective bounds gaps between tokens.
func TestGapsAreShownWhereTheyAreBounded(t *testing.T) {
	for _, c := range []struct{ bound, want, not string }{{"60", "p99 TTFT  p99 ITL ", "p99 TPOT"}, {"0", "p99 TTFT  p99 TPOT ", "p99 ITL"}} {
		args := []string{"run", "quickstart", "--quiet", "--no-figures", "--no-search", "--out", t.TempDir(),
			"--set", "slo.itl_p99_ms=" + c.bound, "--set", "workload.num_requests=20", "--set", "replications=1"}
		status, stdout, stderr := command(t, args...)
		if status != exitDone {
			t.Fatalf("exit status %d: %s", status, stderr)
		}
		if !strings.Contains(stdout, c.want) || strings.Contains(stdout, c.not) {
			t.Errorf("with itl_p99_ms = %s tables want %q and no %q:\n%s", c.bound, c.want, c.not, stdout)
		}
	}
}
