package routing

import (
	"fmt"
	"testing"
)

// TestThresholds has the rules where they turn: what is as large as a threshold does not
// pass it, but for Ray's share of a match.
func TestThresholds(t *testing.T) {
	even := Parameters{Index: PreciseIndex, IndexBlockSize: 16, CacheThreshold: 0.25, BalanceAbsThreshold: 4, BalanceRelThreshold: 1.5}
	for _, test := range []struct {
		name     string
		entry    Entry
		p        Parameters
		prompt   int
		cached   []int
		requests []int
		want     int
	}{
		{"a long prefix", prefixAware, even, 64, []int{0, 17, 0}, []int{3, 5, 2}, 1},
		{"a quarter is no long one", prefixAware, even, 64, []int{0, 16, 0}, []int{3, 5, 2}, 2},
		{"a difference of 4 is even", prefixAware, even, 64, []int{0, 32, 0}, []int{3, 5, 1}, 1},
		{"a difference of 5 is not", prefixAware, even, 64, []int{0, 32, 0}, []int{3, 6, 1}, 2},
		{"a ratio of 1.5 is even", prefixAware, even, 64, []int{0, 32, 0}, []int{20, 30, 20}, 1},
		{"a ratio above is not", prefixAware, even, 64, []int{0, 32, 32}, []int{20, 31, 21}, 0},
		{"the longer one", prefixAware, even, 64, []int{32, 48, 32}, []int{0, 2, 0}, 1},
		{"of equal ones the one with fewer requests", prefixAware, even, 64, []int{48, 48, 32}, []int{3, 2, 0}, 1},
		{"blocks in use against a prefix", dynamo, dynamo.Defaults, 640, []int{0, 320, 0}, []int{0, 0, 0}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := loads(test.requests...)
			for i := range f {
				f[i].cached = test.cached[i]
			}
			for seed := range uint64(20) {
				if got := test.entry.New(test.p, seeded(seed)).Route(&Request{Prompt: test.prompt}, f); got != test.want {
					t.Fatalf("chose %d, want %d", got, test.want)
				}
			}
		})
	}
}

// TestSGLangThreshold: a match of just the threshold is none.
func TestSGLangThreshold(t *testing.T) {
	for _, test := range []struct{ prompt, want int }{{8, 0}, {7, 1}} {
		t.Run(fmt.Sprint(test.prompt), func(t *testing.T) {
			p, names, f := sglang.Defaults, library{}, loads(1, 0)
			p.IndexBlockSize, p.CacheThreshold = 2, 0.25
			s := sglang.New(p, nil)
			s.Route(names.prompt("aa", 2), f) // to the second replica, which has fewer
			f[0].Running, f[1].Running = 0, 1
			if got := s.Route(names.prompt("aabbccdd"[:test.prompt], test.prompt), f); got != test.want {
				t.Errorf("chose %d, want %d", got, test.want)
			}
		})
	}
}

// TestAIBrixPercents: matches of as many whole percents are the same.
func TestAIBrixPercents(t *testing.T) {
	f := loads(5, 3, 4)
	index := &known{tokens: []int{16 * 200, 16 * 199, 16 * 197}}
	a := &AIBrix{Random: seeded(1), Index: index, BlockSize: 16, BalanceAbsThreshold: 16, StandardDeviationFactor: 2}
	if got := a.Route(&Request{Prompt: 16 * 300}, f); got != 1 {
		t.Errorf("chose %d of 66 %%, 66 %% and 65 %%, want the second one, which has fewer requests", got)
	}
}

// TestLLMDPrecise: engines' events say more of a prompt than an approximate index looks at.
func TestLLMDPrecise(t *testing.T) {
	f, p := alike(2), llmd.Defaults
	f[0].cached, f[1].cached = 4096, 4112
	p.Index = PreciseIndex
	for seed := range uint64(20) {
		if got := llmd.New(p, seeded(seed)).Route(&Request{Prompt: 10000}, f); got != 1 {
			t.Fatalf("chose %d, want the one with the longer prefix", got)
		}
	}
}

// TestLLMDLoadAware: a queue of half the threshold costs a quarter of the weight, which is less than the prefix's.
func TestLLMDLoadAware(t *testing.T) {
	f := alike(2)
	f[0].Waiting = loadAwareThreshold / 2
	for weight, want := range map[float64]int{0.3: 0, 0.2: 1} {
		l := &LLMD{Random: seeded(1), Index: &known{tokens: []int{1600, 0}}, BlockSize: 16, PrefixWeight: weight, LoadAwareWeight: 1}
		if got := l.Route(&Request{Prompt: 1600}, f); got != want {
			t.Errorf("a prefix that weighs %v: chose %d, want %d", weight, got, want)
		}
	}
}
