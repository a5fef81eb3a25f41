//go:build !cloud

package store

import (
	"context"
	"errors"

	"gocloud.dev/blob"
)

// openURL refuses buckets: their drivers are more than half of a program that has them.
func openURL(context.Context, string) (*blob.Bucket, error) {
	return nil, errors.New("this program knows folders alone, and one that is built with -tags cloud knows s3://, gs:// and azblob:// too")
}
