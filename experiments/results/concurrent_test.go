package results

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"kneepoint/internal/effort"
)

// TestRunsFromStartToEndAtOnce: several runs that open a folder, write into it and go, each at
// any moment of another, all do what one alone does. A folder that another run is putting in
// place is no stranger's.
func TestRunsFromStartToEndAtOnce(t *testing.T) {
	for _, foreign := range []string{"", "notes"} { // beside which files are moved into the folder one by one
		t.Run("foreign="+foreign, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "o")
			put(t, dir, "results.json", "0.png")
			if foreign != "" {
				write(t, filepath.Join(dir, foreign), "mine")
			}
			rerunAtOnce(t, dir)
		})
	}
}

func rerunAtOnce(t *testing.T, dir string) {
	t.Helper()
	var runs sync.WaitGroup
	for i := range 4 {
		runs.Go(func() {
			for range effort.Times(t, 100) {
				if err := rerun(dir, fmt.Sprint(i)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	runs.Wait()
}

func rerun(dir, text string) error {
	f, err := OpenFolder(dir)
	if err != nil {
		return err
	}
	defer f.Discard()
	for _, name := range []string{"results.json", text + ".png"} {
		if err := os.WriteFile(filepath.Join(f.Path(), name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	_, err = f.Commit()
	return err
}

// TestDraftsThatAreBeingMade are nobody's leftovers, however often others look for such.
func TestDraftsThatAreBeingMade(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "o")
	ctx, stop := context.WithCancel(context.Background())
	var others sync.WaitGroup
	for range 2 {
		others.Go(func() {
			for ctx.Err() == nil {
				clearDrafts(filepath.Dir(dir), dir)
			}
		})
	}
	for range effort.Times(t, 300) {
		d, err := tryDraft(filepath.Dir(dir), dir)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		clearDrafts(filepath.Dir(dir), dir)
		if err := os.WriteFile(filepath.Join(d.files(), "a.png"), nil, 0o644); err != nil {
			t.Error(err)
			break
		}
		d.remove(dir)
	}
	stop()
	others.Wait()
}
