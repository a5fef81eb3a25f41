package experiments

import (
	"math"
	"strings"
	"testing"

	"kneepoint/experiments/results"
)

// TestLoadsEndWhereTheyAreImpossible: prompts of 100,000 tokens, give or take one, take 1 s each in the queue of queueFile, and are the longest of which
// 90 % wait 5 s or less. Where none may be longer than that and 1 %, the knee is found between loads that are possible; where
// none may be as long, it is beyond the longest; and the results say why nothing longer was tried.
func TestLoadsEndWhereTheyAreImpossible(t *testing.T) {
	knees := func(most string) *results.Results {
		return kneesOf(t, queueFile, 0, `workload.arrival.rate=0.799601`, `search.load="workload.input.mean"`, withoutSweep,
			`workload.input={type="normal", mean=50000, std=500, max=`+most+`}`)
	}
	for most, want := range map[string]results.KneeKind{"101000": results.KneeSearched, "90000": results.KneeBeyond} {
		res := knees(most)
		k := res.Series[0].Knee
		if k.Kind != want {
			t.Fatalf("%s knee at %v where loads end at %s, want %s", k.Kind, k.Value, most, want)
		}
		if want == results.KneeSearched && math.Abs(k.Value/100_000-1) > 0.02 {
			t.Errorf("the knee is at %v, want 100,000", k.Value)
		}
		if want == results.KneeBeyond && (k.Value > 90_000 || k.Value < 89_900) {
			t.Errorf("the last load is %v, want nearly 90,000", k.Value)
		}
		said := false
		for _, w := range res.Warnings {
			said = said || w.Kind == results.SearchEdge && strings.Contains(w.Text, "more than max = "+most)
		}
		if !said {
			t.Errorf("it is not said why loads end at %s: %+v", most, res.Warnings)
		}
	}
}
