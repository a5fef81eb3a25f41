package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"
)

// badInput is a command line that is wrong in one way, with files that are.
type badInput struct {
	name  string
	args  []string
	files map[string]string
	says  []string // what the message has: texts, or some of which one must match, separated by |
}

// What a bad input may take. On an idle machine none takes more than a tenth of it; the
// clock is generous since others may be busy.
const (
	longestAnswer = 20 * time.Second
	mostAllocated = 500 << 20 // bytes altogether, of which less are in use at a time
)

// leastBadInputs is how many the table has at least.
const leastBadInputs = 1000

// TestBadInputs gives kneepoint a thousand wrong inputs: each ends with exit status 2, one
// line on stderr that names the file, the key, the value and what would be right, and
// nothing written.
func TestBadInputs(t *testing.T) {
	all := slices.Concat(badKeys(), badProfiles(), badFlags(), badFiles(), badTogether(), badFleets())
	if len(all) < leastBadInputs {
		t.Errorf("%d inputs, want %d", len(all), leastBadInputs)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	writeInputs(t, dir)
	writeGood(t, dir)
	before := folder(t, dir)
	seen := map[string]bool{}
	var slowest, largest cost
	for _, in := range all {
		key := strings.Join(in.args, "\x00") + fmt.Sprint(in.files)
		if seen[key] {
			t.Errorf("%s: twice in the table", in.name)
		}
		seen[key] = true
		c := in.check(t)
		slowest = maxCost(slowest, c, func(c cost) float64 { return c.time.Seconds() })
		largest = maxCost(largest, c, func(c cost) float64 { return c.bytes })
	}
	if after := folder(t, dir); !slices.Equal(before, after) {
		t.Errorf("files before: %v, after: %v", before, after)
	}
	t.Logf("%d inputs; the slowest, %s, took %v", len(all), slowest.name, slowest.time)
	t.Logf("%s allocated the most, %.0f MB", largest.name, largest.bytes/1e6)
}

// TestGoodInputs: the files that the bad ones are made of are right, so that it is the
// damage which is refused.
func TestGoodInputs(t *testing.T) {
	for _, r := range readers[:len(readers)-1] { // the last one is the start of an experiment
		t.Run(r.name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			writeInputs(t, dir)
			writeGood(t, dir)
			if err := os.MkdirAll(filepath.Dir(r.name), 0o700); err != nil {
				t.Fatal(err)
			}
			text := r.good
			if len(r.columns) > 0 {
				text = r.row(func(column, value string) (string, string) { return column, value })
			}
			if text != r.good {
				t.Errorf("read and written again it is %q", text)
			}
			if err := os.WriteFile(r.name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			var stdout, stderr bytes.Buffer
			args := r.args
			if args[0] == "run" {
				args = with(args, "--no-search", "--no-figures")
			}
			if status := execute(t.Context(), args, &stdout, &stderr); status != exitDone {
				t.Errorf("status %d: %s", status, &stderr)
			}
		})
	}
}

// cost is what a bad input took.
type cost struct {
	name  string
	time  time.Duration
	bytes float64
}

func maxCost(a, b cost, of func(cost) float64) cost {
	if of(b) > of(a) {
		return b
	}
	return a
}

// check runs the command line in this process, and takes the files away again.
func (in *badInput) check(t *testing.T) cost {
	t.Helper()
	for name, text := range in.files {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(strings.Split(name, "/")[0])
	}
	ctx, cancel := context.WithTimeout(t.Context(), longestAnswer)
	defer cancel()
	var stdout, stderr bytes.Buffer
	allocated, began := allocatedBytes(), time.Now()
	status := execute(ctx, in.args, &stdout, &stderr)
	c := cost{in.name, time.Since(began), allocatedBytes() - allocated}
	message := stderr.String()
	switch {
	case ctx.Err() != nil:
		t.Errorf("%s: no answer within %v", in.name, longestAnswer)
	case status != exitBadInput || strings.Count(message, "\n") != 1 || !strings.HasPrefix(message, "kneepoint: ") || stdout.Len() > 0:
		t.Errorf("%s: status %d, stdout %.200q, stderr %.400q", in.name, status, &stdout, message)
	case c.bytes > mostAllocated:
		t.Errorf("%s: allocated %.0f MB", in.name, c.bytes/1e6)
	default:
		in.checkMessage(t, message)
	}
	return c
}

// allowed are the ways to say what would be right.
var allowed = regexp.MustCompile(`; allowed: |did you mean|must |missing|not supported yet|has no effect|write a |` +
	`cannot be read|does not exist|no such file|stands (there )?twice|at least one|needs `)

// checkMessage demands that the message has what it should.
func (in *badInput) checkMessage(t *testing.T, message string) {
	t.Helper()
	for _, says := range in.says {
		if says == "" || strings.Contains(message, says) {
			continue
		}
		if !slices.ContainsFunc(strings.Split(says, "|"), func(one string) bool {
			return one != "" && (strings.Contains(message, one) || strings.Contains(one, ".*") && regexp.MustCompile(one).MatchString(message))
		}) {
			t.Errorf("%s: %s does not say %s", in.name, strings.TrimSpace(message), says)
			return
		}
	}
	if !allowed.MatchString(message) {
		t.Errorf("%s: %s does not say what is allowed", in.name, strings.TrimSpace(message))
	}
	if strings.Contains(message, "----") {
		t.Errorf("%s: %s names no flag", in.name, strings.TrimSpace(message))
	}
}

// allocatedBytes is what this process has allocated so far.
func allocatedBytes() float64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return float64(sample[0].Value.Uint64())
}

// folder lists what is in a folder.
func folder(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}
