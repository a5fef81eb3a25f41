package store_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kneepoint/experiments/store"
	"kneepoint/internal/effort"
	"kneepoint/units/badinput"
)

// inFolder opens a folder as this program's store.
func inFolder(t *testing.T, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// put keeps a value, and get demands that one is there.
func put(t *testing.T, s *store.Store, key string, value any) {
	t.Helper()
	if err := s.Put(key, value); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, s *store.Store, key string, value any) {
	t.Helper()
	if known, err := s.Get(key, value); err != nil || !known {
		t.Fatalf("%s is not there: %v, damaged: %v", key, err, s.Damaged())
	}
}

// entries are the files of a store but its mark, by their paths.
func entries(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == "kneepoint-store" {
			return err
		}
		found[path], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestDamage: an entry that is cut, altered, longer, or that of another key is found anew, or is
// still whole: it never has another value. What is kept again is whole.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	s := inFolder(t, dir)
	value := map[string]float64{"mean_ttft_ms": 1 / 3.0, "steps": 205198}
	put(t, s, "key", value)
	var path string
	var whole []byte
	for path, whole = range entries(t, dir) {
	}
	put(t, s, "other", map[string]float64{"steps": 1})
	tried := func(what string, at int, text []byte) {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		var back map[string]float64
		before := len(s.Damaged())
		switch known, err := s.Get("key", &back); {
		case err != nil:
			t.Fatalf("%s %d: %v", what, at, err)
		case known && !maps.Equal(back, value):
			t.Fatalf("%s %d: serves %v", what, at, back)
		case known: // a bit that nothing depends on, such as those of the time in gzip's header
		case len(s.Damaged()) != before+1 || !strings.HasSuffix(filepath.ToSlash(path), s.Damaged()[before]):
			t.Fatalf("%s %d: nothing says that it is damaged", what, at)
		}
	}
	for i := range whole {
		tried("cut at", i, whole[:i])
		for bit := range 8 {
			altered := bytes.Clone(whole)
			altered[i] ^= 1 << bit
			tried("altered at", i, altered)
		}
	}
	noise := rand.NewChaCha8([32]byte{1})
	for i := range effort.Times(t, 1000) {
		text := make([]byte, i%300)
		_, _ = noise.Read(text) // which never fails
		tried("noise", i, text)
	}
	for other, text := range entries(t, dir) {
		if other != path {
			tried("another key's", 0, text)
		}
	}
	tried("followed by", 0, append(bytes.Clone(whole), "more"...))
	put(t, s, "key", value)
	var back map[string]float64
	get(t, s, "key", &back)
}

// TestPlainEntries: what an entry says is gzip and JSON, which other programs read.
func TestPlainEntries(t *testing.T) {
	dir := t.TempDir()
	put(t, inFolder(t, dir), "key", 0.1)
	for path, packed := range entries(t, dir) {
		r, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := io.ReadAll(r); !strings.Contains(string(text), `"key":"key","value":0.1}`) || !strings.HasSuffix(path, ".json.gz") {
			t.Errorf("%s: %s", path, text)
		}
	}
}

// TestNotPlain: what JSON cannot hold is not kept.
func TestNotPlain(t *testing.T) {
	s := inMemory(t)
	if err := s.Put("key", func() {}); err == nil {
		t.Error("a function is kept")
	}
	if known, _ := s.Get("key", new(string)); known {
		t.Error("and found")
	}
}

// TestFolders: a store begins in a folder that is new or empty, and is found again, also where
// the process that began it was killed. A folder with anything else is left alone.
func TestFolders(t *testing.T) {
	for name, c := range map[string]struct {
		files   map[string]string
		store   string // of the folder
		refused string
	}{
		"new":             {store: "a/b"},
		"empty":           {store: "."},
		"killed":          {store: ".", files: map[string]string{"kneepoint-store.18f.tmp": ""}},
		"file":            {store: "x", files: map[string]string{"x": "mine"}, refused: "cannot be used"},
		"below a file":    {store: "x/y", files: map[string]string{"x": "mine"}, refused: "cannot be used: not a directory"},
		"foreign":         {store: ".", files: map[string]string{"notes.txt": "mine"}, refused: `is no store, and has "notes.txt" in it`},
		"foreign folder":  {store: ".", files: map[string]string{"ab/c.json.gz": "mine"}, refused: `is no store, and has "ab/" in it`},
		"another version": {store: ".", files: map[string]string{"kneepoint-store": "form 0"}, refused: "another version of kneepoint"},
		"no scheme":       {store: "://x", refused: "cannot be used"},
		"another scheme":  {store: "s3://bucket", refused: "cannot be used"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for path, text := range c.files {
				path = filepath.Join(dir, path)
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
					t.Fatal(err)
				}
			}
			path := c.store
			if !strings.Contains(path, "://") {
				path = filepath.Join(dir, path)
			}
			if c.refused == "" {
				put(t, inFolder(t, path), "key", 1)
				get(t, inFolder(t, path), "key", new(int))
				get(t, inFolder(t, "file://"+filepath.ToSlash(path)), "key", new(int))
				return
			}
			before := entries(t, dir)
			var bad *badinput.Error
			if _, err := store.Open(t.Context(), path); !errors.As(err, &bad) || !strings.Contains(err.Error(), c.refused) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want %q", err, c.refused)
			}
			if after := entries(t, dir); !maps.EqualFunc(before, after, bytes.Equal) {
				t.Errorf("files before: %v, after: %v", before, after)
			}
		})
	}
}

// TestCache: a store that cannot be written, here since a file is where a folder would be, is
// an error once, and none of a cache, which says so and writes no more.
func TestCache(t *testing.T) {
	dir := t.TempDir()
	s := inFolder(t, dir)
	for i := range 256 {
		if err := os.WriteFile(filepath.Join(dir, "0123456789abcdef"[i/16:i/16+1]+"0123456789abcdef"[i%16:i%16+1]), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Put("key", 1); err == nil {
		t.Error("nothing says that it is not kept")
	}
	c := &store.Cache{Store: s}
	for _, key := range []string{"a", "b"} {
		if err := c.Put(key, 1); err != nil {
			t.Error(err)
		}
		if known, err := c.Get(key, new(int)); known || err != nil {
			t.Errorf("%t, %v", known, err)
		}
	}
	if err := c.Failure(); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("the failure is %v", err)
	}
}
