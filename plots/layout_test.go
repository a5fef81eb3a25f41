package plots

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/internal/effort"
	"kneepoint/internal/svgtext"
	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
)

// legible reports texts that lie on each other or leave the page.
func legible(t *testing.T, s *chart.Style, f Figure) {
	t.Helper()
	svg, err := f.Sheet(s).File("svg")
	if err != nil {
		t.Fatal(err)
	}
	faults, err := svgtext.Faults(string(svg))
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		t.Errorf("%s, %s: %s", f.Name, s.Size.Name, fault)
	}
}

// TestLabelsAreLegible draws the figures of random experiments in every size: no text
// lies on another or leaves the page.
func TestLabelsAreLegible(t *testing.T) {
	for seed := range effort.Times(t, 80) {
		random := rand.New(rand.NewPCG(uint64(seed), 1))
		res := anyResults(random)
		for _, f := range Figures(res) {
			s := chart.NewStyle(chart.Sizes[seed%len(chart.Sizes)], chart.Themes[0], nil)
			legible(t, s, f)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// anyResults are of 1 to 12 strategies with names of up to 60 letters, over up to six
// decades of loads.
func anyResults(random *rand.Rand) *results.Results {
	var servers []server
	for range 1 + random.IntN(12) {
		scale := math.Pow(10, 4*random.Float64()-2)
		servers = append(servers, server{anyName(random), 5 * scale, 10 + 500*random.Float64(), 1 + 100*random.Float64()})
	}
	var values []any
	decades := 6 * random.Float64()
	for i, n := 0, 1+random.IntN(16); i < n; i++ {
		values = append(values, units3(math.Pow(10, decades*float64(i)/float64(n)-2)))
	}
	slo := chatSLO
	if random.IntN(4) == 0 {
		slo = results.SLO{}
	}
	return explained(madeUp(values, slo, servers...), metrics.Parts{metrics.Queue: 3, metrics.Prefill: 1, metrics.Decode: 2})
}

// units3 rounds to three digits, as users write values.
func units3(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	return v
}

func anyName(random *rand.Rand) string {
	words := []string{"static", "continuous", "chunked-prefill", "int4", "max_num_seqs", "speculative", "8", "kv offload", "Sarathi", "a"}
	name := words[random.IntN(len(words))]
	for random.IntN(3) > 0 && len(name) < 45 {
		name += []string{" ", "-", ", ", "_"}[random.IntN(4)] + words[random.IntN(len(words))]
	}
	return name + strconv.Itoa(random.IntN(1000))
}
