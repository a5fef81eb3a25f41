package sim

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// sojourn is the mean time in system of the requests after the warm-up.
func sojourn(rec *metrics.Record) float64 {
	var times []float64
	for i := range rec.Requests {
		if r := &rec.Requests[i]; r.InWindow {
			times = append(times, float64(r.E2EL()))
		}
	}
	return stat.Mean(times, nil)
}

// singleServer serves one request at a time, for a time in proportion to its prompt;
// services are quasi-continuous since prompts are long.
func singleServer(rho float64, n int, input workloads.LengthSpec, meanTokens float64) setup {
	return setup{
		workload: poisson(rho, n, input, fixed(1)), // the mean service is 1 s
		cost:     &hardware.Synthetic{PerPrefillToken: units.Seconds(1 / meanTokens)},
		batching: continuous(1, math.MaxInt),
		warmup:   n / 10,
	}
}

func TestMM1(t *testing.T) {
	for _, rho := range []float64{0.5, 0.8} {
		s := singleServer(rho, 40000, exponential(100000), 100000)
		times := s.replicateAll(t, sojourn, func(rec *metrics.Record) float64 {
			return metrics.SummarizeWindow(rec, metrics.Objective{})["p99_e2el_ms"] / 1e3
		})
		times[0].check(t, "E[T]", 1/(1-rho))
		if rho <= 0.5 { // at more the tail needs far longer runs
			times[1].check(t, "99th percentile of T", math.Log(100)/(1-rho))
		}
	}
}

func TestMD1(t *testing.T) {
	for _, rho := range []float64{0.5, 0.8} {
		s := singleServer(rho, 15000, fixed(1000), 1000)
		estimates := s.replicateAll(t, sojourn, func(rec *metrics.Record) float64 {
			served := 0.0
			for i := range rec.Requests {
				if r := &rec.Requests[i]; r.InWindow && float64(r.E2EL()) < 1+1e-9 {
					served++
				}
			}
			return served / float64(len(rec.Requests)-s.warmup)
		})
		estimates[0].check(t, "E[T]", 1+rho/(2*(1-rho)))
		estimates[1].check(t, "P(W = 0)", 1-rho)
	}
}

// TestPipelineOfTwoStages: prompts that pass one by one through two equal stages
// of half the service time D each wait as at one server of D/2,
//
//	E[T] = D + ρ D / (4 (2 - ρ)),
//
// with ρ = λD up to 2 (DistServe, section 3.1).
func TestPipelineOfTwoStages(t *testing.T) {
	for _, rho := range []float64{0.5, 1, 1.6} {
		s := singleServer(rho, 15000, fixed(1000), 1000)
		s.cost = hardware.EvenStages{CostModel: s.cost, N: 2}
		s.batching = continuous(100, 1000) // one prompt a step
		s.replicate(t, sojourn).check(t, "E[T]", 1+rho/(4*(2-rho)))
	}
}

// TestPollaczekKhinchine covers services less, as, and more variable than
// exponential ones: E[W] = ρ E[S] (1 + C²) / (2 (1 - ρ)).
func TestPollaczekKhinchine(t *testing.T) {
	effort.Whole(t)
	const rho, mean = 0.7, 100000
	for _, cv := range []float64{0.5, 1, 2} {
		input := workloads.LengthSpec{Type: "gamma", Mean: mean, Std: cv * mean, Min: 1}
		s := singleServer(rho, 30000, input, mean)
		s.replicate(t, sojourn).check(t, "E[T]", 1+rho*(1+cv*cv)/(2*(1-rho)))
	}
}

// TestShortestFirst: with the shortest job first, a job of length x waits for the
// one in service and for shorter ones: W(x) = λ E[S²]/2 / (1 - ρ(x))², where ρ(x)
// is the load of jobs up to x (Phipps 1956). Services are exponential.
func TestShortestFirst(t *testing.T) {
	for _, rho := range []float64{0.5, 0.7} {
		wait := 0.0
		const dx = 1e-3
		for x := dx / 2; x < 40; x += dx {
			shorter := rho * (1 - math.Exp(-x)*(1+x))
			wait += rho / math.Pow(1-shorter, 2) * math.Exp(-x) * dx
		}
		s := singleServer(rho, 40000, exponential(100000), 100000)
		s.rank = func(r workloads.Request) float64 { return float64(r.Input) }
		s.replicate(t, sojourn).check(t, "E[T]", 1+wait)
	}
}

