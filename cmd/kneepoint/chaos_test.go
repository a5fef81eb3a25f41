//go:build chaos && unix

package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"kneepoint/internal/effort"
)

var allKinds = []string{"nothing", "empty", "earlier", "foreign", "inside", "mount"}

// TestChaosInterruptions interrupts hundreds of runs.
func TestChaosInterruptions(t *testing.T) {
	interruptMany(t, effort.Times(t, 240), allKinds)
}

// TestChaosKilledRunsResume kills 50 runs that keep what they have found.
func TestChaosKilledRunsResume(t *testing.T) {
	killMany(t, effort.Times(t, 50))
}

// TestChaosFullDisk runs where there is room for some of the files, or for none.
func TestChaosFullDisk(t *testing.T) {
	random, known, counts := seeded(t), newReferences(t), map[string]int{}
	for i := range effort.Times(t, 40) {
		kind := []string{"nothing", "earlier", "foreign"}[i%3]
		t.Run(fmt.Sprintf("%d %s", i, kind), func(t *testing.T) {
			disk := t.TempDir()
			mounted(t, disk, "64m")
			s := newSiteIn(t, disk, kind, known)
			resize(t, disk, used(t, disk)+random.Int64N(300<<10))
			v := s.start(random.IntN(2) == 0)
			code := v.wait()
			s.failsOrNot(v, code, "no space left on device")
			resize(t, disk, 64<<20)
			s.finish()
			counts[fmt.Sprint("exit ", code)]++
		})
	}
	t.Log(counts)
}

// TestChaosLargeFiles does the same without a disk: no file may be larger than a few blocks.
func TestChaosLargeFiles(t *testing.T) {
	random, known, counts := seeded(t), newReferences(t), map[string]int{}
	for i := range effort.Times(t, 20) {
		kind := []string{"nothing", "earlier", "foreign"}[i%3]
		t.Run(fmt.Sprintf("%d %s", i, kind), func(t *testing.T) {
			s := newSite(t, kind, known)
			args := append([]string{"-c", fmt.Sprintf(`ulimit -f %d; exec kneepoint "$@"`, random.IntN(200)), "sh"},
				known.args(s.arg, seedVictim)...)
			v := startProcess(t, s.dir, "sh", args...)
			v.drafted = s.drafted
			code := v.wait()
			s.failsOrNot(v, code, "file too large")
			s.finish()
			counts[fmt.Sprint("exit ", code)]++
		})
	}
	t.Log(counts)
}

// TestChaosReadOnly makes the file system read-only before a run, or within it.
func TestChaosReadOnly(t *testing.T) {
	random, known, counts := seeded(t), newReferences(t), map[string]int{}
	for i := range effort.Times(t, 30) {
		kind := []string{"nothing", "earlier", "foreign"}[i%3]
		t.Run(fmt.Sprintf("%d %s", i, kind), func(t *testing.T) {
			disk := t.TempDir()
			mounted(t, disk, "64m")
			s := newSiteIn(t, disk, kind, known)
			before := i%5 == 0
			if before {
				remount(t, disk, "ro")
			}
			v := s.start(random.IntN(2) == 0)
			if !before {
				v.await(func() bool { return v.drafted("lock") })
				time.Sleep(time.Duration(random.Float64() * float64(400*time.Millisecond)))
				remount(t, disk, "ro")
			}
			code := v.wait()
			if before && (code != exitBadInput || v.stdout.Len() > 0) {
				t.Errorf("status %d and %d bytes where nothing can be written: %s", code, v.stdout.Len(), v.stderr.String())
			}
			if !before {
				s.failsOrNot(v, code, "read-only file system")
			}
			remount(t, disk, "rw")
			s.finish()
			counts[fmt.Sprint("before: ", before, ", exit ", code)]++
		})
	}
	t.Log(counts)
}

// TestChaosVanishing removes or renames folders under a run.
func TestChaosVanishing(t *testing.T) {
	random, known, counts := seeded(t), newReferences(t), map[string]int{}
	for i := range effort.Times(t, 60) {
		kind := []string{"nothing", "empty", "earlier"}[i%3]
		t.Run(fmt.Sprintf("%d %s", i, kind), func(t *testing.T) {
			s := newSite(t, kind, known)
			v := s.start(random.IntN(2) == 0)
			v.await(func() bool { return v.drafted("lock") })
			time.Sleep(time.Duration(random.Float64() * float64(500*time.Millisecond)))
			what := []string{"draft", "folder", "moved"}[random.IntN(3)]
			s.vanish(what)
			code := v.wait()
			s.before = nil // which may be gone
			s.failsOrNot(v, code, "no such file or directory")
			_ = os.RemoveAll(filepath.Join(s.parent, "moved"))
			s.finish()
			counts[fmt.Sprint(what, ": exit ", code)]++
		})
	}
	t.Log(counts)
}

