//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"kneepoint/experiments/results"
)

// victimText is an experiment of 18 short runs.
const victimText = `title = "interrupted"
replications = 3
[model]
name = "llama-3.1-8b"
[hardware]
accelerator = "h100-sxm"
[workload]
num_requests = 300
arrival = { process = "poisson", rate = 4 }
input = { type = "lognormal", mean = 200, std = 100 }
output = { type = "lognormal", mean = 20, std = 10 }
[slo]
ttft_ms = 100
[[strategy]]
name = "static"
batching = "static"
max_num_seqs = 8
[[strategy]]
name = "continuous"
[sweep]
"workload.arrival.rate" = [2, 8, 32]
`

// The seeds of the results that are there before, of the interrupted run, and of the one
// after it, which tell their results apart.
const (
	seedBefore = "1"
	seedVictim = "2"
	seedAfter  = "3"
)

// references are the files of runs that nobody interrupted, by seed and name.
type references struct {
	file    string // the experiment
	results map[string]map[string]string
}

func newReferences(t *testing.T) *references {
	t.Helper()
	r := &references{filepath.Join(t.TempDir(), "victim.toml"), map[string]map[string]string{}}
	if err := os.WriteFile(r.file, []byte(victimText), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, seed := range []string{seedBefore, seedVictim, seedAfter} {
		out := filepath.Join(t.TempDir(), "o")
		if code, _, stderr := command(t, r.args(out, seed, "--no-figures")...); code != exitDone {
			t.Fatal(stderr)
		}
		r.results[seed] = contents(t, out)
	}
	return r
}

// args is the command line of a run.
func (r *references) args(out, seed string, more ...string) []string {
	return append([]string{"run", r.file, "--out", out, "--seed", seed, "--no-search", "-q"}, more...)
}

// contents are the files of a folder and of those below it, by their paths; folders have
// empty ones.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		files[name] = ""
		if e.IsDir() {
			return nil
		}
		text, err := os.ReadFile(path)
		files[name] = string(text)
		return err
	})
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return files
}

// site is a folder for results, where a run is interrupted, with files of others around
// and in it.
type site struct {
	t       *testing.T
	known   *references
	parent  string
	out     string            // the folder itself
	dir     string            // in which the run is started
	arg     string            // what --out says
	inPlace bool              // files are moved into the folder one by one
	foreign map[string]string // text by path
	before  map[string]string // of the folder
}

// newSite makes a folder of a kind: nothing, empty, earlier (results), foreign (files beside
// such), inside (the run is started in it), mount (it is a file system of its own).
func newSite(t *testing.T, kind string, known *references) *site {
	t.Helper()
	return newSiteIn(t, t.TempDir(), kind, known)
}

func newSiteIn(t *testing.T, parent, kind string, known *references) *site {
	t.Helper()
	s := &site{t: t, known: known, parent: parent, foreign: map[string]string{}}
	s.out, s.dir, s.arg = filepath.Join(s.parent, "o"), s.parent, "o"
	s.put("other/results.json", "{}")
	s.put("o.txt", "mine")
	s.put(".o.draft-mine/notes", "mine")
	switch kind {
	case "nothing":
		return s
	case "empty":
		s.must(os.Mkdir(s.out, 0o755))
		return s
	case "mount":
		s.must(os.Mkdir(s.out, 0o755))
		mounted(t, s.out, "64m")
		s.inPlace = true
	case "inside":
		s.must(os.Mkdir(s.out, 0o755))
		s.dir, s.arg, s.inPlace = s.out, ".", true
	}
	if code, _, stderr := command(t, known.args(s.out, seedBefore, "--no-figures")...); code != exitDone {
		t.Fatal(stderr)
	}
	if kind == "foreign" {
		s.put("o/notes.txt", "mine")
		s.put("o/goodput.png", "mine") // as a figure is called
		s.put("o/mine/results.json", "mine")
		s.inPlace = true
	}
	s.before = contents(t, s.out)
	return s
}

func (s *site) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// put writes somebody else's file.
func (s *site) put(path, text string) {
	s.t.Helper()
	path = filepath.Join(s.parent, filepath.FromSlash(path))
	s.must(os.MkdirAll(filepath.Dir(path), 0o755))
	s.must(os.WriteFile(path, []byte(text), 0o644))
	s.foreign[path] = text
}

// start begins the run that is to be interrupted.
func (s *site) start(figures bool, more ...string) *victim {
	s.t.Helper()
	if !figures {
		more = append(more, "--no-figures")
	}
	v := startVictim(s.t, s.dir, s.known.args(s.arg, seedVictim, more...)...)
	v.drafted = s.drafted
	return v
}

