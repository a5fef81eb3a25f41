//go:build unix

package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"kneepoint/internal/effort"
)

// keptRun is a run into a folder of its own, whose runs are kept in a store beside it.
type keptRun struct {
	t    *testing.T
	dir  string
	args []string
}

// newKeptRun is a run of 18 simulations that take long enough for an interrupt.
func newKeptRun(t *testing.T) *keptRun {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "victim.toml"), []byte(victimText), 0o644); err != nil {
		t.Fatal(err)
	}
	return &keptRun{t, dir, []string{"run", "victim.toml", "--set", "workload.num_requests=3000", "--no-search", "--no-figures", "--workers", "1"}}
}

// start begins the run into a folder, with a store.
func (r *keptRun) start(out, store string) *victim {
	r.t.Helper()
	return startVictim(r.t, r.dir, with(r.args, "--out", out, "--store", store)...)
}

// finish runs to the end, and says how many runs were kept.
func (r *keptRun) finish(out, store string) int {
	r.t.Helper()
	v := r.start(out, store)
	return r.kept(v)
}

// kept waits for a run, which must succeed, and is how many of its runs were kept.
func (r *keptRun) kept(v *victim) int {
	r.t.Helper()
	if code := v.wait(); code != exitDone {
		r.t.Fatalf("status %d: %s", code, v.stderr.String())
	}
	if strings.Contains(v.stderr.String(), "kneepoint: ") {
		r.t.Errorf("says %s", v.stderr.String())
	}
	found := regexp.MustCompile(`(?m)^(\d+) of 18 runs were kept results`).FindStringSubmatch(v.stderr.String())
	if found == nil {
		return 0
	}
	n, _ := strconv.Atoi(found[1])
	return n
}

// same demands that two folders have the same files.
func (r *keptRun) same(a, b string) {
	r.t.Helper()
	one, other := contents(r.t, filepath.Join(r.dir, a)), contents(r.t, filepath.Join(r.dir, b))
	for name := range one {
		if name != ".kneepoint" && one[name] != other[name] {
			r.t.Errorf("%s of %s and of %s differ", name, a, b)
		}
	}
	if len(one) != len(other) || len(one) == 0 {
		r.t.Errorf("%d and %d files", len(one), len(other))
	}
}

// entries is how many runs a store has.
func (r *keptRun) entries(store string) int {
	r.t.Helper()
	found, err := filepath.Glob(filepath.Join(r.dir, store, "*", "*.json.gz"))
	if err != nil {
		r.t.Fatal(err)
	}
	return len(found)
}

// TestKilledRunsResume kills a few runs; with -tags chaos there are 50.
func TestKilledRunsResume(t *testing.T) { killMany(t, effort.Times(t, 8)) }

// killMany kills n runs at random moments, several into one store, which then is run to the
// end: whatever was in the store is found, and the results are those of a run that nobody killed.
func killMany(t *testing.T, n int) {
	r, random := newKeptRun(t), seeded(t)
	begun := time.Now()
	r.finish("whole", "kept")
	took := time.Since(begun)
	if n := r.entries("kept"); n != 18 {
		t.Fatalf("%d runs are kept, want 18", n)
	}
	resumed := 0
	for store := 0; n > 0; store++ {
		name := fmt.Sprint("kept", store)
		for range 4 {
			v := r.start("o", name)
			time.Sleep(time.Duration(random.Float64() * 0.7 * float64(took)))
			_ = v.cmd.Process.Kill() // which may have ended
			_ = v.wait()
			n--
		}
		entries := r.entries(name)
		if kept := r.finish("o", name); kept != entries {
			t.Errorf("%d runs were in the store, and %d were found", entries, kept)
		} else if kept > 0 && kept < 18 {
			resumed++
		}
		r.same("whole", "o")
	}
	t.Logf("%d of the stores had some of the runs", resumed)
}

// TestTwoRunsShareAStore: two runs at once keep what they find in one store, and find the same.
func TestTwoRunsShareAStore(t *testing.T) {
	r := newKeptRun(t)
	r.finish("whole", "alone")
	for i := range effort.Times(t, 2) {
		store := fmt.Sprint("kept", i)
		first := r.start("a", store)
		time.Sleep(time.Duration(rand.Float64() * float64(20*time.Millisecond)))
		second := r.start("b", store)
		r.kept(first)
		r.kept(second)
		r.same("whole", "a")
		r.same("whole", "b")
		if n := r.entries(store); n != 18 {
			t.Errorf("%d runs are kept, want 18", n)
		}
	}
}

// TestStoreOnAFullDisk: where there is room for some runs or none, the results are as ever, and
// one line says that not all runs are kept.
func TestStoreOnAFullDisk(t *testing.T) {
	r := newKeptRun(t)
	r.finish("whole", "alone")
	disk := filepath.Join(r.dir, "disk")
	if err := os.Mkdir(disk, 0o755); err != nil {
		t.Fatal(err)
	}
	mounted(t, disk, "64k")
	v := r.start("o", "disk/kept")
	if code := v.wait(); code != exitDone || strings.Count(v.stderr.String(), "no space left on device") != 1 ||
		!strings.Contains(v.stderr.String(), "\nkneepoint: not all runs are kept: store disk/kept: ") {
		t.Errorf("status %d: %s", code, v.stderr.String())
	}
	r.same("whole", "o")
}

// TestStoreThatCannotBeWritten: what others keep is found, though nothing can be added.
func TestStoreThatCannotBeWritten(t *testing.T) {
	r := newKeptRun(t)
	disk := filepath.Join(r.dir, "disk")
	if err := os.Mkdir(disk, 0o755); err != nil {
		t.Fatal(err)
	}
	mounted(t, disk, "64m")
	r.finish("whole", "disk/kept")
	remountReadOnly(t, disk)
	if kept := r.finish("o", "disk/kept"); kept != 18 {
		t.Errorf("%d runs were kept results", kept)
	}
	r.same("whole", "o")
	r.args = with(r.args, "--seed", "5")
	v := r.start("o", "disk/kept")
	if code := v.wait(); code != exitDone || !strings.Contains(v.stderr.String(), "not all runs are kept: store disk/kept: ") {
		t.Errorf("status %d: %s", code, v.stderr.String())
	}
	v = r.start("o", "disk/new")
	if code := v.wait(); code != exitBadInput || !strings.Contains(v.stderr.String(), `--store = "disk/new": cannot be used: read-only file system`) {
		t.Errorf("status %d: %s", code, v.stderr.String())
	}
}

// TestDamagedStore: what was damaged is found anew, and one line says so; then it is whole again.
func TestDamagedStore(t *testing.T) {
	r := newKeptRun(t)
	r.finish("whole", "kept")
	damaged, _ := filepath.Glob(filepath.Join(r.dir, "kept", "*", "*.json.gz"))
	for i, path := range damaged[:3] {
		text, err := os.ReadFile(path)
		text[len(text)/2] ^= 1
		if err := errors.Join(err, os.WriteFile(path, text[:len(text)-i], 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	v := r.start("o", "kept")
	if code := v.wait(); code != exitDone || !strings.Contains(v.stderr.String(), "\n15 of 18 runs were kept results, from kept\n") ||
		!strings.Contains(v.stderr.String(), "\nkneepoint: store kept: 3 kept results were damaged, and found anew, the first in ") {
		t.Errorf("status %d: %s", code, v.stderr.String())
	}
	r.same("whole", "o")
	if kept := r.finish("o", "kept"); kept != 18 {
		t.Errorf("%d runs were kept results", kept)
	}
}
