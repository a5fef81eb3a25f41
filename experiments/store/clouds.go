//go:build cloud

package store

import (
	"context"
	"fmt"
	"os"
	"strings"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/azureblob"
	"gocloud.dev/blob/gcsblob"
	_ "gocloud.dev/blob/s3blob"
	"gocloud.dev/gcp"
)

// openURL opens a bucket of S3, Google Cloud or Azure. Credentials are those that the tools
// of each cloud find: in the environment, in the user's files, or those of the machine.
func openURL(ctx context.Context, name string) (*blob.Bucket, error) {
	// Without credentials the driver prints a warning among the results, and goes on with a false key.
	if strings.HasPrefix(name, gcsblob.Scheme+"://") && os.Getenv("STORAGE_EMULATOR_HOST") == "" {
		if _, err := gcp.DefaultCredentials(ctx); err != nil {
			return nil, fmt.Errorf("no credentials for Google Cloud: %w", err)
		}
	}
	return blob.OpenBucket(ctx, name)
}
