package experiments_test

import (
	"context"
	"errors"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments"
	"kneepoint/experiments/results"
	"kneepoint/internal/effort"
	"kneepoint/sim"
	"kneepoint/units/badinput"
)

// edges are numbers at which arithmetic, memory or patience end.
var edges = []string{"1e308", "-1e308", "1e-308", "5e-324", "-0.0", "0", "-1", "9223372036854775807", "1e18", "1e-18", "1e15", "1e-15", "1e12",
	"1e-12", "1e9", "1e-9", "2147483648", "1000000", "1e-6", "1"}

// written is a number in an assignment, with the unit behind it.
var written = regexp.MustCompile(`[=\[ "{,(](-?\d+(?:\.\d+)?)(?:ns|us|ms|s|MB|GB|TB|GB/s|TB/s)?(?:["\],} ;]|$)`)

// amounts are keys of which a large number is as much work as it says: the file is checked,
// and nothing is run.
var amounts = []string{"replications", "hardware.replicas", "workload.num_requests", "workload.trace.repeat", "workload.duration"}

// TestEdges sets every number of every key to values at the edges of what a number can be,
// in the experiments that show the key's effect. Each is refused as wrong input, or is
// simulated, with nothing lost (sim.Run checks), in no negative time, and with results that
// can be written.
func TestEdges(t *testing.T) {
	dir := t.TempDir()
	writeTraces(t, dir)
	all := allEffects(dir)
	some := min(len(edges), effort.Times(t, len(edges)/2)) // edges of each number, in turn
	turn := 0
	for _, key := range slices.Sorted(maps.Keys(all)) {
		var tried []string
		e := all[key]
		for _, at := range written.FindAllStringSubmatchIndex(e.to, -1) {
			for range some {
				edge := edges[turn%len(edges)]
				tried = append(tried, e.to[:at[2]]+edge+e.to[at[3]:])
				turn++
			}
			turn++ // another edge is left out next time
		}
		if tried == nil {
			continue
		}
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			for _, change := range tried {
				e.checkEdge(t, key, change)
			}
		})
	}
}

// checkEdge tries an experiment with a number at an edge.
func (e effect) checkEdge(t *testing.T, key, change string) {
	t.Helper()
	file, err := experiments.Parse("edges.toml", twoStrategies)
	if err != nil {
		t.Fatal(err)
	}
	if err = file.Override(e.assignments(change)); err == nil {
		err = e.runEdge(file, key)
	}
	var bad *badinput.Error
	switch {
	case err == nil || errors.Is(err, sim.ErrClock):
	case !errors.As(err, &bad) || strings.ContainsRune(err.Error(), '\n'):
		t.Errorf("%s with %s: %v", change, e.with, err)
	}
}

// runEdge runs the experiment, unless that is too much work, and looks at what comes out.
func (e effect) runEdge(file *experiments.File, key string) error {
	experiment, err := file.Check()
	if err != nil || slices.Contains(amounts, key) {
		return err
	}
	res, err := experiment.Run(context.Background(), experiments.Options{Workers: 1})
	if err != nil {
		return err
	}
	for i := range res.Runs {
		if err := plausible(&res.Runs[i]); err != nil {
			return err
		}
	}
	return res.WriteJSON(io.Discard)
}

// plausible is an error where a metric is negative or no number.
func plausible(run *results.Run) error {
	for name, x := range run.Metrics {
		if x < 0 || math.IsNaN(x) || math.IsInf(x, 0) {
			return errors.New(name + " is negative or no number")
		}
	}
	return nil
}
