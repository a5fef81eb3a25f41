package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kneepoint/experiments/store"
)

// age says of all entries of a folder that they were last used so long ago.
func age(t *testing.T, dir string, d time.Duration) {
	t.Helper()
	then := time.Now().Add(-d)
	for path := range entries(t, dir) {
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPrune: what was used last is left, whoever wrote it when, as many bytes as are allowed.
func TestPrune(t *testing.T) {
	dir := t.TempDir()
	s := inFolder(t, dir)
	for i := range 5 {
		put(t, s, fmt.Sprint(i), i)
		age(t, dir, 48*time.Hour)
	}
	get(t, s, "1", new(int))
	get(t, s, "3", new(int))
	files, err := s.Files(t.Context())
	if err != nil || len(files) != 5 || time.Since(files[2].Used) < time.Hour || time.Since(files[3].Used) > time.Hour {
		t.Fatalf("%v, %v", files, err)
	}
	most := store.Bytes(files[2:])
	removed, left, err := s.Prune(t.Context(), most)
	if err != nil || len(removed) != 2 || len(left) != 3 || store.Bytes(left) != most {
		t.Fatalf("removed %v, left %v, %v", removed, left, err)
	}
	if removed, left, err = s.Prune(t.Context(), most-1); err != nil || len(removed) != 1 || len(left) != 2 {
		t.Fatalf("removed %v, left %v, %v", removed, left, err)
	}
	get(t, s, "1", new(int))
	get(t, s, "3", new(int))
	if removed, left, err = s.Prune(t.Context(), 0); err != nil || len(removed) != 2 || len(left) != 0 {
		t.Fatalf("removed %v, left %v, %v", removed, left, err)
	}
	put(t, s, "1", 1) // it still is a store
}

// TestUseIsNotedDaily: an entry that was used today is not written again.
func TestUseIsNotedDaily(t *testing.T) {
	dir := t.TempDir()
	s := inFolder(t, dir)
	put(t, s, "key", 1)
	for _, c := range []struct {
		age   time.Duration
		noted bool
	}{{23 * time.Hour, false}, {25 * time.Hour, true}} {
		age(t, dir, c.age)
		get(t, s, "key", new(int))
		files, err := s.Files(t.Context())
		if err != nil || len(files) != 1 || (time.Since(files[0].Used) < time.Hour) != c.noted {
			t.Errorf("used %v ago: %v, %v", c.age, files, err)
		}
	}
	get(t, s, "key", new(int))
}

// TestStoreThatIsGone: a folder that was removed, or whose disk was unmounted, is no store any more: nothing
// is written in its place, which would be none of a store's, and a cache goes on without.
func TestStoreThatIsGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kept")
	s := inFolder(t, dir)
	put(t, s, "key", 1)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := s.Put("key", 1); err == nil || !strings.Contains(err.Error(), "it is gone") {
		t.Errorf("it is kept: %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is there again: %v", err)
	}
	put(t, inFolder(t, dir), "key", 1)
}

// TestStoreThatFails: what a store that does not answer has is unknown: that is no miss, and no damage.
func TestStoreThatFails(t *testing.T) {
	s := inMemory(t)
	put(t, s, "key", 1)
	if err := s.Close(); err != nil { // so that every use of the bucket fails
		t.Fatal(err)
	}
	if known, err := s.Get("key", new(int)); known || err == nil || len(s.Damaged()) > 0 {
		t.Errorf("%t, %v, damaged: %v", known, err, s.Damaged())
	}
	c := &store.Cache{Store: s}
	for range 2 {
		if known, err := c.Get("key", new(int)); known || err != nil {
			t.Errorf("a cache: %t, %v", known, err)
		}
	}
	if c.Failure() == nil {
		t.Error("a cache does not tell")
	}
}
