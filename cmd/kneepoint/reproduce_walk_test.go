package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// reproducePath is the page that walks through a paper.
const reproducePath = "../../docs/reproduce.md"

// fenced finds a block of a language in Markdown, as far to the right as its fence.
func fenced(t *testing.T, text, language string) string {
	t.Helper()
	found := regexp.MustCompile("(?ms)^( *)```" + language + "\n(.*?)^ *```$").FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("no block of %q", language)
	}
	return strings.ReplaceAll("\n"+found[2], "\n"+found[1], "\n")[1:]
}

// TestPaperWalk: whoever copies the two files of the walk from a paper to a verdict has the verdict that is shown. With -update
// the page is written anew.
func TestPaperWalk(t *testing.T) {
	page, err := filepath.Abs(filepath.FromSlash(reproducePath))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, walk, _ := strings.Cut(string(text), "## From a paper to a verdict\n")
	walk, _, _ = strings.Cut(walk, "\n## ")
	t.Chdir(t.TempDir())
	for name, language := range map[string]string{"mine.toml": "toml", "table2.csv": "csv"} {
		if err := os.WriteFile(name, []byte(fenced(t, walk, language)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	status, stdout, stderr := command(t, "reproduce", "mine.toml", "--quiet")
	if status != exitDone {
		t.Fatalf("exit status %d: %s", status, stderr)
	}
	stdout = strings.TrimRight(stdout, "\n") + "\n"
	_, verdict, _ := strings.Cut(walk, "`kneepoint reproduce mine.toml`\n")
	shown := fenced(t, verdict, "")
	if stdout == shown {
		return
	}
	if !*update {
		t.Fatalf("it prints\n%s\nand the page has\n%s", stdout, shown)
	}
	indented := func(s string) string {
		return "   " + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n   ") + "\n"
	}
	if err := os.WriteFile(page, []byte(strings.Replace(string(text), indented(shown), indented(stdout), 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}
