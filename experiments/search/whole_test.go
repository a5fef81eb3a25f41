package search

import (
	"context"
	"math/rand/v2"
	"testing"

	"kneepoint/experiments/results"
)

// attaining is a sampler of runs of independent requests, of which a share meets the objective that follows from the load and the length.
func attaining(share func(load float64, requests int) float64) sampler {
	return func(_ context.Context, load float64, requests, first, count int) ([]sample, error) {
		runs := make([]sample, count)
		for r := range runs {
			random := rand.New(rand.NewPCG(11, uint64(first+r)))
			for range requests {
				met := 0.0
				if random.Float64() < share(load, requests) {
					met = 1
				}
				runs[r].attained, runs[r].ttft = append(runs[r].attained, met), append(runs[r].ttft, 1)
			}
		}
		return runs, nil
	}
}

func whole(t *testing.T, rising bool, limits Limits, share func(load float64, requests int) float64) (Finding, *results.Knee) {
	t.Helper()
	found, err := find(context.Background(), Question{Target: 0.9, Met: 1, Missed: 1, Rising: rising, Whole: true,
		Basis: results.SteadyState, Length: FirstRequests}, limits, attaining(share))
	if err != nil {
		t.Fatal(err)
	}
	k := found.Knee()
	if k == nil || k.Low == nil || k.High == nil {
		t.Fatalf("knee %+v", k)
	}
	return found, k
}

// TestNeighboursOfLargeNumbers: of hundreds of clients or replicas the last one that is enough is told from the next, too.
func TestNeighboursOfLargeNumbers(t *testing.T) {
	for _, want := range []float64{2, 151, 538} {
		for _, rising := range []bool{false, true} {
			_, k := whole(t, rising, Limits{Requests: MostRequests}, func(load float64, _ int) float64 {
				if load == want || (load > want) == rising {
					return 0.99
				}
				return 0.8
			})
			if k.Value != want || *k.Low != want || *k.High != want {
				t.Errorf("rising %v: %v (%v to %v), want %v", rising, k.Value, *k.Low, *k.High, want)
			}
		}
	}
}

// TestLongerRunsMoveTheBracket: where an end of the bracket met the target in short runs and misses it in those that told the other
// end, the search goes on from there.
func TestLongerRunsMoveTheBracket(t *testing.T) {
	_, k := whole(t, true, Limits{Requests: 20 * MostRequests}, func(load float64, requests int) float64 {
		switch {
		case load >= 13 || load >= 10 && requests < 4*FirstRequests:
			return 0.99
		case load == 9:
			return 0.895
		}
		return 0.8
	})
	if k.Value != 13 || *k.Low != 13 || *k.High != 13 {
		t.Errorf("%v (%v to %v), want 13", k.Value, *k.Low, *k.High)
	}
}

// TestLimitedSearchesSaySo: what is too near the target to be told within the requests that a search may take is said to be.
func TestLimitedSearchesSaySo(t *testing.T) {
	near := func(load float64, _ int) float64 { return 1 - 0.1*9.98/load }
	if found, k := whole(t, true, Limits{Requests: 100_000}, near); !found.Limited || *k.Low == *k.High || *k.Low > 10 || *k.High < 10 {
		t.Errorf("%v (%v to %v), limited: %v", k.Value, *k.Low, *k.High, found.Limited)
	}
	if found, _ := whole(t, true, Limits{Requests: 100_000, Tolerance: 0.1}, near); found.Limited {
		t.Error("a search with a tolerance is said to be limited")
	}
}
