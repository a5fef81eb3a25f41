package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments"
	"kneepoint/experiments/results"
)

// block is a fenced block of a Markdown file.
type block struct {
	language string
	lines    []string
}

// readme returns the fenced blocks of the README.
func readme(t *testing.T) []block {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash("../../README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var blocks []block
	open := false
	for _, line := range strings.Split(string(text), "\n") {
		language, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && open:
			open = false
		case fence:
			open = true
			blocks = append(blocks, block{language: language})
		case open:
			b := &blocks[len(blocks)-1]
			b.lines = append(b.lines, line)
		}
	}
	return blocks
}

// command runs a command line and returns its exit status and output.
func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = execute(t.Context(), args, &out, &errs)
	return code, out.String(), errs.String()
}

// small shortens a run to what a test can wait for.
func small(args []string) []string {
	if len(args) > 0 && args[0] == "run" {
		return append(slices.Clone(args), "-q", "--no-figures", "--set", "workload.num_requests=20", "--set", "replications=1")
	}
	return args
}

// The two commands of a fresh clone stand alone in blocks of their own.
func TestReadmeCommands(t *testing.T) {
	for _, want := range []string{"go run ./cmd/kneepoint run quickstart", "go test ./..."} {
		if !slices.ContainsFunc(readme(t), func(b block) bool { return slices.Equal(b.lines, []string{want}) }) {
			t.Errorf("the README has no block with just %q", want)
		}
	}
}

// TestExperimentsAreListed: whoever looks for an experiment finds all that come along, those
// that repeat a paper on a page of their own.
func TestExperimentsAreListed(t *testing.T) {
	pages := map[bool]string{false: "README.md", true: "docs/reproduce.md"}
	texts := map[bool]string{}
	for papers, page := range pages {
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(page)))
		if err != nil {
			t.Fatal(err)
		}
		texts[papers] = string(text)
	}
	for _, name := range experiments.Names() {
		if papers := slices.Contains(experiments.Papers(), name); !strings.Contains(texts[papers], "| `"+name+"`") && !strings.Contains(texts[papers], ", `"+name+"`") {
			t.Errorf("%s is not in %s", name, pages[papers])
		}
	}
}

// TestReadmeWalk: every other command of the README works, in order, in an empty folder.
func TestReadmeWalk(t *testing.T) {
	blocks := readme(t)
	t.Chdir(t.TempDir())
	ran := 0
	for _, b := range blocks {
		for _, line := range b.lines {
			line, _, _ = strings.Cut(line, " #")
			args, ours := strings.CutPrefix(line, "go run ./cmd/kneepoint ")
			if !ours {
				continue
			}
			ran++
			if code, _, stderr := command(t, small(strings.Fields(args))...); code != exitDone {
				t.Errorf("%s: exit status %d: %s", line, code, stderr)
			}
		}
	}
	if ran < 4 {
		t.Errorf("found only %d commands", ran)
	}
}

// The example experiment loads, and the commands shown with a prompt do with it
// what they say: those followed by a message end with every part of it.
func TestReadmeExample(t *testing.T) {
	blocks := readme(t)
	t.Chdir(t.TempDir())
	at := slices.IndexFunc(blocks, func(b block) bool { return b.language == "toml" })
	if at < 0 {
		t.Fatal("the README has no TOML example")
	}
	if err := os.WriteFile("mine.toml", []byte(strings.Join(blocks[at].lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := command(t, small([]string{"run", "mine.toml"})...); code != exitDone {
		t.Fatalf("the example ends with exit status %d: %s", code, stderr)
	}
	shown := 0
	for _, b := range blocks {
		for i, line := range b.lines {
			args, ours := strings.CutPrefix(line, "$ kneepoint ")
			if !ours {
				continue
			}
			shown++
			message := ""
			if i+1 < len(b.lines) && strings.HasPrefix(b.lines[i+1], "kneepoint: ") {
				message = b.lines[i+1]
			}
			checkShown(t, strings.Fields(args), message)
		}
	}
	if shown < 2 {
		t.Errorf("found only %d commands with a prompt", shown)
	}
}

// checkShown runs a command that the README shows with the message it ends with.
func checkShown(t *testing.T, args []string, message string) {
	t.Helper()
	want := exitDone
	if message != "" {
		want = exitBadInput
	}
	code, _, stderr := command(t, small(args)...)
	if code != want {
		t.Errorf("%v: exit status %d, want %d: %s", args, code, want, stderr)
	}
	for _, part := range strings.Split(message, "; ") {
		if !strings.Contains(stderr, part) {
			t.Errorf("%v says %q, but the README shows %q", args, stderr, message)
		}
	}
}

// TestReadmeSummary: quickstart ends as the README shows.
func TestReadmeSummary(t *testing.T) {
	if testing.Short() {
		t.Skip("searches knees")
	}
	blocks := readme(t)
	t.Chdir(t.TempDir())
	_, stdout, _ := command(t, "run", "quickstart", "-q", "--no-figures")
	at := slices.IndexFunc(blocks, func(b block) bool { return strings.HasPrefix(b.lines[0], "knee: ") })
	if at < 0 {
		t.Fatal("the README has no summary")
	}
	if want := strings.Join(blocks[at].lines, "\n") + "\n"; !strings.HasSuffix(stdout, want) {
		t.Errorf("quickstart ends with\n%s\nwant\n%s", stdout[max(0, len(stdout)-len(want)):], want)
	}
}

// TestGallery: docs/figures.md shows every figure that the experiments for it ask for, and
// these are of every kind.
func TestGallery(t *testing.T) {
	text, err := os.ReadFile(filepath.FromSlash("../../docs/figures.md"))
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, name := range []string{"gallery", "heatmap", "databricks-static"} {
		e, err := read(name, nil, (*experiments.File).Check)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range e.Plan().Plots {
			shown[spec.Kind] = true
			link := "figures/" + spec.File + ".svg"
			if _, err := os.Stat(filepath.FromSlash("../../docs/" + link)); err != nil || !strings.Contains(string(text), "]("+link+")") {
				t.Errorf("docs/figures.md does not show %s: %v", link, err)
			}
		}
	}
	for _, kind := range results.PlotKinds {
		if !shown[kind] {
			t.Errorf("no figure of the kind %s is shown", kind)
		}
	}
}
