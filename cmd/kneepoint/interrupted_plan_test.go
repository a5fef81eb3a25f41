//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// unequalText is a plan of two candidates: one is sized at once; in the other thirty thousand
// requests are in service together, and its first look does not end while a test waits.
const unequalText = `title = "unequal servers"
[plan]
objective = "accelerators"
[hardware]
cost_model = "synthetic"
kv_tokens = 1_000_000
synthetic.step_fixed = "10us"
[workload]
arrival = { process = "poisson", rate = 10_000 }
input = { type = "fixed", mean = 1 }
output = { type = "fixed", mean = 1 }
[slo]
e2el_ms = 1e9
[[strategy]]
name = "quick"
[[strategy]]
name = "slow"
hardware.synthetic.step_fixed = "2500ms"
`

// Ctrl-C ends a plan with the best of what was found, and the next plan goes on from there.
func TestInterruptedPlanTellsTheBest(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "plan.toml"), []byte(unequalText), 0o644); err != nil {
		t.Fatal(err)
	}
	kept := func(store string) int {
		found, _ := filepath.Glob(filepath.Join(dir, store, "*", "*.json.gz"))
		return len(found)
	}
	const pilots, looks = 2, 2 // of a candidate; of one that needs a single unit
	v := startVictim(t, dir, "plan", "plan.toml", "--store", "interrupted", "--out", "interrupted-plan")
	v.await(func() bool { return kept("interrupted") == 2*pilots+looks })
	_ = v.cmd.Process.Signal(syscall.SIGINT) // unless it has ended, which the status tells
	if code := v.wait(); code != exitInterrupted {
		t.Fatalf("status %d, want %d: %s", code, exitInterrupted, v.stderr.String())
	}
	for text, want := range map[string]string{
		v.stdout.String(): "1 unit of quick (1 accelerator) serves the demand",
		v.stderr.String(): "interrupted; the plan holds the best of what was finished",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "interrupted-plan", planFile))
	if err != nil || !strings.Contains(string(text), `"incomplete": true`) {
		t.Errorf("%s is not marked as incomplete: %v %s", planFile, err, text)
	}

	alone := func(store string) string {
		v := startVictim(t, dir, "plan", "plan.toml", "--json", "-q", "--store", store, "--out", "again",
			"--set", `candidate=[{strategies=["quick"]}]`)
		if code := v.wait(); code != exitDone {
			t.Fatalf("status %d: %s", code, v.stderr.String())
		}
		return v.stdout.String()
	}
	if alone("interrupted") != alone("fresh") {
		t.Error("the plan after an interrupted one is another one")
	}
	if got, want := kept("interrupted"), pilots+kept("fresh"); got != want {
		t.Errorf("the store has %d values after both plans, want %d", got, want)
	}
}
