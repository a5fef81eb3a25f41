package results

import (
	"strings"
	"testing"
)

// TestAggregateIsPure: the plan and the outcomes stay as they are, and the same
// ones make the same results, whatever else was aggregated before.
func TestAggregateIsPure(t *testing.T) {
	plan := twoByThree()
	outcomes := outcomesOf(plan)
	first := written(t, Aggregate(plan, ByKey(outcomes)))
	Aggregate(plan, func(string) *Outcome { return nil })
	if again := written(t, Aggregate(plan, ByKey(outcomes))); again != first {
		t.Errorf("the second time\n%s\nthe first time\n%s", again, first)
	}
	fresh := twoByThree()
	if other := written(t, Aggregate(fresh, ByKey(outcomesOf(fresh)))); other != first {
		t.Errorf("equal ones make\n%s\ninstead of\n%s", other, first)
	}
}

// TestIncomplete: a missing outcome marks the results, which then judge nothing,
// and takes no other run away.
func TestIncomplete(t *testing.T) {
	plan := twoByThree()
	outcomes := outcomesOf(plan)
	whole := Aggregate(plan, ByKey(outcomes))
	if whole.Incomplete || len(whole.Expectations) != 1 || len(whole.Claims) != 1 || len(whole.Tradeoffs) != 3 {
		t.Errorf("of all outcomes: incomplete %t, %d expectations, %d claims, %d tradeoffs", whole.Incomplete,
			len(whole.Expectations), len(whole.Claims), len(whole.Tradeoffs))
	}
	delete(outcomes, "A")
	delete(outcomes, "B")
	part := Aggregate(plan, ByKey(outcomes))
	if !part.Incomplete || len(part.Runs) != len(whole.Runs)-2 || len(part.Expectations)+len(part.Claims)+len(part.Tradeoffs) > 0 {
		t.Errorf("without two outcomes: incomplete %t, %d runs, %d verdicts", part.Incomplete, len(part.Runs),
			len(part.Expectations)+len(part.Claims)+len(part.Tradeoffs))
	}
	if a, b := len(part.Series[0].Points), len(part.Series[1].Points); a != 2 || b != 3 {
		t.Errorf("curves of %d and %d points, want 2 and 3", a, b)
	}
}

// TestEqualKeys: two strategies that are the same simulation share its outcome,
// and are two curves all the same, without a difference.
func TestEqualKeys(t *testing.T) {
	plan := twoByThree()
	outcomes := outcomesOf(plan)
	for i := range plan.Cells {
		if cell := &plan.Cells[i]; cell.Strategy == "b" {
			cell.Key = plan.Cells[i-plan.Replications].Key
		}
	}
	for key := range outcomes {
		if !strings.Contains("ABEFIJ", key) {
			delete(outcomes, key) // of b, which has none of its own
		}
	}
	res := Aggregate(plan, ByKey(outcomes))
	if res.Incomplete || len(res.Runs) != len(plan.Cells) || len(res.Series) != 2 {
		t.Fatalf("incomplete %t, %d runs, %d curves", res.Incomplete, len(res.Runs), len(res.Series))
	}
	for _, d := range res.Differences {
		if x := d.Absolute["output_throughput"]; x.Mean != 0 || x.N != 2 {
			t.Errorf("at %v a difference of %+v", d.Point, x)
		}
	}
	if x := res.Expectations[0]; x.Value == nil || *x.Value != 1 {
		t.Errorf("a ratio of %+v, want 1", x)
	}
	plan2, again, err := Read(folderOf(t, res))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := written(t, Aggregate(plan2, ByKey(again))), written(t, res); got != want {
		t.Errorf("read back\n%s\nwant\n%s", got, want)
	}
}

// TestSweptObjective: a point with an objective of its own is judged by it.
func TestSweptObjective(t *testing.T) {
	plan := twoByThree()
	outcomes := outcomesOf(plan)
	for _, o := range outcomes {
		o.Metrics["saturated"] = 0
	}
	strict := Aggregate(plan, ByKey(outcomes)).Series[0].Knee
	for i := range plan.Points {
		plan.Points[i].SLO = &SLO{TTFTms: 100, Attainment: 0.1}
	}
	lax := Aggregate(plan, ByKey(outcomes)).Series[0].Knee
	if strict.Kind != KneeInterpolated || lax.Kind != KneeBeyond {
		t.Errorf("knees %+v and %+v", strict, lax)
	}
}