// vanish takes away what a run is about to write to.
func (s *site) vanish(what string) {
	switch what {
	case "draft":
		drafts, _ := filepath.Glob(filepath.Join(s.parent, ".o.draft-*", "lock"))
		for _, lock := range drafts {
			_ = os.RemoveAll(filepath.Dir(lock))
		}
	case "folder":
		_ = os.RemoveAll(s.out)
	case "moved":
		_ = os.Rename(s.out, filepath.Join(s.parent, "moved"))
	}
}

// failsOrNot demands that a run which could not write its results says why, and prints its
// tables all the same.
func (s *site) failsOrNot(v *victim, code int, why string) {
	s.t.Helper()
	switch {
	case code == exitDone:
	case code != exitFailed:
		s.t.Errorf("exit status %d: %s", code, v.stderr.String())
	case strings.Count(v.stderr.String(), "\n") != 1 || !strings.Contains(v.stderr.String(), why):
		s.t.Errorf("says %q, want a line with %q", v.stderr.String(), why)
	}
	if !strings.Contains(v.stdout.String(), "\ncontinuous\n") {
		s.t.Errorf("status %d, no tables", code)
	}
	s.untouched()
	s.whole()
}

// TestChaosTwoRuns lets two runs write into one folder at once, of which one may be killed.
func TestChaosTwoRuns(t *testing.T) {
	random, known, counts := seeded(t), newReferences(t), map[string]int{}
	for i := range effort.Times(t, 60) {
		kind := allKinds[i%len(allKinds)]
		t.Run(fmt.Sprintf("%d %s", i, kind), func(t *testing.T) {
			s := newSite(t, kind, known)
			first := s.start(false)
			time.Sleep(time.Duration(math.Pow(random.Float64(), 4) * float64(50*time.Millisecond)))
			second := startVictim(t, s.dir, known.args(s.arg, seedAfter, "--no-figures")...)
			killed := random.IntN(3) == 0
			if killed {
				time.Sleep(time.Duration(random.Float64() * float64(300*time.Millisecond)))
				_ = second.cmd.Process.Kill()
			}
			codes := []int{first.wait(), second.wait()}
			if codes[0] != exitDone || codes[1] != exitDone && !(killed && codes[1] == -int(syscall.SIGKILL)) {
				t.Errorf("statuses %v: %s%s", codes, first.stderr.String(), second.stderr.String())
			}
			s.untouched()
			s.whole()
			counts[fmt.Sprint(kind, ": ", s.ofOneRun(codes[1] == exitDone))]++
			s.finish()
		})
	}
	t.Log(counts)
}

// ofOneRun demands that all files are those of one run, and says of which. One that was
// killed may have moved some of its own into a folder that is not replaced at once.
func (s *site) ofOneRun(bothEnded bool) string {
	s.t.Helper()
	files := contents(s.t, s.out)
	for _, seed := range []string{seedVictim, seedAfter} {
		if !slices.ContainsFunc([]string{"results.json", "runs.ndjson", "results.csv", "points.csv"}, func(name string) bool {
			return files[name] != s.known.results[seed][name]
		}) {
			return "seed " + seed
		}
	}
	if bothEnded || !s.inPlace {
		s.t.Error("the folder has files of both runs")
	}
	return "mixed"
}

// used is how many bytes of a file system are taken.
func used(t *testing.T, dir string) int64 {
	t.Helper()
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		t.Fatal(err)
	}
	return int64(fs.Blocks-fs.Bfree) * fs.Bsize
}

func resize(t *testing.T, dir string, size int64) {
	t.Helper()
	remount(t, dir, fmt.Sprint("size=", size))
}

// remount gives a mounted file system other options. It is busy for as long as a file of it
// is open for writing.
func remount(t *testing.T, dir, options string) {
	t.Helper()
	var text []byte
	err := errors.New("busy")
	for range 1000 {
		if text, err = exec.Command("mount", "-o", "remount,"+options, dir).CombinedOutput(); err == nil {
			return
		}
		time.Sleep(time.Duration(rand.IntN(1000)) * time.Microsecond)
	}
	t.Fatalf("%v: %s", err, text)
}