// TestPrefillAndDecodeService is the same law with a service of a prefill and
// single decode steps, whose moments are enumerated.
func TestPrefillAndDecodeService(t *testing.T) {
	const rho, perToken, step = 0.7, 1e-3, 0.02
	var s1, s2 float64
	for prompt := 50; prompt <= 150; prompt++ {
		for output := 1; output <= 19; output++ {
			service := perToken*float64(prompt) + step*float64(output-1)
			s1 += service / (101 * 19)
			s2 += service * service / (101 * 19)
		}
	}
	rate := rho / s1
	s := setup{
		workload: poisson(rate, 40000, workloads.LengthSpec{Type: "uniform", Min: 50, Max: 150}, workloads.LengthSpec{Type: "uniform", Min: 1, Max: 19}),
		cost:     &hardware.Synthetic{PerPrefillToken: perToken, PerDecodeRow: step},
		batching: continuous(1, math.MaxInt),
		warmup:   4000,
	}
	s.replicate(t, sojourn).check(t, "E[T]", s1+rate*s2/(2*(1-rho)))
}

// TestFlatStep: with a step time that does not depend on the batch, sojourn
// times do not depend on load: E[T] = E[o]·t0, and t0/2 until the next step
// starts. The number in system is Poisson.
func TestFlatStep(t *testing.T) {
	const rate, meanOutput = 0.5, 100
	output := workloads.LengthSpec{Type: "uniform", Min: 50, Max: 150}
	s := setup{
		workload: poisson(rate, 20000, fixed(1), output),
		cost:     &hardware.Synthetic{StepFixed: 1},
		batching: continuous(math.MaxInt, math.MaxInt),
		warmup:   1000,
	}
	s.replicate(t, sojourn).check(t, "E[T]", meanOutput+0.5)
}

// TestErlangC: with k slots and memoryless outputs the flat step is an M/M/k
// queue. Residuals of the step t0 = 1: an arrival that finds a free slot, with
// probability 1 - C, waits t0/2 for the next step; one that does not starts at
// the end of a step.
func TestErlangC(t *testing.T) {
	const k, mean = 8, 200
	for _, rho := range []float64{0.5, 0.8} {
		rate := rho * k / mean
		s := setup{
			workload: poisson(rate, 6000, fixed(1), exponential(mean)),
			cost:     &hardware.Synthetic{StepFixed: 1},
			batching: continuous(k, math.MaxInt),
			warmup:   500,
		}
		c := erlangC(k, rho*k)
		s.replicate(t, sojourn).check(t, "E[T]", c/(k/float64(mean)-rate)+mean+(1-c)/2)
	}
}

// erlangC is the probability of waiting in an M/M/k queue with offered load a.
func erlangC(k int, a float64) float64 {
	term, sum := 1.0, 0.0
	for i := range k {
		sum += term
		term *= a / float64(i+1)
	}
	waiting := term * float64(k) / (float64(k) - a)
	return waiting / (sum + waiting)
}

// TestProcessorSharing: with a step time proportional to the batch, every
// sequence gets an equal share: E[T] = E[S] / (1 - ρ), whatever the law of S.
// That is the limit of many small tokens; with 200 of them the band is 3 %.
func TestProcessorSharing(t *testing.T) {
	const mean = 200
	for name, output := range map[string]workloads.LengthSpec{"fixed": fixed(mean), "exponential": exponential(mean)} {
		for _, rho := range []float64{0.3, 0.6} {
			s := setup{
				workload: poisson(rho/mean, 2500, fixed(1), output),
				cost:     &hardware.Synthetic{PerDecodeRow: 1, PerPrefillChunk: 1},
				batching: continuous(math.MaxInt, math.MaxInt),
				warmup:   500,
			}
			s.replicate(t, sojourn).within(t, 0.03, name+" E[T]", mean/(1-rho))
		}
	}
}

