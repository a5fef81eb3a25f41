package sim

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/policies/routing"
	"kneepoint/units"
)

// lookedBack is what some requests of a run of two servers lost by their router, in mean services. Its
// services are of a second, in a number of steps.
func lookedBack(t *testing.T, router func() routing.Router, steps int, requests []int, replication int) []float64 {
	t.Helper()
	s := setup{replicas: 2, router: router, cost: &hardware.Synthetic{PerPrefillToken: 1e-3}, batching: continuous(1, 1000/steps),
		workload: poisson(1, 500, fixed(1000), fixed(1))}
	var all []float64
	for _, id := range requests {
		h, ok, err := LookBack(t.Context(), func() (Config, error) { return s.config(t, 1, replication), nil }, id)
		if err != nil || !ok {
			t.Fatalf("request %d: %v, %v", id, ok, err)
		}
		all = append(all, float64(h.Chosen-h.Best))
	}
	return all
}

// coin sends requests to any replica.
type coin struct{ *rand.Rand }

// Route implements routing.Router.
func (c coin) Route(_ *routing.Request, replicas routing.Replicas) int { return c.IntN(replicas.Len()) }

// TestRegretOfRandom: of two M/D/1 queues that requests are sent to by random, one waits W₁ longer than the
// other by max(0, W₁ - W₂), of two independent waits. With their distribution F (Erlang 1909),
//
//	E = ∫ F(x)(1 - F(x)) dx,  P(no regret) = (1 + (1-ρ)²)/2.
func TestRegretOfRandom(t *testing.T) {
	const rho = 0.5
	wait := func(x float64) float64 {
		sum := 0.
		for k := 0.; k <= x; k++ {
			factorial, _ := math.Lgamma(k + 1)
			sum += math.Pow(-1, k) * math.Exp(k*math.Log(max(rho*(x-k), 1e-300))-factorial+rho*(x-k))
		}
		return (1 - rho) * sum
	}
	want := 0.
	for x := 0.0005; x < 15; x += 0.001 {
		want += 0.001 * wait(x) * (1 - wait(x))
	}
	var regret, none []float64
	for replication := range effort.Times(t, 40) {
		random := func() routing.Router { return coin{rand.New(rand.NewPCG(uint64(replication), 2))} }
		var requests []int
		for id := 100; id < 500; id += 20 {
			requests = append(requests, id)
		}
		for _, x := range lookedBack(t, random, 1, requests, replication) {
			regret = append(regret, x)
			if none = append(none, 0); x < 1e-9 {
				none[len(none)-1] = 1
			}
		}
	}
	for _, c := range []struct {
		name string
		got  []float64
		want float64
	}{{"mean regret", regret, want}, {"no regret", none, (1 + (1-rho)*(1-rho)) / 2}} {
		mean, sd := stat.MeanStdDev(c.got, nil)
		t.Logf("%s %.4f ± %.4f, want %.4f", c.name, mean, sd/math.Sqrt(float64(len(c.got))), c.want)
		if math.Abs(mean-c.want) > 4*sd/math.Sqrt(float64(len(c.got))) {
			t.Errorf("%s is %v, want %v", c.name, mean, c.want)
		}
	}
}

// TestNoRegretOfLeastWork: who knows what each of two servers has still to do has nothing to regret, but
// for what is done of a step.
func TestNoRegretOfLeastWork(t *testing.T) {
	leastWork := func() routing.Router { return leastPending{} }
	for _, x := range lookedBack(t, leastWork, 100, []int{50, 150, 151, 152, 153, 154, 155, 300, 499}, 0) {
		if x > 0.01+1e-9 {
			t.Errorf("a regret of %v s, want at most a step", x)
		}
	}
}

// leastPending sends requests to the replica with the fewest tokens to compute.
type leastPending struct{}

// Route implements routing.Router.
func (leastPending) Route(_ *routing.Request, replicas routing.Replicas) int {
	if replicas.At(1).Pending < replicas.At(0).Pending {
		return 1
	}
	return 0
}

// TestLookBack: times by hand, of prompts that take 10 s and 4 s and are all sent to the first of two replicas. Both
// may refuse who finds others waiting.
func TestLookBack(t *testing.T) {
	fresh := func() (Config, error) {
		traffic := &scripted{}
		traffic.add(0, 10, 1)
		traffic.add(1, 4, 1)
		traffic.add(2, 4, 1)
		c := written(traffic, 100, continuous(1, 100)(), continuous(1, 100)())
		c.Pools[0].Cost = &hardware.Synthetic{PerPrefillToken: 1}
		c.Pools[0].MaxWaiting = 1
		c.Router = func() routing.Router { return first{} }
		return c, nil
	}
	for id, want := range []struct {
		chosen, best units.Seconds
		completed    bool
	}{{10, 10, true}, {13, 4, true}, {0, 0, false}} {
		h, ok, err := LookBack(t.Context(), fresh, id)
		if err != nil {
			t.Fatal(err)
		}
		if ok != want.completed || ok && (h.Chosen != want.chosen || h.Best != want.best) {
			t.Errorf("request %d: %v, %v, want %v", id, h, ok, want)
		}
	}
}

// first sends all requests to the first replica.
type first struct{}

// Route implements routing.Router.
func (first) Route(*routing.Request, routing.Replicas) int { return 0 }
