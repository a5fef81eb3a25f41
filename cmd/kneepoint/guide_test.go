package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments"
)

// guidePath is the page that says which strategy pays when.
const guidePath = "../../docs/guide.md"

// TestGoals: every file of a goal is one that init lists, is valid, expects something, and is in the guide.
func TestGoals(t *testing.T) {
	files, err := fs.Glob(goalFiles, "goals/*.toml")
	if err != nil || len(files) != len(goals) {
		t.Fatalf("%d goals, %v, %v", len(goals), files, err)
	}
	guide := guideText(t)
	for _, g := range goals {
		t.Run(g.name, func(t *testing.T) {
			e, err := experiments.Load(goalFile(t, g.name))
			if err != nil {
				t.Fatal(err)
			}
			checked, err := e.Check()
			if err != nil {
				t.Fatal(err)
			}
			if len(checked.Spec.Expect) < 3 {
				t.Errorf("%d expectations", len(checked.Spec.Expect))
			}
			if !strings.Contains(guide, "kneepoint init --goal "+g.name) {
				t.Error("the guide has no command for it")
			}
		})
	}
}

// TestGuide: what the guide shows of an experiment is what it prints, and all of its expectations are met. With -update the
// guide is written anew.
func TestGuide(t *testing.T) {
	if testing.Short() {
		t.Skip("some fifteen seconds of simulation")
	}
	guide := guideText(t)
	for _, g := range goals {
		path := goalFile(t, g.name)
		out := filepath.Join(t.TempDir(), "out")
		status, stdout, stderr := command(t, "run", path, "--quiet", "--no-figures", "--out", out)
		if status != exitDone {
			t.Fatalf("%s: status %d: %s", g.name, status, stderr)
		}
		tables, err := os.ReadFile(filepath.Join(out, tablesFile))
		if err != nil {
			t.Fatal(err)
		}
		shown := guideBlock(stdout, string(tables))
		start, end := blockOf(t, guide, g.name)
		if *update {
			guide = guide[:start] + shown + guide[end:]
		} else if guide[start:end] != shown {
			t.Errorf("%s prints\n%s\nand the guide has\n%s", g.name, shown, guide[start:end])
		}
	}
	if *update {
		if err := os.WriteFile(guidePath, []byte(guide), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// guideText is the guide.
func guideText(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(guidePath))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// goalFile is what init writes for a goal.
func goalFile(t *testing.T, goal string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), goal+".toml")
	if status, _, stderr := command(t, "init", "--goal", goal, path); status != exitDone {
		t.Fatal(stderr)
	}
	return path
}

// guideBlock is what the guide shows of a run: the first two tables that it prints, and its expectations.
func guideBlock(stdout, tables string) string {
	parts := strings.Split(stdout, "\n\n")
	shown := strings.TrimSpace(strings.Join(parts[:min(3, len(parts))], "\n\n")) + "\n\n"
	lines := slices.DeleteFunc(strings.SplitAfter(tables, "\n"), func(line string) bool { return !strings.HasPrefix(line, "met ") })
	return shown + strings.Join(lines, "")
}

// blockOf is where the guide has the output of a goal: the first fenced block behind its command's.
func blockOf(t *testing.T, guide, goal string) (start, end int) {
	t.Helper()
	const fence = "```\n"
	at := strings.Index(guide, "kneepoint init --goal "+goal+" ")
	rest := guide[at:]
	closed := strings.Index(rest, fence) + len(fence)
	opened := closed + strings.Index(rest[closed:], fence) + len(fence)
	length := strings.Index(rest[opened:], fence)
	if at < 0 || length < 0 {
		t.Fatalf("the guide has no output of %s", goal)
	}
	return at + opened, at + opened + length
}
