package store_test

import (
	"reflect"
	"strings"
	"testing"

	"gocloud.dev/blob/memblob"
	"pgregory.net/rapid"

	"kneepoint/experiments/results"
	"kneepoint/experiments/store"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// inMemory is an empty store of a build.
func inMemory(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.New(t.Context(), memblob.OpenBucket(nil), "memory", "build")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// number draws any number that a metric may have: also -0, those without a normal form, and
// those with 17 digits.
func number(t *rapid.T, label string) float64 {
	return rapid.OneOf(rapid.Float64(), rapid.Float64Range(0, 1), rapid.Just(1/3.0), rapid.Just(5e-324)).Draw(t, label)
}

func values(t *rapid.T, label string) metrics.Values {
	v := metrics.Values{}
	for _, key := range rapid.SliceOf(rapid.SampledFrom(metrics.Keys())).Draw(t, label) {
		if d, _ := metrics.Lookup(key); d.Kind == metrics.YesNo {
			v.SetBool(key, rapid.Bool().Draw(t, key))
		} else {
			v.Set(key, number(t, key))
		}
	}
	return v
}

// split draws the parts of a latency, of up to some thousand years.
func split(t *rapid.T, label string) metrics.Split {
	s := metrics.Split{}
	for _, statistic := range rapid.SliceOf(rapid.SampledFrom(metrics.SplitStatistics())).Draw(t, label) {
		var parts metrics.Parts
		for i := range parts {
			parts[i] = units.Seconds(rapid.OneOf(rapid.Float64Range(-1e11, 1e11), rapid.Just(0.0)).Draw(t, "part"))
		}
		s[statistic] = parts
	}
	return s
}

func outcome(t *rapid.T) results.Outcome {
	o := results.Outcome{Metrics: values(t, "metrics"), QueueFull: rapid.Int64().Draw(t, "queue full"), Spared: rapid.Int().Draw(t, "spared"),
		Why: &metrics.Why{Bottleneck: metrics.ByKV, TTFT: split(t, "ttft"), E2EL: split(t, "e2el")}}
	if rapid.Bool().Draw(t, "steady") {
		o.Steady, o.SteadyState = values(t, "steady"), &metrics.SteadyState{First: rapid.Int().Draw(t, "first"), Settled: true}
		o.Steady[metrics.CompletedRequests] = 1
	}
	for range rapid.IntRange(0, 21).Draw(t, "scales") {
		o.ByScale = append(o.ByScale, number(t, "share"))
	}
	for range rapid.IntRange(0, 3).Draw(t, "classes") {
		o.Clients = append(o.Clients, results.ClientRun{Name: rapid.String().Draw(t, "name"), Metrics: values(t, "class")})
		o.Pools = append(o.Pools, results.PoolRun{Name: rapid.String().Draw(t, "name"), Metrics: values(t, "pool")})
	}
	if rapid.Bool().Draw(t, "replay") {
		o.Replay = &results.Replay{Block: 7, Half: map[string]float64{metrics.MeanTTFT: number(t, "half")}}
	}
	return o
}

// TestOutcomesComeBack: what is kept comes back bit for bit, under its key alone.
func TestOutcomesComeBack(t *testing.T) {
	s := inMemory(t)
	rapid.Check(t, func(t *rapid.T) {
		o, key := outcome(t), rapid.StringN(1, 70, -1).Draw(t, "key")
		if err := s.Put(key, o); err != nil {
			t.Fatal(err)
		}
		var back, none results.Outcome
		if known, err := s.Get(key, &back); err != nil || !known || !reflect.DeepEqual(back, o) {
			t.Fatalf("%t, %v\nkept %+v\nback %+v", known, err, o, back)
		}
		if known, _ := s.Get(key+"x", &none); known && !strings.HasSuffix(key, "x") {
			t.Fatal("there is something under another key")
		}
	})
}

// TestBuildsAreApart: a program never sees what another one has found.
func TestBuildsAreApart(t *testing.T) {
	bucket := memblob.OpenBucket(nil)
	for i, build := range []string{"one", "two", "one"} {
		s, err := store.New(t.Context(), bucket, "memory", build)
		if err != nil {
			t.Fatal(err)
		}
		var text string
		if known, _ := s.Get("key", &text); known != (i == 2) || known && text != "one" {
			t.Errorf("build %s sees %q", build, text)
		}
		put(t, s, "key", build)
	}
}

// TestBuild: a program knows itself, and is no other one.
func TestBuild(t *testing.T) {
	build, err := store.Build()
	if again, _ := store.Build(); err != nil || len(build) != 64 || again != build {
		t.Errorf("%q, then %q: %v", build, again, err)
	}
}

// BenchmarkGet is what an outcome that is kept costs, of the size that most have.
func BenchmarkGet(b *testing.B) {
	s, err := store.Open(b.Context(), b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	o := results.Outcome{Metrics: metrics.Values{}, ByScale: make([]float64, len(metrics.Scales)),
		Why: &metrics.Why{TTFT: metrics.Split{}, E2EL: metrics.Split{}}}
	for i, key := range metrics.Keys() {
		if d, _ := metrics.Lookup(key); d.Kind != metrics.YesNo {
			o.Metrics.Set(key, 1/float64(i+3))
		}
	}
	for i, statistic := range metrics.SplitStatistics() {
		var parts metrics.Parts
		for part := range parts {
			parts[part] = units.Seconds(1 / float64(i+part+3))
		}
		o.Why.TTFT[statistic], o.Why.E2EL[statistic] = parts, parts
	}
	if err := s.Put("key", o); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		var back results.Outcome
		if known, err := s.Get("key", &back); err != nil || !known {
			b.Fatal(err)
		}
	}
}
