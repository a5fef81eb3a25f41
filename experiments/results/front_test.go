package results

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"kneepoint/internal/effort"
	"kneepoint/sim/metrics"
)

// planOf is an answer whose options cost and take so much: pairs of $/h and p99 TTFT.
func planOf(pairs ...[2]float64) *Answer {
	a := &Answer{Least: "cost", SLO: SLO{TTFTms: 500}}
	for i, pair := range pairs {
		fleet := &PlannedFleet{Metrics: map[string]metrics.Estimate{
			metrics.PricePerHour: {Mean: pair[0], N: 5}, metrics.P99TTFT: {Mean: pair[1], N: 5}, metrics.P99TPOT: {Mean: 30, N: 5},
			metrics.MedianTPOT: {Mean: 1e3 / pair[1], N: 5}, metrics.OutputThroughput: {Mean: 100, N: 5}, metrics.Accelerators: {Mean: pair[0], N: 5},
		}}
		a.Options = append(a.Options, Option{Name: fmt.Sprint(i), Fleet: fleet})
	}
	return a
}

// Cheaper and faster is better, of what a user and an accelerator get more is; equal options do
// not dominate each other, and what has no value is on no front.
func TestFronts(t *testing.T) {
	a := planOf([2]float64{10, 300}, [2]float64{20, 200}, [2]float64{20, 250}, [2]float64{30, 200}, [2]float64{10, 300}, [2]float64{math.NaN(), 1})
	a.FindFronts()
	if len(a.Fronts) != 2 || a.Fronts[0].Name != "cost-vs-ttft" || a.Fronts[1].Name != "throughput-vs-interactivity" {
		t.Fatalf("fronts %+v", a.Fronts)
	}
	for i, want := range [][]string{{"", "", "1", "1", ""}, {"", "0", "0", "0", ""}} {
		f := a.Fronts[i]
		for k, point := range f.Points {
			if point.Dominated != want[k] || point.Option != fmt.Sprint(k) {
				t.Errorf("%s: %+v, want dominated by %q", f.Name, point, want[k])
			}
		}
		if len(f.Points) != len(want) {
			t.Errorf("%s: %d points", f.Name, len(f.Points))
		}
	}
}

// There is a front for each latency with a bound, of TTFT where only classes have some, and of
// accelerators where these are to be least; none of one option.
func TestWhichFronts(t *testing.T) {
	for name, c := range map[string]struct {
		slo   SLO
		least string
		want  string
	}{
		"both":         {SLO{TTFTms: 1, TPOTms: 1}, "cost", "[cost-vs-ttft usd_per_hour cost-vs-tpot usd_per_hour throughput-vs-interactivity interactivity]"},
		"classes":      {SLO{}, "cost", "[cost-vs-ttft usd_per_hour throughput-vs-interactivity interactivity]"},
		"accelerators": {SLO{TPOTms: 1}, "accelerators", "[cost-vs-tpot accelerators throughput-vs-interactivity interactivity]"},
		"unmeasured":   {SLO{E2ELms: 1}, "cost", "[throughput-vs-interactivity interactivity]"},
	} {
		t.Run(name, func(t *testing.T) {
			a := planOf([2]float64{10, 300}, [2]float64{20, 200})
			a.SLO, a.Least = c.slo, c.least
			a.FindFronts()
			var got []string
			for _, f := range a.Fronts {
				got = append(got, f.Name, f.X.Metric)
			}
			if fmt.Sprint(got) != c.want {
				t.Errorf("%v, want %s", got, c.want)
			}
		})
	}
	if a := planOf([2]float64{10, 300}); true {
		if a.FindFronts(); a.Fronts != nil {
			t.Errorf("fronts of one option: %+v", a.Fronts)
		}
	}
}

// Of random options every one is on the front, or behind one that is at least as good; on the
// front a lower price has a longer latency.
func TestFrontsOfRandomOptions(t *testing.T) {
	for seed := range effort.Times(t, 100) {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		pairs := make([][2]float64, 2+r.IntN(40))
		for i := range pairs {
			pairs[i] = [2]float64{float64(1 + r.IntN(20)), float64(1 + r.IntN(20))} // with ties
		}
		a := planOf(pairs...)
		a.FindFronts()
		points := a.Fronts[0].Points
		for i, p := range points {
			for k, q := range points {
				better := q.X <= p.X && q.Y <= p.Y && (q.X < p.X || q.Y < p.Y)
				if better && p.Dominated == "" {
					t.Errorf("seed %d: %+v is on the front, and %+v is better", seed, points[i], points[k])
				}
				if p.Dominated == q.Option && !better {
					t.Errorf("seed %d: %+v is not better than %+v", seed, q, p)
				}
			}
		}
	}
}
