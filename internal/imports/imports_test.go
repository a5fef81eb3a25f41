package imports

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// rooms lists the packages from the top of the house down. A package may import
// those that stand below its own line, and those of its own line or prefix.
var rooms = []string{
	"cmd",
	"plots",
	"experiments",
	"sim",
	"policies",
	"hardware",
	"workloads",
	"internal",
	"units",
}

// forbidden are imports that point down the list and are wrong all the same.
var forbidden = map[string][]string{
	"policies":  {"workloads", "hardware"}, // a policy sees a replica, nothing else
	"plots":     {"sim"},                   // figures come from results (metrics excepted)
	"hardware":  {"workloads"},
	"workloads": {"hardware"},
}

// data are the packages that know results and no engine, with all that they may
// import above the ground floor.
var data = map[string][]string{
	"experiments/results": {"sim/metrics"},
	"plots":               {"experiments/results", "sim/metrics"},
}

// TestImportsPointDown runs over `go list`.
func TestImportsPointDown(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "../../...").Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) < len(rooms) {
		t.Fatalf("go list shows only %d packages", len(lines))
	}
	for _, line := range lines {
		fields := strings.Fields(line)
		from := inside(t, fields[0])
		for _, path := range fields[1:] {
			if to, ours := strings.CutPrefix(path, "kneepoint/"); ours {
				check(t, from, to)
			}
		}
	}
}

// TestOnlyTheKernelKnowsSimgo keeps the event kernel exchangeable.
func TestOnlyTheKernelKnowsSimgo(t *testing.T) {
	out, err := exec.Command("grep", "-rl", "--include=*.go", "fschuetz04/simgo", "../../sim", "../../experiments",
		"../../policies", "../../hardware", "../../workloads", "../../plots", "../../cmd").Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Fields(string(out)); !slices.Equal(got, []string{"../../sim/kernel.go"}) {
		t.Errorf("simgo is imported by %v, want only sim/kernel.go", got)
	}
}

func check(t *testing.T, from, to string) {
	t.Helper()
	high, low := room(t, from), room(t, to)
	if high > low {
		t.Errorf("%s imports %s, which stands above it", from, to)
	}
	if own := data[from]; own != nil && !slices.Contains(own, to) && low < slices.Index(rooms, "internal") {
		t.Errorf("%s must not import %s", from, to)
	}
	if from != to && to != "sim/metrics" && slices.Contains(forbidden[rooms[high]], rooms[low]) {
		t.Errorf("%s must not import %s", from, to)
	}
}

// inside cuts the module's path off an import path.
func inside(t *testing.T, path string) string {
	t.Helper()
	in, ours := strings.CutPrefix(path, "kneepoint/")
	if !ours {
		t.Fatalf("unexpected package %s", path)
	}
	return in
}

func room(t *testing.T, path string) int {
	t.Helper()
	first, _, _ := strings.Cut(path, "/")
	i := slices.Index(rooms, first)
	if i < 0 {
		t.Fatalf("package %s stands in no room of the house", path)
	}
	return i
}
