package results

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kneepoint/units/badinput"
)

// FuzzRead: whatever the files of a folder hold, they are refused in one line, or make
// results that are written, read and written again as the same bytes.
func FuzzRead(f *testing.F) {
	f.Add(`{"tool":"kneepoint","schema_version":3,"replications":1,"strategies":["a","b"],"sweep":[{"path":"workload.arrival.rate","values":[1]}],
"points":[{"values":[1]}],"expected":[{"metric":"mbu","strategies":["a"],"at":{"word":"knee"}}],"claimed":[{"strategy":"b","over":"a","metric":"mbu","at":[{"value":1}]}]}`,
		`{"strategy":"a","point":{"workload.arrival.rate":1},"replication":0,"key":"x","metrics":{"completed":1,"slo_attainment":1},"why":{"ttft":{"mean":{"queue":1e-3}}}}
{"strategy":"b","point":{"workload.arrival.rate":1},"replication":0,"key":"y","metrics":{"mbu":1},"why":{},"clients":[{"name":"c"}]}
`)
	plan := twoByThree()
	whole, runs := filesOf(f, Aggregate(plan, ByKey(outcomesOf(plan))))
	f.Add(whole, runs)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, whole, runs string) {
		for name, text := range map[string]string{resultsFile: whole, runsFile: runs} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		plan, outcomes, err := Read(dir)
		if err != nil {
			var bad *badinput.Error
			if !errors.As(err, &bad) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("not one line of bad input: %v", err)
			}
			return
		}
		res := Aggregate(plan, ByKey(outcomes))
		readsBack(t, folderOf(t, res), res)
	})
}

// filesOf is results.json and runs.ndjson.
func filesOf(t testing.TB, res *Results) (whole, runs string) {
	t.Helper()
	var first, second strings.Builder
	if err := errors.Join(res.WriteJSON(&first), res.WriteRuns(&second)); err != nil {
		t.Fatal(err)
	}
	return first.String(), second.String()
}

// FuzzManifest: whatever the list of a folder says, no file outside of it is named, and
// the list is written back as itself.
func FuzzManifest(f *testing.F) {
	for _, seed := range []string{"", ".kneepoint\nresults.json\n", "../up\n/root\na/b\n.\n..\n\n", "a\r\nb\x00c\n", "x", strings.Repeat("long", 99)} {
		f.Add(seed)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(filepath.Join(dir, manifestFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		m := readManifest(dir)
		for _, name := range m.inOrder() {
			if filepath.Dir(filepath.Join(dir, name)) != filepath.Clean(dir) {
				t.Errorf("%q names %q", text, name)
			}
		}
		if err := m.write(dir); err != nil {
			t.Fatal(err)
		}
		if again := readManifest(dir); !slices.Equal(again.inOrder(), m.inOrder()) {
			t.Errorf("%q gives %q, written and read %q", text, m.inOrder(), again.inOrder())
		}
	})
}

// FuzzFolder writes results into a folder in which two files lie already, one of which a
// list or a results.json may claim: refused in one line, or what is not listed is still
// there.
func FuzzFolder(f *testing.F) {
	f.Add("notes.txt", "mine", ".kneepoint", "results.json\n")
	f.Add("runs.ndjson", "mine", ".kneepoint", "results.json\n")
	f.Add("results.json", `{"tool": "kneepoint"}`, "requests.csv", "old")
	f.Add("results.csv.kept-1", "mine", "results.json", `{"tool": "kneepoint"}`)
	f.Add(".out.draft-1", "mine", ".kneepoint", "results.json\n")
	plan := twoByThree()
	res := Aggregate(plan, ByKey(outcomesOf(plan)))
	f.Fuzz(func(t *testing.T, first, its, second, text string) {
		for _, name := range []string{first, second} {
			if !isFileName(name) || len(name) > 200 {
				t.Skip("no file's name")
			}
		}
		dir := filepath.Join(t.TempDir(), "out")
		if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, first), []byte(its), 0o600),
			os.WriteFile(filepath.Join(dir, second), []byte(text), 0o600)); err != nil {
			t.Skip(err)
		}
		listed := readManifest(dir)
		folder, err := OpenFolder(dir)
		if err != nil {
			var bad *badinput.Error
			if !errors.As(err, &bad) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("not one line of bad input: %v", err)
			}
			return
		}
		defer folder.Discard()
		renamed, err := "", folder.Write(res)
		if err == nil {
			var all []string
			all, err = folder.Commit()
			renamed = strings.Join(all, "")
		}
		if err != nil {
			t.Fatal(err)
		}
		readsBack(t, dir, res)
		if listed.has(first) || first == second {
			return
		}
		kept := filepath.Join(dir, first)
		if renamed != "" {
			kept = renamed
		}
		if left, err := os.ReadFile(kept); err != nil || string(left) != its {
			t.Errorf("%q beside %q = %q is left as %q (%v)", first, second, text, left, err)
		}
	})
}
