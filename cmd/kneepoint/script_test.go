package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	if _, set := os.LookupEnv(storeVariable); !set { // what a test runs is simulated, and the user's cache left alone
		_ = os.Setenv(storeVariable, storeOff) // a name that all systems take
	}
	testscript.Main(tidied{m}, map[string]func(){"kneepoint": main})
}

// tidied runs the tests, and then removes what they share.
type tidied struct{ *testing.M }

func (m tidied) Run() int {
	defer func() { _ = os.RemoveAll(publishedStore) }()
	return m.M.Run()
}

// TestScripts runs the command line as people type it: one script per subject
// in testdata/script, each with testdata/small.toml beside it.
func TestScripts(t *testing.T) {
	small, err := os.ReadFile("testdata/small.toml")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("GOGC", "400") // five hundred short processes, that have better things to do
			env.Setenv(storeVariable, storeOff)
			env.Setenv("TWO", "seed=3\nseed=4")
			env.Setenv("LONG", strings.Repeat("0", 20_000))
			env.Setenv("DEEP", strings.Repeat("[", 100_000))
			return os.WriteFile(filepath.Join(env.WorkDir, "small.toml"), small, 0o644)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"refused": refused,
			"json":    isJSON,
			"line":    oneLine,
			"column":  sumOfColumn,
		},
	})
}

// refused PATTERN ARG... demands that the arguments are wrong input: exit
// status 2, one line on stderr that matches the pattern, nothing on stdout, and
// no file or folder that was not there before.
func refused(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: refused pattern arg...")
	}
	before := tree(ts)
	err := ts.Exec("kneepoint", args[1:]...)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitBadInput {
		ts.Fatalf("ended with %v, want exit status %d", err, exitBadInput)
	}
	message := ts.ReadFile("stderr")
	if strings.Count(message, "\n") != 1 || !strings.HasPrefix(message, "kneepoint: ") {
		ts.Fatalf("stderr is not one line of kneepoint's: %q", message)
	}
	if pattern := regexp.MustCompile(args[0]); !pattern.MatchString(message) {
		ts.Fatalf("no match for %s in %s", pattern, message)
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("stdout has %q", out)
	}
	if after := tree(ts); !maps.Equal(before, after) {
		ts.Fatalf("files before: %v, after: %v", slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after)))
	}
}

// tree lists the files and folders of the script's folder, with their sizes.
func tree(ts *testscript.TestScript) map[string]int64 {
	found := map[string]int64{}
	ts.Check(filepath.WalkDir(ts.Getenv("WORK"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if found[path] = info.Size(); entry.IsDir() {
			found[path] = 0
		}
		return nil
	}))
	return found
}

// json FILE demands that the file is one JSON value and nothing else.
func isJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: json file")
	}
	if !json.Valid([]byte(ts.ReadFile(args[0]))) {
		ts.Fatalf("%s is not JSON", args[0])
	}
}

// line FILE demands that the file has exactly one line.
func oneLine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: line file")
	}
	if n := strings.Count(ts.ReadFile(args[0]), "\n"); n != 1 {
		ts.Fatalf("%s has %d lines", args[0], n)
	}
}

// column FILE NAME SUM demands that the numbers under a column's name in a CSV
// file without quotes have this sum.
func sumOfColumn(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: column file name sum")
	}
	lines := strings.Split(strings.TrimSpace(ts.ReadFile(args[0])), "\n")
	at := slices.Index(strings.Split(lines[0], ","), args[1])
	if at < 0 {
		ts.Fatalf("no column %s in %s", args[1], lines[0])
	}
	var sum float64
	for _, line := range lines[1:] {
		x, err := strconv.ParseFloat(strings.Split(line, ",")[at], 64)
		ts.Check(err)
		sum += x
	}
	want, err := strconv.ParseFloat(args[2], 64)
	ts.Check(err)
	if sum != want {
		ts.Fatalf("column %s sums to %v, want %v", args[1], sum, want)
	}
}
