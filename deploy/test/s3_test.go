package deploy

import (
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// server is an S3 server on a folder, with a bucket in it.
type server struct {
	bucket  string // its folder
	process *exec.Cmd
	binary  string
	address string
}

const bucketURL = "s3://kept"

// serve starts a server, and makes its address and keys those of the environment.
func serve(t *testing.T) *server {
	t.Helper()
	dir := t.TempDir()
	s := &server{bucket: filepath.Join(dir, "root", "kept"), binary: filepath.Join(dir, "versitygw"), address: freeAddress(t)}
	if err := os.MkdirAll(s.bucket, 0o755); err != nil {
		t.Fatal(err)
	}
	// Not go tool, whose process is not the server's.
	if out, err := exec.Command("go", "build", "-o", s.binary, "github.com/versity/versitygw/cmd/versitygw").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Setenv("AWS_ENDPOINT_URL", "http://"+s.address)
	t.Setenv("AWS_REGION", "us-east-1")
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	s.start(t)
	t.Cleanup(s.kill)
	return s
}

// start begins to serve, on the same folder and address as before.
func (s *server) start(t *testing.T) {
	t.Helper()
	s.process = exec.Command(s.binary, "--quiet", "--port", s.address, "--access", "key", "--secret", "secret", "posix", filepath.Dir(s.bucket))
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the server answers", func() bool {
		connection, err := net.Dial("tcp", s.address)
		if err == nil {
			_ = connection.Close()
		}
		return err == nil
	})
}

func (s *server) kill() {
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
}

// freeAddress is one of this machine that nobody listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// TestShardsMakeTheWhole: however many parts there are, also more than runs, and with two at a time in one
// store, gather makes the bytes of one run of everything, of a folder as of a bucket.
func TestShardsMakeTheWhole(t *testing.T) {
	file := experiment(t, 200)
	want := alone(t, file)
	s := serve(t)
	for _, parts := range []int{1, 2, 3, 7, runs + 3} {
		folder := filepath.Join(t.TempDir(), "kept")
		for _, store := range []string{folder, fmt.Sprintf("%s?prefix=%d/", bucketURL, parts)} {
			var both sync.WaitGroup
			for i := range parts {
				both.Go(func() { kneepoint(t, 0, "run", file, "--shard", fmt.Sprintf("%d/%d", i+1, parts), "--store", store) })
				if i%2 == 1 {
					both.Wait()
				}
			}
			both.Wait()
			if got := gathered(t, file, store); !maps.Equal(got, want) {
				t.Errorf("%d parts in %s: other results", parts, store)
			}
		}
		if n := len(entries(t, filepath.Join(s.bucket, fmt.Sprint(parts)))); n != runs+1 {
			t.Errorf("%d parts: %d entries, want those of %d runs and the number of parts", parts, n, runs)
		}
	}
}

// TestMissingShard: gather says which part is missing, with the status of wrong input.
func TestMissingShard(t *testing.T) {
	file := experiment(t, 50)
	serve(t)
	for _, i := range []string{"1/3", "3/3"} {
		kneepoint(t, 0, "run", file, "--shard", i, "--store", bucketURL)
	}
	said := kneepoint(t, 2, "gather", file, "--no-figures", "--store", bucketURL, "--quiet")
	oneLine(t, said, "4 of 12 runs are missing (of shard 2/3): strategy")
}

// TestKilledShard: a part that is killed is run again, and simulates only what was not finished.
func TestKilledShard(t *testing.T) {
	file := experiment(t, 20000)
	s := serve(t)
	c, _ := command(t, "run", file, "--shard", "1/1", "--store", bucketURL, "--workers", "1")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "three runs are kept", func() bool { return len(entries(t, s.bucket)) >= 4 })
	_ = c.Process.Kill()
	_ = c.Wait()
	kept := len(entries(t, s.bucket)) - 1 // the number of parts
	if kept >= runs {
		t.Fatal("it ended before it was killed")
	}
	said := kneepoint(t, 0, "run", file, "--shard", "1/1", "--store", bucketURL)
	if want := fmt.Sprintf("%d of %d runs were kept results", kept, runs); !strings.Contains(said, want) {
		t.Errorf("says %q, want %q", said, want)
	}
	if !maps.Equal(gathered(t, file, bucketURL), alone(t, file)) {
		t.Error("other results")
	}
}

