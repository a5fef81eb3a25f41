package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"kneepoint/units/badinput"
)

// The file that makes a folder a store, and what it says. The number grows with the form
// of the entries.
const (
	markFile = "kneepoint-store"
	markText = "results that kneepoint keeps, form 1\n"
)

// claim finds the mark of a store in the bucket, or writes it where there is nothing else.
func (s *Store) claim(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	text, err := s.bucket.ReadAll(ctx, markFile)
	switch {
	case err == nil && string(text) == markText:
		return nil
	case err == nil:
		return &badinput.Error{Key: "store", Value: s.name, Problem: "is a store of another version of kneepoint", Allowed: "a new folder"}
	case gcerrors.Code(err) != gcerrors.NotFound:
		return unusable(s.name, err)
	}
	if foreign, err := s.foreign(ctx); err != nil {
		return unusable(s.name, err)
	} else if foreign != "" {
		return &badinput.Error{Key: "store", Value: s.name, Problem: fmt.Sprintf("is no store, and has %q in it", foreign),
			Allowed: "a store, or a new or empty folder"}
	}
	if err := s.bucket.WriteAll(ctx, markFile, []byte(markText), nil); err != nil {
		return unusable(s.name, err)
	}
	return nil
}

// there is nil where the store still is what claim found, errGone where it is none any more.
func (s *Store) there(ctx context.Context) error {
	there, err := s.bucket.Exists(ctx, markFile)
	if err == nil && !there {
		err = errGone
	}
	return err
}

// foreign is the name of something in the bucket, "" where it is empty. A mark that another
// process is about to write, or was killed over, is nothing.
func (s *Store) foreign(ctx context.Context) (string, error) {
	there := s.bucket.List(&blob.ListOptions{Delimiter: "/"})
	for {
		object, err := there.Next(ctx)
		switch {
		case errors.Is(err, io.EOF):
			return "", nil
		case err != nil:
			return "", err
		case !strings.HasPrefix(object.Key, markFile):
			return object.Key, nil
		}
	}
}

func unusable(name string, err error) error {
	return &badinput.Error{Key: "store", Value: name, Problem: "cannot be used: " + reason(err), Allowed: "a folder, or the URL of a bucket"}
}
