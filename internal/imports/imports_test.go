package imports

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// house lists the packages from the top down, each with those that it may import
// besides the ground floor. All of them are in a row below its own.
var house = []struct {
	room      string
	mayImport string
}{
	{"cmd/kneepoint", "plots plots/report experiments experiments/compare experiments/planner experiments/search experiments/validate/heldout experiments/validate experiments/calibrate experiments/store experiments/runner experiments/scenario" +
		" experiments/results sim/metrics policies policies/routing policies/scaling hardware hardware/estimate hardware/roofline hardware/model workloads"}, // never the engine

	// Figures and pages are drawn from results.
	{"plots/report", "plots experiments/results sim/metrics"},
	{"plots", "plots/chart experiments/results sim/metrics"},
	{"plots/chart", ""}, // nothing of what is drawn

	// They ask for simulations through scenarios and the runner.
	{"experiments/calibrate", "experiments experiments/runner experiments/scenario experiments/results sim/metrics hardware hardware/model workloads"},
	{"experiments/validate/heldout", "experiments/validate experiments/runner experiments/scenario hardware hardware/roofline"},
	{"experiments/validate", "experiments experiments/runner experiments/scenario experiments/results sim/metrics hardware hardware/model workloads"},
	{"experiments", "experiments/planner experiments/uncertainty experiments/crossing experiments/search experiments/runner experiments/scenario experiments/results sim/metrics policies policies/routing policies/scaling" +
		" hardware hardware/roofline hardware/model workloads"},

	{"experiments/planner", "experiments/search experiments/runner experiments/scenario experiments/results sim/metrics hardware workloads"}, // fleets, not keys
	{"experiments/search", "experiments/runner experiments/scenario experiments/results sim/metrics workloads"},                              // loads, not keys
	{"experiments/uncertainty", "experiments/scenario hardware hardware/roofline"},                                                           // constants, not plans
	{"experiments/crossing", ""}, // differences, not what differs
	{"experiments/store", ""},    // bytes by key, of whatever is plain data
	{"experiments/runner", "experiments/scenario experiments/results sim sim/metrics"},
	{"experiments/scenario", "experiments/results sim sim/metrics policies policies/routing policies/scaling hardware hardware/roofline hardware/model workloads"},
	{"experiments/compare", "experiments/results sim/metrics"}, // data alone
	{"experiments/results", "sim/metrics"},                     // which has no engine

	{"sim", "sim/metrics policies policies/routing policies/scaling hardware workloads"}, // any cost model, not one of them
	{"sim/metrics", "hardware"},

	{"policies/policytest", "policies"},
	{"policies/routing", "policies"},
	{"policies/scaling", "policies"},
	{"policies", ""}, // a policy sees a replica, nothing else

	{"hardware/estimate", "hardware/roofline hardware/model hardware"},
	{"hardware/roofline", "hardware/model hardware"},
	{"hardware/model", "hardware"},
	{"hardware", ""},
	{"workloads", ""},
}

// groundFloor are the trees of packages that every other may import, in order:
// they import none but those below themselves.
var groundFloor = []string{"internal", "units/badinput", "units"}

// TestImportsPointDown runs over `go list`. A row of a package that is not there
// does no harm.
func TestImportsPointDown(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "../../...").Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) < 10 {
		t.Fatalf("go list shows only %d packages", len(lines))
	}
	for _, line := range lines {
		fields := strings.Fields(line)
		from, ours := strings.CutPrefix(fields[0], "kneepoint/")
		if !ours {
			t.Fatalf("unexpected package %s", fields[0])
		}
		for _, path := range fields[1:] {
			if to, ours := strings.CutPrefix(path, "kneepoint/"); ours && !allowed(t, from, to) {
				t.Errorf("%s must not import %s", from, to)
			}
		}
	}
}

// allowed reports whether a package may import another.
func allowed(t *testing.T, from, to string) bool {
	t.Helper()
	if low := floor(from); low >= 0 {
		return floor(to) >= low
	}
	if floor(to) >= 0 {
		return true
	}
	i := row(from)
	if i < 0 {
		t.Errorf("%s is in no room of the house", from)
		return true
	}
	return slices.Contains(strings.Fields(house[i].mayImport), to)
}

// TestHousePointsDown checks the table itself.
func TestHousePointsDown(t *testing.T) {
	for i, r := range house {
		for _, to := range strings.Fields(r.mayImport) {
			if row(to) <= i {
				t.Errorf("%s may import %s, which is not below it", r.room, to)
			}
		}
	}
}

// row is the index of a package in the house; -1 when it is not there.
func row(path string) int {
	for i, r := range house {
		if r.room == path {
			return i
		}
	}
	return -1
}

// floor is the index of a package's tree on the ground floor; -1 when it is above.
func floor(path string) int {
	return slices.IndexFunc(groundFloor, func(tree string) bool { return path == tree || strings.HasPrefix(path, tree+"/") })
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
