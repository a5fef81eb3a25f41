package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// endless is far more requests than can be simulated while a test waits.
const endless = "50000000"

// The command stops within soon, and has drawn figures of what was finished
// within soonDrawn, even under the race detector.
const (
	soon      = 10 * time.Second
	soonDrawn = 30 * time.Second
)

// interrupted runs testdata/small.toml in an empty folder and cancels it as
// Ctrl-C does. It returns the exit status, how long the command took after the
// interrupt, and what it printed.
func interrupted(t *testing.T, args ...string) (code int, took time.Duration, stdout, stderr string) {
	t.Helper()
	small, err := filepath.Abs("testdata/small.toml")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var at time.Time
	timer := time.AfterFunc(time.Second, func() { at = time.Now(); cancel() })
	defer timer.Stop()
	var out, errs bytes.Buffer
	code = execute(ctx, append([]string{"run", small, "--workers", "1", "--out", "out"}, args...), &out, &errs)
	if ctx.Err() == nil {
		t.Fatalf("ended before it was interrupted, with status %d: %s", code, errs.String())
	}
	return code, time.Since(at), out.String(), errs.String()
}

// What was finished is kept, and marked.
func TestInterruptKeepsWhatWasFinished(t *testing.T) {
	// The two endless runs, which come first, leave the third worker the others.
	code, took, stdout, stderr := interrupted(t, "--workers", "3",
		"--set", "workload.arrival.rate=4", "--set", `sweep."workload.num_requests"=[20,`+endless+`]`)
	if code != exitInterrupted {
		t.Errorf("exit status %d, want %d", code, exitInterrupted)
	}
	if took > soonDrawn {
		t.Errorf("took %v to stop", took)
	}
	if !strings.Contains(stderr, "interrupted; the results hold what was finished") {
		t.Errorf("stderr does not tell: %q", stderr)
	}
	if !strings.Contains(stdout, "\nstatic\n") {
		t.Errorf("no table of what was finished: %q", stdout)
	}
	res := readResults(t, "out")
	if !res.Incomplete || len(res.Runs) != 2 {
		t.Errorf("incomplete %v with %d runs, want true with the 2 short ones", res.Incomplete, len(res.Runs))
	}
	onlyHolds(t, "out")
}

// With nothing finished there is nothing to keep.
func TestInterruptLeavesNothing(t *testing.T) {
	code, took, stdout, _ := interrupted(t, "--set", "workload.num_requests="+endless)
	if code != exitInterrupted {
		t.Errorf("exit status %d, want %d", code, exitInterrupted)
	}
	if took > soon {
		t.Errorf("took %v to stop", took)
	}
	if stdout != "" {
		t.Errorf("stdout has %q", stdout)
	}
	onlyHolds(t)
}

// onlyHolds demands that the current folder has these entries and no other.
func onlyHolds(t *testing.T, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
}
