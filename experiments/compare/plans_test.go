package compare_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"kneepoint/experiments/compare"
	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// planOf is a plan whose one option has a number of units, each an accelerator; attained with them and with one less.
func planOf(units int, with, without results.Judgement) *compare.PlanSide {
	fleet := &results.PlannedFleet{Metrics: map[string]metrics.Estimate{
		metrics.Accelerators: {Mean: float64(units), N: 5}, latency: {Mean: 100 / float64(units), Half: 1, N: 5}}}
	return &compare.PlanSide{Name: "plan", Answer: &results.Answer{Target: 0.9, Demand: results.Demand{Load: 1, Unit: "req/s"},
		Options: []results.Option{{Name: "h100", Units: units, Judged: &with, Fewer: &without, Fleet: fleet}}}}
}

// TestPlans: another number of units is a difference where both plans know theirs, and only then; the latency of fleets is that
// of independent runs.
func TestPlans(t *testing.T) {
	surely, hardly := results.Judgement{Attainment: 0.95, Surer: 0.01}, results.Judgement{Attainment: 0.88, Surer: 0.03}
	missed := results.Judgement{Saturated: true}
	for name, c := range map[string]struct {
		a, b *compare.PlanSide
		want compare.Verdict
	}{
		"known":           {planOf(2, surely, missed), planOf(3, surely, missed), compare.Worse},
		"less":            {planOf(3, surely, missed), planOf(2, surely, missed), compare.Better},
		"A may do with 1": {planOf(2, surely, hardly), planOf(3, surely, missed), compare.Unclear},
		"B may do with 2": {planOf(2, surely, missed), planOf(3, surely, hardly), compare.Unclear},
		"A may need 3":    {planOf(2, hardly, missed), planOf(3, surely, missed), compare.Unclear},
		"as many":         {planOf(2, surely, missed), planOf(2, surely, hardly), compare.Equal},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := compare.Plans(c.a, c.b, compare.Options{Tolerance: map[string]float64{metrics.Accelerators: 0.2}})
			if err != nil {
				t.Fatal(err)
			}
			row := got.Rows[0]
			if row.Metric != metrics.Accelerators || row.Verdict != c.want || row.Beyond != (c.want == compare.Worse) {
				t.Errorf("%+v", row)
			}
			if _, err := json.Marshal(got); err != nil {
				t.Error(err)
			}
		})
	}
	got, err := compare.Plans(planOf(2, surely, missed), planOf(4, surely, missed), compare.Options{Metrics: []string{latency}})
	if err != nil {
		t.Fatal(err)
	}
	// Each mean ± 1 over 5 runs, so the difference ± √2 · t(8)/t(4).
	if d := got.Rows[0].Difference; d.Mean != -25 || math.Abs(d.Half-math.Sqrt2*2.306004/2.776445) > 1e-6 || got.Paired {
		t.Errorf("%+v", d)
	}
	users := planOf(2, surely, missed)
	users.Answer.Demand.Unit = "users"
	if _, err := compare.Plans(users, planOf(2, surely, missed), compare.Options{}); !isBad(err, "demands in other units: users, req/s") {
		t.Errorf("says %v", err)
	}
}

// TestPlansOfGaps: where only one objective bounds the gaps between tokens, they and TPOT are compared, whichever plan is first.
func TestPlansOfGaps(t *testing.T) {
	surely, missed := results.Judgement{Attainment: 0.95, Surer: 0.01}, results.Judgement{Saturated: true}
	plan := func(bound float64) *compare.PlanSide {
		p := planOf(2, surely, missed)
		p.Answer.SLO.ITLp99ms = bound
		for _, metric := range []string{metrics.P99ITL, metrics.P99TPOT} {
			p.Answer.Options[0].Fleet.Metrics[metric] = metrics.Estimate{Mean: 30, Half: 1, N: 5}
		}
		return p
	}
	for _, c := range []struct {
		a, b      float64
		itl, tpot bool
	}{{0, 0, false, true}, {50, 60, true, false}, {50, 0, true, true}, {0, 50, true, true}} {
		got, err := compare.Plans(plan(c.a), plan(c.b), compare.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if has(got, metrics.P99ITL) != c.itl || has(got, metrics.P99TPOT) != c.tpot {
			t.Errorf("bounds %g and %g: %+v", c.a, c.b, got.Rows)
		}
	}
}

func has(c *compare.Comparison, metric string) bool {
	return slices.ContainsFunc(c.Rows, func(r compare.Row) bool { return r.Metric == metric })
}
