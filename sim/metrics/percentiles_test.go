package metrics

import (
	"math"
	"slices"
	"testing"

	"kneepoint/units"
)

// TestPercentiles: every latency has the tails, and those with a spread the others too where
// three values lie beyond them, as few as there are of the smallest and the largest.
func TestPercentiles(t *testing.T) {
	for _, c := range []struct {
		latency string
		n       int
		want    []float64
	}{
		{"normalized_latency", 100_000, Percentiles},
		{"ttft", 1, Percentiles},
		{"ttft", 11, Percentiles},
		{"itl", 12, []float64{90, 95, 99, 25, 75}},
		{"tpot", 30, []float64{90, 95, 99, 10, 25, 75}},
		{"e2el", 59, []float64{90, 95, 99, 10, 25, 75}},
		{"e2el", 60, []float64{90, 95, 99, 5, 10, 25, 75}},
		{"ttft", 300, []float64{90, 95, 99, 1, 5, 10, 25, 75}},
		{"ttft", 2999, []float64{90, 95, 99, 1, 5, 10, 25, 75}},
		{"ttft", 3000, []float64{90, 95, 99, 1, 5, 10, 25, 75, 99.9}},
	} {
		if got := percentilesOf(c.latency, c.n); !slices.Equal(got, c.want) {
			t.Errorf("%d values of %s have the percentiles %v, want %v", c.n, c.latency, got, c.want)
		}
	}
}

// TestPercentilesAreQuantiles: of a record of requests and of a stream, each at its own
// share of the values, in ascending order.
func TestPercentilesAreQuantiles(t *testing.T) {
	const n = 4000
	exact, stream := &Record{Share: 0.97}, &Record{Share: 0.97, Stream: NewStream(Objective{})}
	for id := range n {
		r := Request{First: units.Seconds(1 + (id*7)%n), Generated: 1, State: Completed}
		r.Last = 2 * r.First
		for _, rec := range []*Record{exact, stream} {
			rec.Open(id, r)
			rec.Close(id)
		}
	}
	for name, rec := range map[string]*Record{"record": exact, "stream": stream} {
		v := SummarizeWindow(rec, Objective{})
		if len(v) > 0 && v[P90TTFT] != 0 {
			t.Errorf("%s: the window is empty and has percentiles", name)
		}
		v = Summarize(rec, Objective{}, nil)
		for _, p := range Distribution {
			want := (1 + p/100*(n-1)) * 1e3
			if got := v.Get(PercentileKey("ttft", p)); math.Abs(got/want-1) > 1.5/n+HistogramResolution {
				t.Errorf("%s: %s is %v, want %v", name, PercentileKey("ttft", p), got, want)
			}
		}
		ttft := (1 + 0.97*(n-1)) * 1e3
		for key, want := range map[string]float64{TTFTAtAttainment: ttft, E2ELAtAttainment: 2 * ttft} {
			if math.Abs(v.Get(key)/want-1) > 1.5/n+HistogramResolution {
				t.Errorf("%s: %s is %v, want %v", name, key, v.Get(key), want)
			}
		}
		if _, has := v[TPOTAtAttainment]; has {
			t.Errorf("%s: single tokens have a TPOT", name)
		}
	}
}

// TestShareKey: an attainment has the percentile of every run, however it is rounded, or
// the one that is recorded for it.
func TestShareKey(t *testing.T) {
	for share, want := range map[float64]string{
		0.9: P90TTFT, 0.99: P99TTFT, 0.999: P999TTFT, 0.5: MedianTTFT, 0.1 + 0.2 + 0.45: P75TTFT, 0.01: P1TTFT,
		0.8: TTFTAtAttainment, 0.97: TTFTAtAttainment, 0.9999: TTFTAtAttainment, 1: TTFTAtAttainment,
	} {
		if got := ShareKey("ttft", share); got != want {
			t.Errorf("a share of %v is shown by %s, want %s", share, got, want)
		}
		if _, known := Lookup(ShareKey("e2el", share)); !known {
			t.Errorf("%s is no metric", ShareKey("e2el", share))
		}
		if Listed(share) != (want != TTFTAtAttainment) {
			t.Errorf("a share of %v is listed: %t", share, Listed(share))
		}
	}
}