// TestBirthDeath: memoryless outputs, an affine step time t(b) = t0 + a·b and k
// slots are a birth-death process with death rates min(i,k) / (m·t(min(i,k))).
func TestBirthDeath(t *testing.T) {
	const k, m, t0, a, rate = 6, 200.0, 1.0, 0.3, 0.006
	var weight, count, total float64 = 1, 0, 1
	for i := 1; i < 10000; i++ {
		b := math.Min(float64(i), k)
		weight *= rate * m * (t0 + a*b) / b
		total += weight
		count += float64(i) * weight
	}
	s := setup{
		workload: poisson(rate, 8000, fixed(1), exponential(m)),
		cost:     &hardware.Synthetic{StepFixed: t0, PerDecodeRow: a, PerPrefillChunk: a},
		batching: continuous(k, math.MaxInt),
		warmup:   800,
	}
	s.replicate(t, sojourn).check(t, "E[T]", count/total/rate)
}

// TestBatchService: the queue of Inoue (Performance Evaluation 147, 2021), which
// takes all that wait when idle, with the batch time of a ResNet on a V100,
// 0.1438 ms·b + 1.8874 ms. The values are those of the exact chain.
func TestBatchService(t *testing.T) {
	const alpha, tau0 = 0.1438e-3, 1.8874e-3
	for rho, theory := range map[float64]float64{0.3: 4.225e-3, 0.5: 5.902e-3, 0.7: 9.818e-3, 0.8: 14.715e-3} {
		s := setup{
			workload: poisson(rho/alpha, 20000, fixed(1), fixed(1)),
			cost:     &hardware.Synthetic{StepFixed: tau0, PerPrefillChunk: alpha},
			batching: static(math.MaxInt),
			warmup:   3000,
		}
		s.replicate(t, sojourn).check(t, "E[T]", theory)
	}
}

// TestStaticBatchOfExponentials: a static batch of n memoryless outputs takes as
// long as the longest, H_n times the mean, while continuous batching keeps n
// slots busy: in saturation its throughput is H_n times as high. A geometric
// maximum of mean m exceeds the exponential one by about half a step.
func TestStaticBatchOfExponentials(t *testing.T) {
	const mean = 200
	for _, n := range []int{4, 8, 16} {
		workload := poisson(1, 400*n, fixed(1), exponential(mean))
		workload.Arrival = &workloads.ArrivalSpec{Process: "at_once"}
		s := setup{workload: workload, cost: &hardware.Synthetic{StepFixed: 1}}
		harmonic := 0.0
		for i := 1; i <= n; i++ {
			harmonic += 1 / float64(i)
		}
		for name, batching := range map[string]func() policies.Batching{"static": static(n),
			"decode-first": func() policies.Batching { return &policies.DecodeFirst{MaxNumSeqs: n} }} {
			s.batching = batching
			perBatch := s.replicate(t, func(rec *metrics.Record) float64 { return float64(rec.Ended) / 400 })
			perBatch.check(t, name+" batch", mean*harmonic+0.5)
		}
		s.batching = continuous(n, math.MaxInt)
		steps := s.replicate(t, func(rec *metrics.Record) float64 {
			half := rec.Requests[:len(rec.Requests)/2] // before slots run empty
			last := slices.MaxFunc(half, func(a, b metrics.Request) int { return int(a.First - b.First) })
			return float64(last.First) / float64(len(half))
		})
		steps.check(t, "continuous, per request", mean/float64(n))
	}
}

// TestClosedLoop: c clients keep c requests in flight, so that Little's law
// gives X = c / T; with k < c slots and a flat step every request waits for
// c - k others: TTFT = (c-k)/X until admission, and one step.
func TestClosedLoop(t *testing.T) {
	const c, k, output = 12, 8, 50
	workload := poisson(1, 4000, fixed(1), fixed(output))
	workload.Arrival = &workloads.ArrivalSpec{Process: "closed", Concurrency: c, Start: "at_once"}
	s := setup{workload: workload, cost: &hardware.Synthetic{StepFixed: 1}, batching: continuous(k, math.MaxInt), warmup: 1000}
	rec := s.run(t, 1, 0)
	v := metrics.Summarize(rec, metrics.Objective{}, []metrics.Deployment{{}})
	throughput := float64(k) / output
	if got := v["request_throughput"]; math.Abs(got/throughput-1) > tolerance {
		t.Errorf("throughput %v, want %v", got, throughput)
	}
	if got, want := sojourn(rec), c/throughput; math.Abs(got/want-1) > tolerance {
		t.Errorf("E[T] = %v, want c/X = %v", got, want)
	}
}
