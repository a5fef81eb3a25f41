package store

import (
	"context"
	"strings"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
)

// files says how a folder is written: what is made of a file lies beside it until it is
// whole, since folders for temporary files may be on another disk.
var files = fileblob.Options{CreateDir: true, NoTempDir: true, Metadata: fileblob.MetadataDontWrite}

// openBucket opens a folder, or a URL of one or of a bucket.
func openBucket(ctx context.Context, name string) (*blob.Bucket, error) {
	if !strings.Contains(name, "://") {
		return fileblob.OpenBucket(name, &files)
	}
	mux := &blob.URLMux{}
	mux.RegisterBucket(fileblob.Scheme, &fileblob.URLOpener{Options: files})
	if strings.HasPrefix(name, fileblob.Scheme+"://") {
		return mux.OpenBucket(ctx, name)
	}
	return openURL(ctx, name)
}
