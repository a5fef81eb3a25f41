package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"sync"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
)

// Store is a bucket of kept results, of which it sees those of one build. It is safe for
// use by many workers, and its bucket by many processes.
type Store struct {
	bucket *blob.Bucket
	name   string // as the user wrote it
	build  string

	mutex   sync.Mutex
	damaged []string // names of entries that could not be read
}

// Open opens the store in a folder, or at a URL, and begins one in an empty or a new
// folder. Where there is anything else the error is a *badinput.Error, and nothing is
// written. Close must follow.
func Open(ctx context.Context, name string) (*Store, error) {
	build, err := Build()
	if err != nil {
		return nil, fmt.Errorf("store: the program cannot tell which one it is: %w", err)
	}
	bucket, err := openBucket(ctx, name)
	if err != nil {
		return nil, unusable(name, err)
	}
	s, err := New(ctx, bucket, name, build)
	if err != nil {
		_ = bucket.Close() // which nothing was written to
		return nil, err
	}
	return s, nil
}

// New is the store in a bucket, for one build; name is what errors call it.
func New(ctx context.Context, bucket *blob.Bucket, name, build string) (*Store, error) {
	s := &Store{bucket: bucket, name: name, build: build}
	return s, s.claim(ctx)
}

// Name is what the user called the store.
func (s *Store) Name() string { return s.name }

// Close ends the use of the store.
func (s *Store) Close() error { return s.bucket.Close() }

// path is the name of the file that has an entry. Folders hold a 256th of the files each.
func (s *Store) path(key string) string {
	hash := sha256.Sum256([]byte(s.build + "\n" + key))
	digits := hex.EncodeToString(hash[:])
	return digits[:2] + "/" + digits + ".json.gz"
}

// Get sets value, a pointer, to what is kept under a key. What cannot be read counts as not
// there, so that it is found again: Damaged tells of it. The error is that of a store that
// is gone.
func (s *Store) Get(key string, value any) (bool, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	path := s.path(key)
	packed, used, err := s.read(ctx, path)
	switch {
	case gcerrors.Code(err) == gcerrors.NotFound:
		return false, nil
	case err == nil:
		err = decode(packed, s.build, key, value)
	case s.there(ctx) != nil:
		return false, s.failure(err)
	}
	if err != nil {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.damaged = append(s.damaged, path)
		return false, nil
	}
	if time.Since(used) > useInterval {
		_ = s.bucket.WriteAll(ctx, path, packed, nil) // a store that can only be read does as well
	}
	return true, nil
}

// read is a file, and when it was written.
func (s *Store) read(ctx context.Context, path string) ([]byte, time.Time, error) {
	r, err := s.bucket.NewReader(ctx, path, nil)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer r.Close()
	packed, err := io.ReadAll(r)
	return packed, r.ModTime(), err
}

// Put keeps a value under a key. An interrupt of the run does not keep it from being
// written: it was found. Where the store is gone, as when its disk was unmounted, nothing is
// written in its place.
func (s *Store) Put(key string, value any) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	e := entry{s.build, key, value}
	packed, err := e.encode()
	if err == nil {
		err = s.there(ctx)
	}
	if err == nil {
		err = s.bucket.WriteAll(ctx, s.path(key), packed, nil)
	}
	if err != nil {
		return s.failure(err)
	}
	return nil
}

// failure is an error that names the store.
func (s *Store) failure(err error) error { return fmt.Errorf("store %s: %s", s.name, reason(err)) }

// Damaged are the files of the entries that were asked for and could not be read.
func (s *Store) Damaged() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.damaged
}
