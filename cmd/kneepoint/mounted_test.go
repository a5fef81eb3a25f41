//go:build unix

package main

import (
	"os/exec"
	"testing"
)

// mounted makes a folder a small file system in memory, for the time of the test, which is
// skipped where that cannot be had.
func mounted(t *testing.T, dir, size string) {
	t.Helper()
	if text, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted: %v: %s", err, text)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", dir).Run() })
}

// remountReadOnly makes a mounted file system one that nobody can write to.
func remountReadOnly(t *testing.T, dir string) {
	t.Helper()
	if text, err := exec.Command("mount", "-o", "remount,ro", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}
