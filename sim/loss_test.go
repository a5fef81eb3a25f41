package sim

import (
	"math"
	"testing"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/sim/metrics"
)

// refused is the share of the requests after the warm-up that found the queue
// full.
func refused(rec *metrics.Record) float64 {
	refused, all := 0.0, 0.0
	for i := range rec.Requests {
		if r := &rec.Requests[i]; r.InWindow {
			all++
			if r.State == metrics.QueueFull {
				refused++
			}
		}
	}
	return refused / all
}

// servedSojourn is the mean time in system of the requests after the warm-up
// that were not refused.
func servedSojourn(rec *metrics.Record) float64 {
	sum, n := 0.0, 0.0
	for i := range rec.Requests {
		if r := &rec.Requests[i]; r.InWindow && r.State == metrics.Completed {
			sum, n = sum+float64(r.E2EL()), n+1
		}
	}
	return sum / n
}

// TestMM1K: with a server and K - 1 places to wait, memoryless services refuse
//
//	P = (1 - ρ) ρ^K / (1 - ρ^(K+1))
//
// of the requests, also above the load of 1, and the others spend
// E[T] = Σ n p_n / (λ (1 - P)) with p_n proportional to ρ^n.
func TestMM1K(t *testing.T) {
	for rho, k := range map[float64]int{0.5: 2, 0.8: 4, 1.3: 6} {
		s := singleServer(rho, 40000, exponential(100000), 100000)
		s.maxWaiting = k - 1
		all, count := 0.0, 0.0
		for n := range k + 1 {
			all += math.Pow(rho, float64(n))
			count += float64(n) * math.Pow(rho, float64(n))
		}
		blocked := math.Pow(rho, float64(k)) / all
		estimates := s.replicateAll(t, refused, servedSojourn)
		estimates[0].check(t, "P(refused)", blocked)
		estimates[1].check(t, "E[T]", count/all/(rho*(1-blocked)))
	}
}

// TestMD1K: the same with a service that always takes as long. The states at the
// ends of services form a chain: with a_j the Poisson probability of j arrivals
// in a service and π its probabilities of n = 0 … K-1 left behind,
//
//	P = 1 - 1/(π_0 + ρ)
func TestMD1K(t *testing.T) {
	for rho, k := range map[float64]int{0.8: 3, 1.2: 5} {
		s := singleServer(rho, 40000, fixed(1000), 1000)
		s.maxWaiting = k - 1
		s.replicate(t, refused).check(t, "P(refused)", 1-1/(leftEmpty(rho, k)+rho))
	}
}

// leftEmpty is π_0 of M/D/1/K, from its balance π_n = π_0 a_n + Σ π_i a_(n-i+1)
// over i from 1 to n+1, solved upwards for π_(n+1).
func leftEmpty(rho float64, k int) float64 {
	arrivals := func(j int) float64 {
		gamma, _ := math.Lgamma(float64(j + 1))
		return math.Exp(float64(j)*math.Log(rho) - rho - gamma)
	}
	pi := []float64{1}
	sum := 1.0
	for n := range k - 1 {
		next := pi[n] - pi[0]*arrivals(n)
		for i := 1; i <= n; i++ {
			next -= pi[i] * arrivals(n-i+1)
		}
		pi = append(pi, next/arrivals(0))
		sum += pi[n+1]
	}
	return 1 / sum
}

// TestErlangB: with k slots, memoryless outputs and a flat step, and one place to
// wait, in which a request also waits for the step to end that it arrived in,
// the share refused is that of an M/M/k/(k+1) queue
//
//	P = (a/k) B / (1 + (a/k) B),  B = (a^k/k!) / Σ a^i/i!
//
// with Erlang's B of k slots at an offered load of a. Outputs are so long that
// hardly two requests arrive in a step.
func TestErlangB(t *testing.T) {
	effort.Whole(t)
	const k, mean = 8, 5000
	for _, rho := range []float64{0.8, 1.5} {
		s := setup{
			workload:   poisson(rho*k/mean, 30000, fixed(1), exponential(mean)),
			cost:       &hardware.Synthetic{StepFixed: 1},
			batching:   continuous(k, math.MaxInt),
			maxWaiting: 1,
			warmup:     1000,
		}
		term, sum := 1.0, 1.0
		for i := 1; i <= k; i++ {
			term *= rho * k / float64(i)
			sum += term
		}
		full := rho * term / sum
		s.replicate(t, refused).check(t, "P(refused)", full/(1+full))
	}
}
