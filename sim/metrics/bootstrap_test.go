package metrics

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"kneepoint/internal/effort"
	"kneepoint/units"
)

// autoregressive is n values of x' = a·x + noise, in its steady state.
func autoregressive(a float64, n int, seed uint64) []float64 {
	random := rand.New(rand.NewPCG(seed, 3))
	series := make([]float64, n)
	x := random.NormFloat64() / math.Sqrt(1-a*a)
	for i := range series {
		x = a*x + random.NormFloat64()
		series[i] = x
	}
	return series
}

// generator makes the same random numbers again and again.
func generator(seed, stream uint64) func() *rand.Rand {
	return func() *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }
}

// TestBlockLength: for an AR(1) process the rule has a closed form, with R(k) = a^|k|:
// G/g(0) = 2a/(1-a²), so b = (6 a²/(1-a²)²·n)^⅓; independent values need no blocks.
func TestBlockLength(t *testing.T) {
	const n, series = 4000, 30
	for _, a := range []float64{0, 0.3, 0.6, 0.9} {
		want := math.Max(1, math.Cbrt(6*a*a/((1-a*a)*(1-a*a))*n))
		mean := 0.0
		for seed := range uint64(series) {
			mean += float64(BlockLength(autoregressive(a, n, seed))) / series
		}
		if mean < 0.8*want || mean > 1.25*want+2 {
			t.Errorf("AR(1) with %v: blocks of %.1f, want %.1f", a, mean, want)
		}
	}
	for name, values := range map[string][]float64{"nothing": nil, "few": {1, 2, 3}, "equal": make([]float64, 100)} {
		t.Run(name, func(t *testing.T) {
			if b := BlockLength(values); b != 1 {
				t.Errorf("blocks of %d", b)
			}
		})
	}
}

// queueRecord is the record of an M/M/1 queue with a service of 1 s at a load rho, whose TTFT
// is the time in the system.
func queueRecord(rho float64, n int, seed uint64) *Record {
	random := rand.New(rand.NewPCG(seed, 4))
	rec := &Record{}
	at, end := 0.0, 0.0
	for range n {
		at += random.ExpFloat64() / rho
		end = math.Max(at, end) + random.ExpFloat64()
		rec.Requests = append(rec.Requests, Request{State: Completed, Arrival: units.Seconds(at), First: units.Seconds(end), Last: units.Seconds(end), Generated: 1, Output: 1})
	}
	return rec
}

// TestBootstrapCovers: the interval of one run holds what is true of the queue in about 95
// of 100 runs: mean, median and 90th percentile of the time in the system, which is
// exponential with mean 1/(1-ρ), the share below a bound, and the rates.
func TestBootstrapCovers(t *testing.T) {
	const rho, n, bound = 0.5, 4000, 5.0
	slo := Objective{TTFT: bound}
	truth := map[string]float64{"mean_ttft_ms": 2000, "median_ttft_ms": 2000 * math.Ln2, "p90_ttft_ms": 2000 * math.Log(10),
		"slo_attainment": 1 - math.Exp(-bound/2), "request_throughput": rho, "offered_rate": rho, "request_goodput": rho * (1 - math.Exp(-bound/2))}
	runs := effort.Times(t, 40)
	covered := map[string]int{}
	for seed := range uint64(runs) {
		rec := queueRecord(rho, n, seed)
		b, ok := Bootstrap(rec, slo, generator(seed, 5))
		if !ok {
			t.Fatal("no interval")
		}
		v := Summarize(rec, slo, []Deployment{})
		for key, want := range truth {
			if math.Abs(v[key]-want) <= b.Half[key] {
				covered[key]++
			}
		}
	}
	slack := 3 * math.Sqrt(0.05/float64(runs))
	for key := range truth {
		t.Run(key, func(t *testing.T) {
			share := float64(covered[key]) / float64(runs)
			t.Logf("covers in %.3f of the runs", share)
			if share < 0.90-slack {
				t.Errorf("covers in %.3f of %d runs", share, runs)
			}
		})
	}
}

// TestBootstrapOfARun: it depends on its random numbers alone, has no interval where there
// is nothing to resample, and none for what no request has.
func TestBootstrapOfARun(t *testing.T) {
	rec := queueRecord(0.5, 1000, 1)
	draw := func() Bootstrapped {
		b, ok := Bootstrap(rec, Objective{}, generator(1, 1))
		if !ok {
			t.Fatal("no interval")
		}
		return b
	}
	a, b := draw(), draw()
	for key, half := range a.Half {
		if b.Half[key] != half {
			t.Errorf("%s: %v and %v", key, half, b.Half[key])
		}
	}
	for _, key := range []string{"p99_itl_ms", "mbu", "slo_attainment", "p99_tpot_ms"} {
		if half, has := a.Half[key]; has {
			t.Errorf("%s has the interval ± %v", key, half)
		}
	}
	for name, rec := range map[string]*Record{"nothing": {}, "three": queueRecord(0.5, 3, 1), "a stream": {Stream: NewStream(Objective{})}} {
		t.Run(name, func(t *testing.T) {
			if b, ok := Bootstrap(rec, Objective{}, generator(1, 1)); ok {
				t.Errorf("%+v", b)
			}
		})
	}
}

