package experiments

import (
	"testing"
)

// TestAxisOfConversations: the rate of a workload of conversations counts these; other axes, and
// other workloads, keep their names.
func TestAxisOfConversations(t *testing.T) {
	tree := map[string]any{"workload": map[string]any{}}
	f := FromTree("x", ".", tree)
	names := func(path string) string {
		a := f.axis(newAxis(path, []any{int64(1)}))
		return a.Label + ", " + a.Unit
	}
	rate, lengths := names("workload.arrival.rate"), names("workload.output.mean")
	tree["workload"] = map[string]any{"session": map[string]any{"turns": 3}}
	if got := names("workload.arrival.rate"); got != "conversation rate, conv/s" || got == rate {
		t.Errorf("the rate of conversations is %s, of requests %s", got, rate)
	}
	if got := names("workload.output.mean"); got != lengths {
		t.Errorf("their length of output is %s, otherwise %s", got, lengths)
	}
}

// TestPointsWithoutAxes: there is one, without values.
func TestPointsWithoutAxes(t *testing.T) {
	for _, zip := range []bool{false, true} {
		if all := points(nil, zip); len(all) != 1 || len(all[0]) != 0 {
			t.Errorf("zipped: %t: %v", zip, all)
		}
	}
}
