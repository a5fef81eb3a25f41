package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	"gocloud.dev/gcerrors"

	"kneepoint/units/badinput"
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

// files says how a folder is written: what is made of a file lies beside it until it is
// whole, since folders for temporary files may be on another disk.
var files = fileblob.Options{CreateDir: true, NoTempDir: true, Metadata: fileblob.MetadataDontWrite}

// openBucket opens a folder or a URL. The schemes are those of the drivers that the
// program imports, besides file.
func openBucket(ctx context.Context, name string) (*blob.Bucket, error) {
	if !strings.Contains(name, "://") {
		return fileblob.OpenBucket(name, &files)
	}
	mux := &blob.URLMux{}
	mux.RegisterBucket(fileblob.Scheme, &fileblob.URLOpener{Options: files})
	if strings.HasPrefix(name, fileblob.Scheme+"://") {
		return mux.OpenBucket(ctx, name)
	}
	return blob.OpenBucket(ctx, name)
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
// there, so that it is found again: Damaged tells of it. It has no errors.
func (s *Store) Get(key string, value any) (bool, error) {
	path := s.path(key)
	packed, err := s.bucket.ReadAll(context.Background(), path)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return false, nil
	}
	if err == nil {
		err = decode(packed, s.build, key, value)
	}
	if err != nil {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.damaged = append(s.damaged, path)
	}
	return err == nil, nil
}

// Put keeps a value under a key. An interrupt of the run does not keep it from being
// written: it was found.
func (s *Store) Put(key string, value any) error {
	e := entry{s.build, key, value}
	packed, err := e.encode()
	if err == nil {
		err = s.bucket.WriteAll(context.Background(), s.path(key), packed, nil)
	}
	if err != nil {
		return fmt.Errorf("store %s: %s", s.name, badinput.Reason(err))
	}
	return nil
}

// Damaged are the files of the entries that were asked for and could not be read.
func (s *Store) Damaged() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.damaged
}