// TestDamagedEntry: what was altered in the bucket is simulated again.
func TestDamagedEntry(t *testing.T) {
	file := experiment(t, 50)
	s := serve(t)
	kneepoint(t, 0, "run", file, "--shard", "1/1", "--store", bucketURL)
	for _, path := range entries(t, s.bucket) {
		if err := os.Truncate(path, 100); err != nil {
			t.Fatal(err)
		}
	}
	kneepoint(t, 2, "gather", file, "--no-figures", "--store", bucketURL, "--quiet")
	kneepoint(t, 0, "run", file, "--shard", "1/1", "--store", bucketURL)
	if !maps.Equal(gathered(t, file, bucketURL), alone(t, file)) {
		t.Error("other results")
	}
}

// TestServerThatDies: a part ends with an error, since its runs are lost; a run that can do without its store has
// the results, and a line about it. Then nothing is refused but with one line.
func TestServerThatDies(t *testing.T) {
	file := experiment(t, 20000)
	s := serve(t)
	dying := func(args ...string) (int, string) {
		c, stderr := command(t, append(args, "--store", bucketURL, "--workers", "1", "--quiet")...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		before := len(entries(t, s.bucket))
		eventually(t, "a run is kept", func() bool { return len(entries(t, s.bucket)) > before+1 })
		s.kill()
		_ = c.Wait()
		return c.ProcessState.ExitCode(), stderr.String()
	}
	status, said := dying("run", file, "--shard", "1/1")
	if status != 1 || !strings.Contains(said, "store "+bucketURL+": ") || !strings.Contains(said, "connection refused") {
		t.Errorf("status %d: %s", status, said)
	}
	oneLine(t, kneepoint(t, 2, "gather", file, "--store", bucketURL), "connection refused")
	s.start(t)
	out := filepath.Join(t.TempDir(), "out")
	status, said = dying("run", file, "--seed", "7", "--no-search", "--no-figures", "--out", out)
	if status != 0 || len(results(t, out)) == 0 {
		t.Errorf("status %d: %s", status, said)
	}
}

// TestUnreachable: a bucket that is not there, or does not let one in, is one line before anything is simulated.
func TestUnreachable(t *testing.T) {
	file := experiment(t, 50)
	serve(t)
	t.Run("none", func(t *testing.T) {
		oneLine(t, kneepoint(t, 2, "gather", file, "--store", "s3://nowhere"), "NoSuchBucket")
	})
	t.Run("keys", func(t *testing.T) {
		t.Setenv("AWS_SECRET_ACCESS_KEY", "another")
		oneLine(t, kneepoint(t, 2, "gather", file, "--store", bucketURL), "SignatureDoesNotMatch")
	})
	t.Run("Google", func(t *testing.T) {
		t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", "/nowhere")
		oneLine(t, kneepoint(t, 2, "gather", file, "--store", "gs://nowhere"), "no credentials for Google Cloud")
	})
	t.Run("Azure", func(t *testing.T) {
		oneLine(t, kneepoint(t, 2, "gather", file, "--store", "azblob://nowhere"), "AccountName is required")
	})
	t.Run("another version", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "kneepoint-store"), []byte("form 0"), 0o644); err != nil {
			t.Fatal(err)
		}
		oneLine(t, kneepoint(t, 2, "gather", file, "--store", dir), "another version")
	})
}

// TestPruneABucket: the verb that shows and prunes a store does so with a bucket.
func TestPruneABucket(t *testing.T) {
	file := experiment(t, 50)
	s := serve(t)
	kneepoint(t, 0, "run", file, "--shard", "1/1", "--store", bucketURL)
	kneepoint(t, 0, "store", "--store", bucketURL, "--prune", "0B")
	if left := entries(t, s.bucket); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	kneepoint(t, 0, "run", file, "--shard", "1/1", "--store", bucketURL)
}
