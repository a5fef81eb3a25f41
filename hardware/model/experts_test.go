package model

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
)

func TestDistinctExperts(t *testing.T) {
	for _, c := range []struct {
		count, active int
		tokens, want  float64
	}{
		{8, 2, 0, 0},
		{8, 2, 1, 2},
		{2, 1, 2, 1.5}, // both tokens pick the same one half of the time
		{8, 8, 3, 8},   // every token visits all
		{128, 8, 16, 128 * (1 - math.Pow(120.0/128, 16))},
		{256, 8, 1e6, 256},
	} {
		e := Experts{Count: c.count, Active: c.active}
		if got := e.Distinct(c.tokens); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v tokens to %d of %d: %v experts, want %v", c.tokens, c.active, c.count, got, c.want)
		}
	}
}

// Experts that are sent to more often than others: one token still visits Active of them, and two of
// Count = 2 and Active = 1, of probabilities x and 1-x, x uniform between 0 and 1, 1 + 2 E[x(1-x)] = 4/3.
func TestDistinctExpertsWithSkew(t *testing.T) {
	uniform := math.Sqrt(1.0 / 3) // the coefficient of variation of a number between 0 and 1
	for _, c := range []struct {
		count, active int
		skew          float64
		tokens, want  float64
	}{
		{128, 8, 1.15, 1, 8},
		{2, 1, uniform, 2, 4.0 / 3},
		{32, 4, 1, 1e6, 32},
		{128, 8, 1e-4, 16, 128 * (1 - math.Pow(120.0/128, 16))},
	} {
		e := Experts{Count: c.count, Active: c.active, Skew: c.skew}
		if got := e.Distinct(c.tokens); math.Abs(got-c.want) > 1e-3*c.want {
			t.Errorf("%v tokens to %d of %d, skew %v: %v experts, want %v", c.tokens, c.active, c.count, c.skew, got, c.want)
		}
	}
	if e := (Experts{Count: 8, Active: 2}); math.Abs(e.MaxSkew()-math.Sqrt(3)) > 1e-12 {
		t.Errorf("two experts of eight that take all: %v", e.MaxSkew())
	}
}

// The less the loads differ, the nearer they are to loads all alike, from below: experts that
// are sent to more often than others are met again more often. To first order in Skew² it is by Count*(1-p)^tokens * tokens(tokens-1)/2 * (p*Skew/(1-p))².
func TestDistinctExpertsWithLittleSkew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		even := Experts{Count: rapid.IntRange(2, 512).Draw(t, "count")}
		even.Active = rapid.IntRange(1, even.Count-1).Draw(t, "active")
		tokens := float64(rapid.IntRange(1, 100_000).Draw(t, "tokens"))
		skewed := even
		skewed.Skew = min(math.Pow(10, rapid.Float64Range(-18, -2).Draw(t, "magnitude")), even.MaxSkew()/100)
		got, most := skewed.Distinct(tokens), even.Distinct(tokens)
		p := float64(even.Active) / float64(even.Count)
		spread := p * skewed.Skew / (1 - p)
		met := float64(even.Count) * math.Exp(tokens*math.Log1p(-p)) * tokens * (tokens - 1) / 2 * spread * spread
		if math.Abs(most-met-got) > 1e-8*most+0.05*met {
			t.Fatalf("%v tokens to %d of %d, skew %v: %v experts, want %v less than %v", tokens, even.Active, even.Count, skewed.Skew, got, met, most)
		}
	})
}

// Against draws of the routing itself.
func TestDistinctExpertsAgainstDraws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(2, 6).Draw(t, "count")
		tokens := rapid.IntRange(1, 5).Draw(t, "tokens")
		// With one active expert all routings are equally likely: count them out.
		routings := int(math.Pow(float64(count), float64(tokens)))
		var sum int
		for r := range routings {
			seen := map[int]bool{}
			for range tokens {
				seen[r%count] = true
				r /= count
			}
			sum += len(seen)
		}
		e := Experts{Count: count, Active: 1}
		if got, want := e.Distinct(float64(tokens)), float64(sum)/float64(routings); math.Abs(got-want) > 1e-9 {
			t.Fatalf("%v distinct experts, counted out %v", got, want)
		}
	})
}

func TestWindowPairsAreASum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.IntRange(0, 300).Draw(t, "from")
		to := from + rapid.IntRange(0, 300).Draw(t, "tokens")
		window := rapid.IntRange(1, 400).Draw(t, "window")
		var want float64
		for i := from; i < to; i++ {
			want += float64(min(i+1, window))
		}
		if got := WindowPairs(from, to, window); got != want {
			t.Fatalf("%v pairs, want %v", got, want)
		}
	})
}

func TestLatentAttention(t *testing.T) {
	a := lookup(t, "deepseek-v3")
	// DeepSeek-V3's technical report: 671B parameters of which 37B are active; a
	// latent vector of 512 and 64 rotary elements per token and layer.
	if got := a.Parameters(); math.Abs(got/671e9-1) > 1e-3 {
		t.Errorf("%v parameters", got)
	}
	if got := a.ActiveParameters(); math.Abs(got/37e9-1) > 0.02 {
		t.Errorf("%v active parameters", got)
	}
	if got := float64(a.KVBytesPerToken(hardware.BF16)); got != 61*(512+64)*2 {
		t.Errorf("%v bytes per token", got)
	}
	if got, want := float64(a.PairFLOPs()), 2.0*128*(128+64+128); got != want {
		t.Errorf("%v FLOPs per pair and layer, want %v", got, want)
	}
}

func TestSharedAndRoutedExpertsAreCountedOnce(t *testing.T) {
	a := Architecture{Layers: 3, Hidden: 4, Heads: 1, KVHeads: 1, HeadDim: 4, FFN: 10, Gated: true, Vocab: 2,
		Experts: &Experts{Count: 5, Active: 2, FFN: 6, SharedFFN: 7, DenseLayers: 1}}
	attention := 4*(1+2)*4 + 4*4.0
	dense, routed, shared, router := 3*4*10.0, 3*4*6.0, 3*4*7.0, 4*5.0
	if got, want := a.MatrixWeights(), 3*attention+dense+2*(5*routed+shared+router); got != want {
		t.Errorf("%v weights, want %v", got, want)
	}
	if got, want := a.ActiveWeights(), 3*attention+dense+2*(2*routed+shared+router); got != want {
		t.Errorf("%v active weights, want %v", got, want)
	}
}
