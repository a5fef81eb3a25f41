package deploy

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// manifests are the ConfigMap and the Job, without any field that their types do not have.
func manifests(t *testing.T) (files corev1.ConfigMap, job batchv1.Job) {
	t.Helper()
	text, err := os.ReadFile("../kubernetes/shards.yaml")
	if err != nil {
		t.Fatal(err)
	}
	parts := bytes.Split(text, []byte("\n---\n"))
	if len(parts) != 2 {
		t.Fatalf("%d manifests", len(parts))
	}
	for i, into := range []any{&files, &job} {
		if err := yaml.UnmarshalStrict(parts[i], into); err != nil {
			t.Fatal(err)
		}
	}
	return files, job
}

// TestJob holds what the API server would refuse, and what would lose parts in silence.
func TestJob(t *testing.T) {
	files, job := manifests(t)
	spec, pod := job.Spec, job.Spec.Template.Spec
	if files.APIVersion != "v1" || files.Kind != "ConfigMap" || job.APIVersion != "batch/v1" || job.Kind != "Job" {
		t.Errorf("kinds %s %s, %s %s", files.APIVersion, files.Kind, job.APIVersion, job.Kind)
	}
	if *spec.CompletionMode != batchv1.IndexedCompletion || *spec.Parallelism > *spec.Completions {
		t.Errorf("mode %s, parallelism %d", *spec.CompletionMode, *spec.Parallelism)
	}
	if *spec.BackoffLimitPerIndex < 1 || pod.RestartPolicy != corev1.RestartPolicyNever {
		t.Errorf("%d tries of a part, restart policy %s, with which the API server takes Never alone",
			*spec.BackoffLimitPerIndex, pod.RestartPolicy)
	}
	container := pod.Containers[0]
	for _, rule := range spec.PodFailurePolicy.Rules {
		if codes := rule.OnExitCodes; codes != nil && (*codes.ContainerName != container.Name || !slices.Equal(codes.Values, []int32{2})) {
			t.Errorf("the rule %+v is not that of wrong input", codes)
		}
	}
	if shards := variable(container, "SHARDS"); shards != fmt.Sprint(*spec.Completions) {
		t.Errorf("%d completions, and %s parts", *spec.Completions, shards)
	}
	mount, volume := container.VolumeMounts[0], pod.Volumes[0]
	if mount.Name != volume.Name || volume.ConfigMap.Name != files.Name {
		t.Errorf("mounts %s, of the volume %s with %s", mount.Name, volume.Name, volume.ConfigMap.Name)
	}
}

// variable is the value of a variable of a container.
func variable(c corev1.Container, name string) string {
	for _, v := range c.Env {
		if v.Name == name {
			return v.Value
		}
	}
	return ""
}

// TestJobCommand runs the command of the pods, once for each index, in what stands for the mounted ConfigMap: together
// they are the whole.
func TestJobCommand(t *testing.T) {
	files, job := manifests(t)
	container := job.Spec.Template.Spec.Containers[0]
	dir, kept := t.TempDir(), filepath.Join(t.TempDir(), "kept")
	for name, text := range files.Data {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	line := slices.Concat(container.Command, container.Args)
	for i := range line {
		line[i] = strings.ReplaceAll(line[i], container.VolumeMounts[0].MountPath, dir)
	}
	for index := range *job.Spec.Completions {
		pod := exec.CommandContext(t.Context(), line[0], line[1:]...)
		pod.Env = append(os.Environ(), fmt.Sprint("JOB_COMPLETION_INDEX=", index), "VERB="+variable(container, "VERB"),
			"SHARDS="+variable(container, "SHARDS"), "STORE="+kept)
		if out, err := pod.CombinedOutput(); err != nil {
			t.Fatalf("index %d: %v: %s", index, err, out)
		}
	}
	gathered(t, filepath.Join(dir, "mine.toml"), kept)
}
