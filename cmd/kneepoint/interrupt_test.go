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

// interrupted runs testdata/small.toml in an empty folder and cancels it as Ctrl-C does
// when so many runs are finished: after a second, and where the machine is too busy for
// that, in another folder after two, four, and so on. It returns the exit status and what
// was printed. That it returns says that the command stops: its endless runs would not.
func interrupted(t *testing.T, finished int, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	small, err := filepath.Abs("testdata/small.toml")
	if err != nil {
		t.Fatal(err)
	}
	for after := time.Second; ; after *= 2 {
		t.Chdir(t.TempDir())
		ctx, cancel := context.WithCancel(context.Background())
		timer := time.AfterFunc(after, cancel)
		var out, errs bytes.Buffer
		code := execute(ctx, append([]string{"run", small, "--workers", "1", "--out", "out"}, args...), &out, &errs)
		if ctx.Err() == nil {
			t.Fatalf("ended before it was interrupted, with status %d: %s", code, errs.String())
		}
		timer.Stop()
		cancel()
		kept, _ := os.ReadFile("out/runs.ndjson") // absent where nothing was finished
		if bytes.Count(kept, []byte("\n")) >= finished || after > time.Minute {
			return code, out.String(), errs.String()
		}
	}
}

// What was finished is kept, and marked.
func TestInterruptKeepsWhatWasFinished(t *testing.T) {
	// The two endless runs, which come first, leave the third worker the others.
	code, stdout, stderr := interrupted(t, 2, "--workers", "3",
		"--set", "workload.arrival.rate=4", "--set", `sweep."workload.num_requests"=[20,`+endless+`]`)
	if code != exitInterrupted {
		t.Errorf("exit status %d, want %d", code, exitInterrupted)
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
	code, stdout, _ := interrupted(t, 0, "--set", "workload.num_requests="+endless)
	if code != exitInterrupted {
		t.Errorf("exit status %d, want %d", code, exitInterrupted)
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