// TestAutocovariances: by hand, of deviations -4, -1, 2 and 3 from a mean of 5.
func TestAutocovariances(t *testing.T) {
	covariance := newCovariances([]float64{1, 4, 7, 8})
	for k, want := range []float64{(16 + 1 + 4 + 9) / 4.0, (4 - 2 + 6) / 4.0, (-8 - 3) / 4.0, -12 / 4.0} {
		if got := covariance.at(k); math.Abs(got-want) > 1e-12 {
			t.Errorf("at lag %d %v, want %v", k, got, want)
		}
	}
}

// TestSortedByValueAndRequest: latencies stand in ascending order with the request of each, equal ones in that of the
// arrivals.
func TestSortedByValueAndRequest(t *testing.T) {
	b := &bootstrap{requests: []Request{{State: Completed, First: 3}, {First: 9}, {State: Completed, First: 1}, {State: Completed, First: 3}, {State: Completed, First: 2}}}
	ranked := b.rank(nil, func(q *Request) (units.Seconds, bool) { return q.TTFT(), true })
	if !slices.Equal(ranked, []valueOf{{1, 2}, {2, 4}, {3, 0}, {3, 3}}) {
		t.Errorf("%v", ranked)
	}
}

// TestQuantilesOfDraws: quantiles of values that were drawn several times, or never, are those
// of a list with each as often.
func TestQuantilesOfDraws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		often := rapid.SliceOfN(rapid.Uint8Range(0, 3), 1, 20).Draw(t, "times")
		often = slices.Repeat(often, rapid.IntRange(1, 20).Draw(t, "over and over"))
		d := rapid.IntRange(0, together-1).Draw(t, "draw")
		b, ranked := &bootstrap{times: make([]times, len(often))}, []valueOf{}
		var drawn []float64
		for i, n := range often {
			x := float64(i / 2) // some are equal
			ranked = append(ranked, valueOf{x, int32(i)})
			b.times[i][d] = n
			drawn = append(drawn, slices.Repeat([]float64{x}, int(n))...)
		}
		all := noValues()
		b.setLatency(&all, "ttft", ranked)
		if len(drawn) == 0 {
			drawn = []float64{math.NaN()}
		}
		mean, std := stat.PopMeanStdDev(drawn, nil)
		for key, want := range map[string]float64{"mean_ttft_ms": mean, "std_ttft_ms": std} {
			if got := all[d].Get(key) / 1e3; math.Abs(got-want) > 1e-6 || math.IsNaN(got) != math.IsNaN(want) {
				t.Errorf("%s of %v is %v, want %v", key, drawn, got, want)
			}
		}
		for _, p := range append([]float64{50}, Percentiles...) {
			if got, want := all[d].Get(PercentileKey("ttft", p))/1e3, Quantile(drawn, p/100); !near(got, want) {
				t.Errorf("p%v of %v is %v, want %v", p, drawn, got, want)
			}
		}
		for other, v := range all {
			if other != d && len(v) > 0 {
				t.Errorf("draw %d of nothing has %v", other, v)
			}
		}
	})
}

// TestDrawsAreBlocks: a draw has as many requests as there are, in blocks that follow each other round and round.
func TestDrawsAreBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 100).Draw(t, "requests")
		b := &bootstrap{times: make([]times, n), block: rapid.IntRange(1, n).Draw(t, "block")}
		seed := rapid.Uint64().Draw(t, "seed")
		b.draw(generator(seed, 1)()) // what was drawn before is forgotten
		b.draw(generator(seed, 0)())
		random := generator(seed, 0)()
		for d := range together {
			want := make([]int, n)
			for drawn := 0; drawn < n; {
				from := random.IntN(n)
				for i := 0; i < b.block && drawn < n; i++ {
					want[(from+i)%n]++
					drawn++
				}
			}
			for i := range want {
				if int(b.times[i][d]) != want[i] {
					t.Fatalf("request %d was drawn %d times in draw %d, not %d", i, b.times[i][d], d, want[i])
				}
			}
		}
	})
}

// TestBootstrapIsSmall: beside its record a request takes a word for how often it was drawn, a place in the order of one latency,
// and a number of the series that blocks are found by.
func TestBootstrapIsSmall(t *testing.T) {
	const few, many, most = 10_000, 50_000, 36
	allocated := func(n int) uint64 {
		rec := queueRecord(0.3, n, 1)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, ok := Bootstrap(rec, Objective{TTFT: 1}, generator(1, 1)); !ok {
			t.Fatal("no interval")
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if bytes := int(allocated(many)-allocated(few)) / (many - few); bytes > most {
		t.Errorf("%d bytes a request, more than %d", bytes, most)
	}
}
