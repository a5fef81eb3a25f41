package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestReproductions: docs/reproductions.md is what the experiments that come with kneepoint give.
func TestReproductions(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every reproduction")
	}
	out := t.TempDir()
	if status, _, stderr := command(t, "reproduce", "--quiet", "--no-figures", "--store", publishedStore, "--out", out); status != exitDone {
		t.Fatalf("exit status %d: %s", status, stderr)
	}
	got, err := os.ReadFile(filepath.Join(out, pageFile))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(sourceFolder, "..", "..", "docs", pageFile))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("docs/%s is not what comes out, which is:\n%s\nTo write it: go run ./cmd/kneepoint reproduce --no-figures, and copy results/reproductions/%s", pageFile, got, pageFile)
	}
}
