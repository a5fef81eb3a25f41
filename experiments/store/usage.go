package store

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"gocloud.dev/gcerrors"
)

// useInterval is how long an entry may be used without a note of it. An entry's time is when it
// was last written: one that is older than this is written again when it is found, so that
// the time tells when it was last used, to this much, in a folder as in a bucket.
const useInterval = 24 * time.Hour

// File is what lies in a store, of any program: an entry, or a half of one whose writer was killed.
type File struct {
	Path  string
	Bytes int64
	Used  time.Time // to useInterval
}

// Files are what the store has but its mark, the least recently used first.
func (s *Store) Files(ctx context.Context) ([]File, error) {
	var files []File
	there := s.bucket.List(nil)
	for {
		object, err := there.Next(ctx)
		switch {
		case errors.Is(err, io.EOF):
			slices.SortFunc(files, func(a, b File) int {
				return cmp.Or(a.Used.Compare(b.Used), strings.Compare(a.Path, b.Path))
			})
			return files, nil
		case err != nil:
			return nil, s.failure(err)
		case !strings.HasPrefix(object.Key, markFile):
			files = append(files, File{object.Key, object.Size, object.ModTime})
		}
	}
}

// Prune removes the least recently used files until at most some bytes are left, and gives those that
// it has removed, and those that are left.
func (s *Store) Prune(ctx context.Context, most int64) (removed, left []File, err error) {
	left, err = s.Files(ctx)
	if err != nil {
		return nil, nil, err
	}
	total := Bytes(left)
	for total > most {
		// Another process may have removed it, or taken half an entry to its place.
		if err := s.bucket.Delete(ctx, left[0].Path); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
			return removed, left, s.failure(err)
		}
		total -= left[0].Bytes
		removed, left = append(removed, left[0]), left[1:]
	}
	return removed, left, nil
}

// Bytes are how much files have.
func Bytes(files []File) int64 {
	var total int64
	for _, f := range files {
		total += f.Bytes
	}
	return total
}
