package metrics

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestWarmUpIsTheMinimum compares with the definition, computed term by term.
func TestWarmUpIsTheMinimum(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		series := make([]float64, 10+random.IntN(300))
		start, decay := 8*random.Float64(), 1+40*random.Float64()
		for i := range series {
			series[i] = start*math.Exp(-float64(i)/decay) + random.NormFloat64()
		}
		want, least := 0, math.Inf(1)
		m := len(series) / 5
		for d := 0; d <= m/2; d++ {
			if x := squaredError(series[5*d:5*m], m-d); x < least-1e-12 {
				want, least = 5*d, x
			}
		}
		got, settled := WarmUp(series)
		if got != want || settled != (got < 5*(m/2)) {
			t.Fatalf("%d observations: warm-up of %d (settled %v), want %d", len(series), got, settled, want)
		}
	}
}

// squaredError is the marginal standard error, squared, of n batch means of 5.
func squaredError(series []float64, n int) float64 {
	var means []float64
	for ; len(series) > 0; series = series[5:] {
		means = append(means, (series[0]+series[1]+series[2]+series[3]+series[4])/5)
	}
	mean, squares := 0.0, 0.0
	for _, z := range means {
		mean += z / float64(n)
	}
	for _, z := range means {
		squares += (z - mean) * (z - mean)
	}
	return squares / float64(n*n)
}

func TestWarmUp(t *testing.T) {
	ramp := make([]float64, 1000) // up to 1 at 200, then around 1
	for i := range ramp {
		ramp[i] = min(1, float64(i)/200) + 0.01*float64(i%2)
	}
	if got, settled := WarmUp(ramp); got < 150 || got > 200 || !settled {
		t.Errorf("a warm-up of 200: found %d, settled %v", got, settled)
	}
	growing := make([]float64, 1000)
	for i := range growing {
		growing[i] = float64(i)
	}
	if got, settled := WarmUp(growing); got != 500 || settled {
		t.Errorf("a series that never settles: found %d, settled %v; want 500, false", got, settled)
	}
	if got, settled := WarmUp(make([]float64, 100)); got != 0 || !settled {
		t.Errorf("a constant: found %d, settled %v; want 0, true", got, settled)
	}
	if got, settled := WarmUp([]float64{1, 2, 3}); got != 0 || settled {
		t.Errorf("too few: found %d, settled %v; want 0, false", got, settled)
	}
}
