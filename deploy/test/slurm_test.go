package deploy

import (
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// slurmConfig is a cluster of this machine alone, without systemd and control groups. Credentials that end soon let
// a requeued task begin soon.
const slurmConfig = `ClusterName=test
SlurmctldHost=%[1]s(127.0.0.1)
SlurmctldPort=%[3]s
SlurmdPort=%[4]s
SlurmUser=root
AuthInfo=socket=%[2]s/munge/socket,cred_expire=5
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
StateSaveLocation=%[2]s/state
SlurmdSpoolDir=%[2]s/spool
SlurmctldPidFile=%[2]s/slurmctld.pid
SlurmdPidFile=%[2]s/slurmd.pid
NodeName=%[1]s NodeAddr=127.0.0.1 CPUs=4
PartitionName=all Nodes=%[1]s Default=YES
`

// slurm starts munged, slurmctld and slurmd, for the length of a test.
func slurm(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("slurmctld"); err != nil || os.Getuid() != 0 {
		t.Skip("needs slurm-wlm and munge, and root")
	}
	dir, err := os.MkdirTemp("", "slurm") // not t.TempDir, whose name is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	_, controller, _ := net.SplitHostPort(freeAddress(t))
	_, node, _ := net.SplitHostPort(freeAddress(t))
	key := make([]byte, 1024)
	_, _ = rand.Read(key) // which never fails
	config := filepath.Join(dir, "slurm.conf")
	for path, text := range map[string]string{
		"munge/key":  string(key),
		"slurm.conf": fmt.Sprintf(slurmConfig, host, dir, controller, node),
		"state/x":    "", "spool/x": "",
	} {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SLURM_CONF", config)
	munge := filepath.Join(dir, "munge")
	daemon(t, "munged", "--foreground", "--force", "--key-file="+munge+"/key", "--socket="+munge+"/socket",
		"--pid-file="+munge+"/pid", "--log-file="+munge+"/log", "--seed-file="+munge+"/seed")
	eventually(t, "munged answers", func() bool { _, err := os.Stat(munge + "/socket"); return err == nil })
	daemon(t, "slurmctld", "-D", "-f", config)
	daemon(t, "slurmd", "-D", "-f", config)
	eventually(t, "the node is idle", func() bool { return strings.Contains(output(t, "sinfo", "--noheader"), " idle ") })
}

// daemon starts a process that ends with the test.
func daemon(t *testing.T, name string, args ...string) {
	t.Helper()
	c := exec.Command(name, args...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGTERM)
		_ = c.Wait()
	})
}

// output is what a command prints; one of Slurm's fails while the controller starts.
func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	out, _ := exec.CommandContext(ctx, name, args...).CombinedOutput()
	return string(out)
}

// submit submits the array script, with what follows its name, and gives the folder of its logs.
func submit(t *testing.T, array string, args ...string) string {
	t.Helper()
	script, err := filepath.Abs("../slurm/shards.sh")
	if err != nil {
		t.Fatal(err)
	}
	logs := t.TempDir()
	line := append([]string{"--array=" + array, "--cpus-per-task=1", "--chdir=" + logs, "--output=%a.log", "--open-mode=append", script}, args...)
	if said := output(t, "sbatch", line...); !strings.HasPrefix(said, "Submitted batch job ") {
		t.Fatal(said)
	}
	return logs
}

// ended waits until Slurm has nothing to do.
func ended(t *testing.T) {
	t.Helper()
	eventually(t, "the queue is empty", func() bool { return strings.TrimSpace(output(t, "squeue", "--noheader")) == "" })
}

// TestSlurmArray: an array makes the whole; of two parts that are lost, one by kill -9 and one by its node, Slurm runs
// both again, and neither simulates what it had finished.
func TestSlurmArray(t *testing.T) {
	slurm(t)
	file, kept := experiment(t, 20000), filepath.Join(t.TempDir(), "kept")
	logs := submit(t, "1-3", "3", file, "--store", kept)
	eventually(t, "every part has kept a run", func() bool { return len(entries(t, kept)) >= 5 })
	if err := syscall.Kill(process(t, "2/3", kept), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	job := strings.Fields(output(t, "squeue", "--noheader", "--format=%A %K"))
	for i := 0; i+1 < len(job); i += 2 {
		if job[i+1] == "1" { // what Slurm does with the tasks of a node that is lost
			output(t, "scontrol", "requeue", job[i])
		}
	}
	ended(t)
	said := ""
	for part := 1; part <= 3; part++ {
		text, err := os.ReadFile(filepath.Join(logs, fmt.Sprintf("%d.log", part)))
		if err != nil {
			t.Fatal(err)
		}
		said += string(text)
	}
	if again := regexp.MustCompile(`(?m)^([1-9]\d*) of 4 runs were kept results`).FindAllString(said, -1); len(again) == 0 ||
		strings.Count(said, " runs are in the store ") != 3 {
		t.Errorf("says %s", said)
	}
	if !maps.Equal(gathered(t, file, kept), alone(t, file)) {
		t.Error("other results")
	}
}

// TestSlurmPlan: the parts of an array make a plan together, of which one is killed and run again; who asks then has the plan that one
// process makes, and simulates nothing.
func TestSlurmPlan(t *testing.T) {
	slurm(t)
	file, kept := plan(t), filepath.Join(t.TempDir(), "kept")
	t.Setenv("KNEEPOINT_VERB", "plan")
	logs := submit(t, "1-3", "3", file, "--store", kept)
	eventually(t, "something is kept", func() bool { return len(entries(t, kept)) >= 5 })
	if err := syscall.Kill(process(t, "2/3", kept), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	ended(t)
	for part := 1; part <= 3; part++ {
		if text, err := os.ReadFile(filepath.Join(logs, fmt.Sprintf("%d.log", part))); err != nil || !strings.Contains(string(text), "is in the store") {
			t.Errorf("part %d: %v: %s", part, err, text)
		}
	}
	before := len(entries(t, kept))
	if planned(t, file, "--store", kept) != planned(t, file, "--no-store") {
		t.Error("another plan")
	}
	if after := len(entries(t, kept)); after != before {
		t.Errorf("%d entries, and %d after the plan was shown", before, after)
	}
}

// TestSlurmPartAlone: a part that gather misses is submitted alone, and wrong input is not tried again.
func TestSlurmPartAlone(t *testing.T) {
	slurm(t)
	file, kept := experiment(t, 50), filepath.Join(t.TempDir(), "kept")
	submit(t, "1-2", "3", file, "--store", kept)
	ended(t)
	if said := kneepoint(t, 2, "gather", file, "--no-figures", "--store", kept, "--quiet"); !strings.Contains(said, "of shard 3/3") {
		t.Errorf("says %s", said)
	}
	submit(t, "3", "3", file, "--store", kept)
	wrong := submit(t, "1", "3", file, "--store", file)
	ended(t)
	if !maps.Equal(gathered(t, file, kept), alone(t, file)) {
		t.Error("other results")
	}
	text, err := os.ReadFile(filepath.Join(wrong, "1.log"))
	if err != nil || strings.Count(string(text), "cannot be used") != 1 {
		t.Errorf("%v: %s", err, text)
	}
}

// process is the number of the process that runs a part into a store.
func process(t *testing.T, part, store string) int {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range lines {
		text, _ := os.ReadFile(path) // it may have ended
		if strings.HasPrefix(string(text), "kneepoint\x00") && strings.Contains(string(text), part) && strings.Contains(string(text), store) {
			number, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			return number
		}
	}
	t.Fatalf("nobody runs part %s", part)
	return 0
}
