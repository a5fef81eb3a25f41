package search

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"kneepoint/experiments/results"
)

// TestProbesAreManyEnough: where a few runs are as long as the tolerance asks for there are eight at each load all the same, since three
// tell neither how far runs are from each other nor how skewed they are.
func TestProbesAreManyEnough(t *testing.T) {
	const least = 8
	q := exact[4].queue
	q.seed = 3
	found, err := find(t.Context(), Question{Target: 0.9, Met: 0.25, Missed: 1, Basis: results.SteadyState, Length: FirstRequests},
		Limits{Tolerance: 0.1, Requests: MostRequests}, q.sample)
	if err != nil || len(found.Probes) == 0 {
		t.Fatalf("%d probes, %v", len(found.Probes), err)
	}
	for _, p := range found.Probes {
		if len(p.Attained) < least {
			t.Errorf("%d runs at %v, want %d at least", len(p.Attained), p.Load, least)
		}
	}
}

// TestProbesForgetTheStart: where the pilot saw no warm-up at all probes leave out twice the correlation, after which e⁻⁴ of an empty start
// is left where it is forgotten at one rate; where it saw a longer one they leave out that.
func TestProbesForgetTheStart(t *testing.T) {
	const correlation = 50
	for _, before := range []int{0, 1000} {
		like := look{load: 1, warmUp: before, counted: 10_000, shares: []float64{0.9, 0.9, 0.9}, settled: true, correlation: correlation}
		s := searcher{Question: Question{Target: 0.9, Basis: results.SteadyState}, looks: []look{like}, settled: []look{like}}
		if got := s.warmUp(); got < 2*correlation || got < before {
			t.Errorf("%d requests are left out, want %d at least", got, max(2*correlation, before))
		}
	}
}

// TestProbesOutlastTheMemory: where hardly any request misses, the correlation of the misses that a few runs show is short by chance; runs
// are ten times as long as they remember what is in the system all the same. Where misses last they are as long as these ask for.
func TestProbesOutlastTheMemory(t *testing.T) {
	for _, c := range []struct{ correlation, memory, want float64 }{{1, 400, 4000}, {20, 400, 150 * 29.5}, {20, 0, 150 * 29.5}} {
		l := look{load: 1, counted: 10_000, shares: []float64{0.99, 0.99, 0.99}, correlation: c.correlation, memory: c.memory}
		s := searcher{Question: Question{Target: 0.99, Basis: results.SteadyState}, looks: []look{l}}
		if got := s.least(); math.Abs(got-c.want) > 1e-9*c.want {
			t.Errorf("correlated over %v, remembered over %v: runs of %v at least, want %v", c.correlation, c.memory, got, c.want)
		}
	}
}

// TestProbesComeNearer: probes between which the logit changes by four instead of one come four times as near, but never nearer than
// the tolerance; those that are hardly too far apart stay.
func TestProbesComeNearer(t *testing.T) {
	share := func(logit float64) []float64 { p := 1 / (1 + math.Exp(-logit)); return []float64{p, p, p} }
	for _, c := range []struct{ change, width, want float64 }{{4, 0.12, 0.03}, {4, 0.05, 0.02}, {1.9, 0.1, 0.1}, {2.5, 0.02, 0.02}, {4, 0.025, 0.025}} {
		s := searcher{Question: Question{Target: 0.9}, looks: []look{
			{load: 1, counted: 1e9, shares: share(3)}, {load: math.Exp(2 * c.width), counted: 1e9, shares: share(3 - c.change)}}}
		if got := s.narrower(c.width); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("a change by %v over twice %v: next %v, want %v", c.change, c.width, got, c.want)
		}
	}
}

// TestSteepKneesAreProbedFromNear: near the knee of a curve that is shallow elsewhere the pilot's slope has probes too far apart, between which
// the curve is no line; they come nearer.
func TestSteepKneesAreProbedFromNear(t *testing.T) {
	const knee, steep, shallow, cliff = 10, 80, 3, 0.02 // of ln(load) on either side of the knee
	share := func(load float64) float64 {
		x := math.Log(load / knee)
		within := min(max(x, -cliff), cliff)
		return 1 / (1 + math.Exp(-math.Log(9)+steep*within+shallow*(x-within)))
	}
	sampler := func(_ context.Context, load float64, requests, first, count int) ([]sample, error) {
		runs := make([]sample, count)
		for r := range runs {
			random := rand.New(rand.NewPCG(uint64(first+r), 0))
			for range requests {
				met := 0.0
				if random.Float64() < share(load) {
					met = 1
				}
				runs[r].attained, runs[r].ttft = append(runs[r].attained, met), append(runs[r].ttft, 1)
			}
		}
		return runs, nil
	}
	found, err := find(t.Context(), Question{Target: 0.9, Met: 5, Missed: 15, Basis: results.SteadyState, Length: FirstRequests},
		Limits{Tolerance: 0.02, Requests: MostRequests}, sampler)
	if err != nil || len(found.Probes) != probeLoads {
		t.Fatalf("%d probes, %v", len(found.Probes), err)
	}
	if apart := math.Log(found.Probes[1].Load/found.Probes[0].Load) / 2; apart > 1.5*nearest*Tolerance {
		t.Errorf("probes are %v of ln(load) from their middle, want about %v", apart, nearest*Tolerance)
	}
	if k := found.Knee(); math.Abs(math.Log(k.Value/knee)) > Tolerance {
		t.Errorf("knee %v, want %v", k.Value, knee)
	}
}

// TestProbesEndBehindTheWarmUp: a run is five times as long as its warm-up where that may be spent, and three times at least.
func TestProbesEndBehindTheWarmUp(t *testing.T) {
	const warmUp = 1000
	for _, c := range []struct{ allowed, want int }{{10_000_000, 5 * warmUp}, {128_000, 4 * warmUp}, {1000, 3 * warmUp}} {
		l := look{load: 1, counted: 10_000, shares: []float64{0.9, 0.9, 0.9}, correlation: 1}
		s := searcher{Question: Question{Target: 0.9, Basis: results.SteadyState}, Limits: Limits{Tolerance: 1, Requests: c.allowed}, looks: []look{l}}
		if s.plan(0.1, warmUp); s.requests != c.want {
			t.Errorf("of %d requests in all: %d a run, want %d", c.allowed, s.requests, c.want)
		}
	}
}
