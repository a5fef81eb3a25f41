//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"kneepoint/internal/effort"
)

// TestInterruptions sends signals to a few runs at random moments. With -tags chaos there
// are hundreds of them.
func TestInterruptions(t *testing.T) {
	interruptMany(t, effort.Times(t, 6), []string{"nothing", "earlier", "foreign"})
}

// interruptMany interrupts n runs, each in a folder of its own, and demands after each what
// site.check and site.finish demand. The seed that it prints repeats the draws, though not
// the moments.
func interruptMany(t *testing.T, n int, kinds []string) {
	random := seeded(t)
	known := newReferences(t)
	took := map[bool]time.Duration{} // without an interrupt, by whether figures are drawn
	for _, figures := range []bool{false, true} {
		s := newSite(t, "nothing", known)
		begun := time.Now()
		if v := s.start(figures); v.wait() != exitDone {
			t.Fatal(v.stderr.String())
		}
		took[figures] = time.Since(begun)
	}
	counts := map[string]int{}
	for i := range n {
		kind := kinds[i%len(kinds)]
		t.Run(fmt.Sprintf("%d %s", i, kind), func(t *testing.T) {
			s := newSite(t, kind, known)
			figures := random.IntN(2) == 0
			v := s.start(figures)
			signals := v.interrupt(random, took[figures])
			code := v.wait()
			outcome := s.check(v, signals, code)
			s.finish()
			counts[fmt.Sprintf("%v: exit %d, %s", signals, code, outcome)]++
		})
	}
	for what, times := range counts {
		t.Logf("%4d × %s", times, what)
	}
}

// seeded is random numbers of a seed, which is printed.
func seeded(t *testing.T) *rand.Rand {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("KNEEPOINT_CHAOS_SEED"); text != "" {
		if _, err := fmt.Sscan(text, &seed); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("KNEEPOINT_CHAOS_SEED=%d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// victim is a run as a process of its own.
type victim struct {
	t              *testing.T
	cmd            *exec.Cmd
	stdout, stderr bytes.Buffer
	drafted        func(file string) bool // whether it has made a file
	ended          chan error
}

// startVictim runs the real command line in a folder.
func startVictim(t *testing.T, dir string, args ...string) *victim {
	t.Helper()
	return startProcess(t, dir, "kneepoint", args...)
}

func startProcess(t *testing.T, dir, program string, args ...string) *victim {
	t.Helper()
	v := &victim{t: t, cmd: exec.Command(program, args...), ended: make(chan error, 1)}
	v.cmd.Dir, v.cmd.Stdout, v.cmd.Stderr = dir, &v.stdout, &v.stderr
	if err := v.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { v.ended <- v.cmd.Wait() }()
	return v
}

// interrupt sends one signal, or two, at a random moment: anywhere in the time that a run
// takes, or, for every other run, soon after it has written one of its files. Moments soon
// after are the likelier, since a folder takes another's place in no time.
func (v *victim) interrupt(random *rand.Rand, within time.Duration) []syscall.Signal {
	const kill, ctrlC, end = syscall.SIGKILL, syscall.SIGINT, syscall.SIGTERM
	signals := [][]syscall.Signal{{kill}, {kill}, {ctrlC}, {end}, {ctrlC, end}}[random.IntN(5)]
	delay := time.Duration(random.Float64() * float64(within))
	if random.IntN(2) == 0 {
		file := []string{"lock", "new/results.json", "new/results.csv", "new/*.png", "new/.kneepoint", "new/.kneepoint"}[random.IntN(6)]
		v.await(func() bool { return v.drafted(file) })
		delay = time.Duration(math.Pow(random.Float64(), 4) * float64(5*time.Millisecond))
	}
	for _, s := range signals {
		time.Sleep(delay)
		_ = v.cmd.Process.Signal(s) // which may have ended
		delay = time.Duration(random.Float64() * float64(time.Millisecond))
	}
	return signals
}

// await waits until something is the case, or the process has ended.
func (v *victim) await(so func() bool) {
	for !so() {
		select {
		case err := <-v.ended:
			v.ended <- err
			return
		case <-time.After(100 * time.Microsecond):
		}
	}
}

// wait is the exit status, or minus the signal that ended the process.
func (v *victim) wait() int {
	v.t.Helper()
	var err error
	select {
	case err = <-v.ended:
	case <-time.After(2 * time.Minute):
		_ = v.cmd.Process.Kill()
		v.t.Fatalf("still running after two minutes: %s", v.stderr.String())
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return exitDone
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return -int(status.Signal())
	}
	return exit.ExitCode()
}

// statusesAfter are the exit statuses that a run may have after signals: it may always have
// ended before.
func statusesAfter(signals []syscall.Signal) []int {
	switch {
	case signals[0] == syscall.SIGKILL:
		return []int{exitDone, -int(syscall.SIGKILL)}
	case len(signals) == 1:
		return []int{exitDone, exitInterrupted, -int(signals[0])} // the signal's own before the program listens
	default:
		return []int{exitDone, exitInterrupted, -int(signals[0]), -int(signals[1])}
	}
}

// glob tells whether a file of a pattern is there.
func glob(parts ...string) bool {
	found, _ := filepath.Glob(filepath.Join(parts...))
	return len(found) > 0
}

// lines are the lines of a file, each of which ends.
func lines(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		t.Errorf("%s is cut: it ends with %.40q", path, text[max(0, len(text)-40):])
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}
