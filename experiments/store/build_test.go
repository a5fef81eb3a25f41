package store

import (
	"runtime"
	"strings"
	"testing"
)

// TestBuildID: a program of the go command is known by what that wrote into it, and any other file is not.
func TestBuildID(t *testing.T) {
	file, err := openProgram()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if id := buildID(file); runtime.GOOS == "linux" && !hasContent(id) {
		t.Errorf("the ID of this program is %q", id)
	}
	for _, text := range []string{"", "no program"} {
		if id := buildID(strings.NewReader(text)); id != "" {
			t.Errorf("the ID of %q is %q", text, id)
		}
	}
	for id, want := range map[string]bool{"a/b/c/d": true, "a/b/c/": false, "a/b": false, "redacted": false, "": false, "a/b/c/d/e": false} {
		if hasContent(id) != want {
			t.Errorf("%q ends with the hash of a content: %t, want %t", id, !want, want)
		}
	}
}