// drafted tells whether a run that has not ended has made a file.
func (s *site) drafted(file string) bool {
	return glob(s.parent, ".o.draft-*", file) || glob(s.out, ".o.draft-*", file)
}

// check demands of what an interrupted run leaves: an exit status as documented; whole files
// alone, and where the folder is replaced at once, those of one run; what was finished, once
// the program could still write it; nothing of others touched. It says what is there.
func (s *site) check(v *victim, signals []syscall.Signal, code int) string {
	s.t.Helper()
	if !slices.Contains(statusesAfter(signals), code) {
		s.t.Errorf("exit status %d after %v: %s", code, signals, v.stderr.String())
	}
	s.untouched()
	s.whole()
	kept, draft := s.keptOf(seedVictim), v.drafted("lock")
	tables := v.stdout.Len() > 0
	switch {
	case code < 0:
		return "killed"
	case draft:
		s.t.Errorf("exit status %d, and a draft is left", code)
	case code == exitDone && (kept != 18 || !tables):
		s.t.Errorf("done with %d runs, printed %d bytes", kept, v.stdout.Len())
	case (kept > 0) != tables:
		s.t.Errorf("interrupted with %d runs kept, printed %d bytes", kept, v.stdout.Len())
	case kept > 0 && kept < 18:
		return "some runs kept"
	case kept == 18:
		return "all runs kept"
	}
	return "nothing finished"
}

// untouched demands that the files of others are as they were. A file that had the name of a
// result may be called otherwise.
func (s *site) untouched() {
	s.t.Helper()
	for path, text := range s.foreign {
		renamed, _ := filepath.Glob(path + ".kept-*")
		if !slices.ContainsFunc(append(renamed, path), func(path string) bool {
			got, err := os.ReadFile(path)
			return err == nil && string(got) == text
		}) {
			s.t.Errorf("%s is lost", path)
		}
	}
}

// whole demands that no file of the folder is cut, and that a folder that is replaced at once
// has the files of one run.
func (s *site) whole() {
	s.t.Helper()
	files := contents(s.t, s.out)
	for name, text := range files {
		path := filepath.Join(s.out, name)
		if _, foreign := s.foreign[path]; foreign || strings.Contains(name, ".kept-") || isTemporary(name) {
			continue
		}
		if err := parses(name, text); err != nil {
			s.t.Errorf("%s: %v", path, err)
		}
	}
	if s.inPlace || files["results.json"] == "" {
		return
	}
	if plan, _, err := results.Read(s.out); err != nil {
		s.t.Errorf("the files are of several runs: %v", err)
	} else if plan.Seed == 1 {
		for name, text := range s.before {
			if files[name] != text {
				s.t.Errorf("%s is not that of the earlier run", name)
			}
		}
	}
}

// keptOf is how many runs of a seed runs.ndjson has. Each is as if nobody had interrupted it.
func (s *site) keptOf(seed string) int {
	s.t.Helper()
	n := 0
	if _, err := os.Stat(filepath.Join(s.out, "runs.ndjson")); err != nil {
		return 0
	}
	whole := strings.Split(s.known.results[seed]["runs.ndjson"], "\n")
	other := s.known.results[seedBefore]["runs.ndjson"]
	for _, line := range lines(s.t, filepath.Join(s.out, "runs.ndjson")) {
		if slices.Contains(whole, line) {
			n++
		} else if !strings.Contains(other, line) {
			s.t.Errorf("a run that nobody made: %.200s", line)
		}
	}
	return n
}

// finish demands that the next run into the folder is as ever, and leaves nothing of the one
// before.
func (s *site) finish() {
	s.t.Helper()
	v := startVictim(s.t, s.dir, s.known.args(s.arg, seedAfter, "--no-figures")...)
	if code := v.wait(); code != exitDone {
		s.t.Errorf("the next run ends with status %d: %s", code, v.stderr.String())
	}
	s.untouched()
	files := contents(s.t, s.out)
	for name, text := range s.known.results[seedAfter] {
		if files[name] != text {
			s.t.Errorf("%s is not that of the run after the interrupt", name)
		}
		delete(files, name)
	}
	for name := range files {
		if _, foreign := s.foreign[filepath.Join(s.out, name)]; !foreign && !strings.Contains(name, ".kept-") && name != "mine" {
			s.t.Errorf("%s is left", name)
		}
	}
	entries, err := os.ReadDir(s.parent)
	s.must(err)
	for _, e := range entries {
		if !slices.Contains([]string{"o", "o.txt", "other", ".o.draft-mine"}, e.Name()) {
			s.t.Errorf("%s is left beside the folder", e.Name())
		}
	}
}
