package sim

import (
	"testing"

	"kneepoint/hardware"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// Relations that look true and are not. Batches join at the boundaries of steps, so that
// what moves a boundary may let a request miss the step that it would have shared: as in
// Graham's anomalies of list scheduling (Bounds on Multiprocessing Timing Anomalies, SIAM
// Journal on Applied Mathematics 17, 1969), less of anything may help somebody.

// anomaly is what a small run of (arrival, prompt, output) comes to, in both engines.
func anomaly(t *testing.T, blocks int, cost hardware.Synthetic, requests ...[3]float64) *metrics.Record {
	t.Helper()
	var rec *metrics.Record
	for _, reference := range []bool{false, true} {
		traffic := &scripted{}
		for _, r := range requests {
			traffic.add(units.Seconds(r[0]), int(r[1]), int(r[2]))
		}
		config := written(traffic, blocks, continuous(8, 100)())
		config.Pools[0].Cost, config.Reference = &cost, reference
		var err error
		if rec, err = Run(t.Context(), config); err != nil {
			t.Fatal(err)
		}
		checkRecord(t, rec)
	}
	return rec
}

// checkEnds compares the times of the last tokens.
func checkEnds(t *testing.T, what string, rec *metrics.Record, want ...units.Seconds) {
	t.Helper()
	for i := range rec.Requests {
		if got := rec.Requests[i].Last; !near(float64(got), float64(want[i])) {
			t.Errorf("%s request %d ends at %v, want %v", what, i, got, want[i])
		}
	}
}

// TestMoreMemoryMayServeWorse: prompts of 3 and 4 tokens, with a second token each, in
// blocks of 2. Three blocks hold one of them at a time. In four both begin together,
// which makes the first wait for the second one's prompt, and the second is preempted when it
// needs its third block: it computes everything again. More memory, a preemption
// instead of none, and a mean E2EL of 12 s instead of 8.
func TestMoreMemoryMayServeWorse(t *testing.T) {
	cost := hardware.Synthetic{StepFixed: 1, PerPrefillToken: 1}
	requests := [][3]float64{{0, 3, 2}, {0, 4, 2}}
	less, more := anomaly(t, 3, cost, requests...), anomaly(t, 4, cost, requests...)
	checkEnds(t, "with three blocks", less, 5, 11)
	checkEnds(t, "with four blocks", more, 9, 15)
	if less.Totals.Preemptions != 0 || more.Totals.Preemptions != 1 {
		t.Errorf("%d preemptions in three blocks, %d in four", less.Totals.Preemptions, more.Totals.Preemptions)
	}
	checkEnds(t, "with five blocks", anomaly(t, 5, cost, requests...), 9, 9)
}

// TestFasterStepsMayServeLater: two requests arrive during a step of 1 s, and share the next
// one. If steps take 0.94 s instead, the second of them arrives just after the boundary, has
// a step of its own behind the first one's, and ends later: at 2.82 s instead of 2.
func TestFasterStepsMayServeLater(t *testing.T) {
	requests := [][3]float64{{0, 2, 1}, {0.92, 2, 1}, {0.95, 2, 1}}
	checkEnds(t, "in steps of 1 s", anomaly(t, 100, hardware.Synthetic{StepFixed: 1}, requests...), 1, 2, 2)
	checkEnds(t, "in steps of 0.94 s", anomaly(t, 100, hardware.Synthetic{StepFixed: 0.94}, requests...), 0.94, 1.88, 2.82)
}

// TestFewerRequestsMayServeLater: without the first request nobody holds the second one up
// until the third is there, too: it begins at once, and the third has to wait for its step.
func TestFewerRequestsMayServeLater(t *testing.T) {
	cost := hardware.Synthetic{StepFixed: 1}
	checkEnds(t, "behind another", anomaly(t, 100, cost, [3]float64{0, 2, 1}, [3]float64{0.92, 2, 1}, [3]float64{0.95, 2, 1}), 1, 2, 2)
	checkEnds(t, "alone", anomaly(t, 100, cost, [3]float64{0.92, 2, 1}, [3]float64{0.95, 2, 1}), 1.92, 2.92)
}
