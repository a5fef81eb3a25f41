package deploy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// bin is the folder with the program, which the container file's own command has built.
var bin string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "deploy")
	if err == nil {
		bin = filepath.Join(dir, "bin")
		err = build(filepath.Join(bin, "kneepoint"))
	}
	if err == nil {
		err = errors.Join(os.Setenv("PATH", bin+":"+os.Getenv("PATH")), os.Setenv("KNEEPOINT_STORE", "off"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	_ = os.RemoveAll(dir) // in a folder for temporary files
	os.Exit(status)
}

// build runs the command of the container file that builds the program.
func build(path string) error {
	text, err := os.ReadFile("../Containerfile")
	if err != nil {
		return err
	}
	command := regexp.MustCompile(`(?m)^RUN (.* -o )/kneepoint (.*)$`).FindStringSubmatch(string(text))
	if command == nil {
		return errors.New("the container file builds no program")
	}
	c := exec.Command("sh", "-c", command[1]+path+" "+command[2])
	c.Dir = "../.."
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", c, err, out)
	}
	return nil
}

// experiment is a file of 12 runs, of so many requests each.
func experiment(t *testing.T, requests int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mine.toml")
	text := fmt.Sprintf(`title = "A sweep in parts"
replications = 3
[model]
name = "llama-3.1-8b"
[hardware]
accelerator = "h100-sxm"
[workload]
num_requests = %d
arrival = {process = "poisson", rate = 4}
input = {type = "lognormal", mean = 500, std = 300, max = 4000}
output = {type = "lognormal", mean = 150, std = 100, max = 1000}
[slo]
ttft_ms = 1000
attainment = 0.9
[[strategy]]
name = "few"
max_num_seqs = 16
[[strategy]]
name = "many"
max_num_seqs = 256
[sweep]
"workload.arrival.rate" = [4, 12]
`, requests)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// plan is the file of a plan of 12 candidates.
func plan(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "plan.toml")
	text := `title = "A plan in parts"
[plan]
[model]
name = "llama-3.1-8b"
[workload]
arrival = {process = "poisson", rate = 40}
input = {type = "lognormal", mean = 500, std = 300, max = 4000}
output = {type = "lognormal", mean = 150, std = 100, max = 1000}
[slo]
ttft_ms = 1000
tpot_ms = 40
attainment = 0.95
[[strategy]]
name = "continuous"
[[candidate]]
hardware.accelerator = ["h100-sxm", "a100-sxm-80", "l40s"]
hardware.tp = [1, 2]
model.weights = ["bf16", "fp8"]
`
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// planned is the plan of a file.
func planned(t *testing.T, file string, args ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	kneepoint(t, 0, append([]string{"plan", file, "--no-figures", "--out", out}, args...)...)
	text, err := os.ReadFile(filepath.Join(out, "plan.json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// runs is how many runs the experiment has.
const runs = 12

// command is a process of the program, in a folder of its own for files that it writes unasked.
func command(t *testing.T, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	c, stderr := exec.CommandContext(ctx, "kneepoint", args...), &bytes.Buffer{}
	c.Dir, c.Stderr = t.TempDir(), stderr
	return c, stderr
}

// kneepoint runs the program, demands an exit status, and gives what it says.
func kneepoint(t *testing.T, status int, args ...string) string {
	t.Helper()
	c, stderr := command(t, args...)
	_ = c.Run() // the status says it
	if got := c.ProcessState.ExitCode(); got != status {
		t.Fatalf("kneepoint %v: status %d, want %d: %s", args, got, status, stderr)
	}
	return stderr.String()
}

// alone is the results of an experiment without any store, by file.
func alone(t *testing.T, file string) map[string]string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	kneepoint(t, 0, "run", file, "--no-search", "--no-figures", "--out", out)
	return results(t, out)
}

// gathered is the results that gather makes of a store.
func gathered(t *testing.T, file, store string) map[string]string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	kneepoint(t, 0, "gather", file, "--no-search", "--no-figures", "--out", out, "--store", store)
	return results(t, out)
}

// results is what the files of a folder have.
func results(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.*"))
	texts := map[string]string{}
	for _, path := range files {
		if filepath.Base(path)[0] == '.' { // which names the folder's writer
			continue
		}
		text, readErr := os.ReadFile(path)
		err = errors.Join(err, readErr)
		texts[filepath.Base(path)] = string(text)
	}
	if err != nil || len(texts) < 4 {
		t.Fatalf("%d files in %s: %v", len(texts), dir, err)
	}
	return texts
}

// entries are the kept runs and other values below a folder, by path.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "??", "*.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// eventually waits until something is the case.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for begun := time.Now(); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Since(begun) > 3*time.Minute {
			t.Fatalf("never: %s", what)
		}
	}
}

// oneLine demands that a message is a single line with a text in it.
func oneLine(t *testing.T, message, text string) {
	t.Helper()
	if strings.Count(message, "\n") != 1 || !strings.Contains(message, text) {
		t.Errorf("says %q, want one line with %q", message, text)
	}
}
