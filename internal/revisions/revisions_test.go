package revisions

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestBuild: of a repository with two commits and a change on top each is built as it was, and no working tree is left.
func TestBuild(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	top := t.TempDir()
	t.Chdir(top)
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	says := func(text string) {
		t.Helper()
		write("cmd/kneepoint/main.go", "package main\n\nfunc main() { print(\""+text+"\") }\n")
	}
	git := func(args ...string) string {
		t.Helper()
		out, err := call("", "git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"}, args...)...)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	git("init", "-q")
	write("go.mod", "module kneepoint\n\ngo 1.26\n")
	for _, text := range []string{"first", "second"} {
		says(text)
		git("add", "-A")
		git("commit", "-q", "-m", text)
	}
	says("third")
	built := t.TempDir()
	work := filepath.Join(built, "work")
	if err := BuildWorkTree(work); err != nil {
		t.Fatal(err)
	}
	binaries := map[string]string{"third": work}
	for text, revision := range map[string]string{"first": "HEAD~1", "second": "HEAD"} {
		binaries[text] = filepath.Join(built, text)
		if err := Build(revision, binaries[text]); err != nil {
			t.Fatal(err)
		}
	}
	for text, binary := range binaries {
		if out, err := exec.Command(binary).CombinedOutput(); err != nil || string(out) != text {
			t.Errorf("%s prints %q, %v", binary, out, err)
		}
	}
	if err := Build("HEAD~2", filepath.Join(built, "none")); err == nil || !strings.Contains(err.Error(), "HEAD~2") {
		t.Errorf("before the first commit: %v", err)
	}
	if trees := strings.Count(git("worktree", "list"), "\n"); trees != 1 {
		t.Errorf("%d working trees are left", trees)
	}
}
