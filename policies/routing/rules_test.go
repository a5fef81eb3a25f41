package routing

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// known is an index that a test fills.
type known struct {
	tokens []int
	sent   int
}

func (k *known) Match(*Request, Replicas) []int { return k.tokens }
func (k *known) Sent(i int)                     { k.sent = i }
func (k *known) Forget(int)                     {}

// situation is what a router sees.
type situation struct {
	f      fleet
	tokens []int // cached of the prompt
	prompt int
}

func drawSituation(t *rapid.T) situation {
	n := rapid.IntRange(1, 5).Draw(t, "replicas")
	s := situation{f: alike(n), tokens: make([]int, n), prompt: rapid.IntRange(16, 400).Draw(t, "prompt")}
	most := rapid.SampledFrom([]int{1, 3, 20, 200}).Draw(t, "most")
	for i := range s.f {
		s.f[i].View = View{
			Waiting: rapid.IntRange(0, most).Draw(t, "waiting"), Running: rapid.IntRange(0, most).Draw(t, "running"),
			Pending: rapid.IntRange(0, 100*most).Draw(t, "pending"), TotalBlocks: 40, FreeBlocks: rapid.IntRange(0, 40).Draw(t, "free"),
		}
		s.tokens[i] = rapid.IntRange(0, min(4, s.prompt/16)).Draw(t, "cached") * 16
	}
	return s
}

func (s situation) requests() []float64 {
	all := make([]float64, len(s.f))
	for i := range all {
		all[i] = float64(s.f[i].Waiting + s.f[i].Running)
	}
	return all
}

// fewest are the replicas with the fewest requests, of those that are allowed.
func (s situation) fewest(allowed func(i int) bool) []int {
	return highest(len(s.f), func(i int) float64 {
		if !allowed(i) {
			return math.Inf(-1)
		}
		return -s.requests()[i]
	})
}

func anybody(int) bool { return true }

// highest are the indices with the highest score, but for what rounding does.
func highest(n int, score func(i int) float64) []int {
	best := math.Inf(-1)
	for i := range n {
		best = max(best, score(i))
	}
	var all []int
	for i := range n {
		if math.Abs(score(i)-best) <= 1e-9 || score(i) == best {
			all = append(all, i)
		}
	}
	return all
}

// expectRule routes in many situations, and compares with the replicas that a rule leaves;
// the index must learn the choice.
func expectRule(t *testing.T, fresh func(*known) Router, rule func(situation) []int) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		s := drawSituation(t)
		index := &known{tokens: s.tokens, sent: -1}
		got := fresh(index).Route(&Request{Prompt: s.prompt, Session: -1}, s.f)
		if want := rule(s); !slices.Contains(want, got) {
			t.Fatalf("chose %d, want one of %v: cached %v, requests %v", got, want, s.tokens, s.requests())
		}
		if index.sent != got {
			t.Fatalf("chose %d and told the index %d", got, index.sent)
		}
	})
}

func TestPrefixAwareRule(t *testing.T) {
	expectRule(t,
		func(k *known) Router {
			return &PrefixAware{Random: seeded(1), Index: k, CacheThreshold: 0.3, BalanceAbsThreshold: 10, BalanceRelThreshold: 1.5}
		},
		func(s situation) []int {
			requests := s.requests()
			most, least := slices.Max(requests), slices.Min(requests)
			longest := slices.Max(s.tokens)
			if most-least > 10 && most > 1.5*least || float64(longest)/float64(s.prompt) <= 0.3 {
				return s.fewest(anybody)
			}
			return s.fewest(func(i int) bool { return s.tokens[i] == longest })
		})
}

func TestLLMDRule(t *testing.T) {
	for _, maxPrefix := range []int{0, 2} {
		t.Run(fmt.Sprint(maxPrefix), func(t *testing.T) {
			expectRule(t,
				func(k *known) Router {
					return &LLMD{
						Random: seeded(1), Index: k, BlockSize: 16, MaxPrefix: maxPrefix,
						QueueWeight: 2, KVWeight: 2, PrefixWeight: 3, LoadAwareWeight: 1,
					}
				},
				func(s situation) []int {
					longest, shortest := 0, math.MaxInt
					for _, r := range s.f {
						longest, shortest = max(longest, r.Waiting), min(shortest, r.Waiting)
					}
					return highest(len(s.f), func(i int) float64 {
						v := s.f[i].View
						queue := 1.0
						if longest > shortest {
							queue = float64(longest-v.Waiting) / float64(longest-shortest)
						}
						kv := float64(v.FreeBlocks) / float64(v.TotalBlocks)
						blocks := math.Ceil(float64(s.prompt) / 16)
						if maxPrefix > 0 {
							blocks = min(blocks, float64(maxPrefix))
						}
						prefix := min(1, float64(s.tokens[i])/16/blocks)
						loadAware := 0.5 * (1 - min(float64(v.Waiting), 128)/128)
						return 2*queue + 2*kv + 3*prefix + loadAware
					})
				})
		})
	}
}

// dynamoCosts are those that the rule has for a situation.
func dynamoCosts(s situation) []float64 {
	costs := make([]float64, len(s.f))
	for i, r := range s.f {
		prefill := float64(r.Pending+s.prompt)/16 - 0.8*float64(s.tokens[i])/16
		costs[i] = 1.5*max(0, prefill) + float64(r.TotalBlocks-r.FreeBlocks)
	}
	return costs
}

func TestDynamoRule(t *testing.T) {
	expectRule(t,
		func(k *known) Router {
			return NewDynamo(Parameters{IndexBlockSize: 16, OverlapScoreCredit: 0.8, PrefillLoadScale: 1.5}, k, seeded(1))
		},
		func(s situation) []int {
			return highest(len(s.f), func(i int) float64 { return -dynamoCosts(s)[i] })
		})
}

// TestDynamoTemperature compares how often replicas are chosen with the softmax of their
// costs, scaled by the range of these.
func TestDynamoTemperature(t *testing.T) {
	s := situation{f: alike(4), tokens: []int{0, 32, 64, 0}, prompt: 100}
	s.f[1].FreeBlocks, s.f[2].Pending = 97, 160
	for _, temperature := range []float64{0.1, 0.7, 5} {
		t.Run(fmt.Sprint(temperature), func(t *testing.T) {
			p := Parameters{IndexBlockSize: 16, OverlapScoreCredit: 0.8, PrefillLoadScale: 1.5, Temperature: temperature}
			d := NewDynamo(p, &known{tokens: s.tokens}, seeded(1))
			costs := dynamoCosts(s)
			shares := make([]float64, len(costs))
			for i, c := range costs {
				shares[i] = math.Exp(-c / (slices.Max(costs) - slices.Min(costs)) / temperature)
			}
			expectShares(t, counts(d, s.f, 20000), shares)
		})
	}
	same := NewDynamo(Parameters{IndexBlockSize: 16, Temperature: 1}, &known{tokens: make([]int, 4)}, seeded(1))
	expectShares(t, counts(same, alike(4), 8000), even(4))
}

func TestAIBrixRule(t *testing.T) {
	expectRule(t,
		func(k *known) Router {
			return &AIBrix{Random: seeded(1), Index: k, BlockSize: 16, BalanceAbsThreshold: 16, StandardDeviationFactor: 1}
		},
		func(s situation) []int {
			requests := s.requests()
			if slices.Max(requests)-slices.Min(requests) > 16 {
				return s.fewest(anybody)
			}
			n, mean, squares := float64(len(requests)), 0.0, 0.0
			for _, x := range requests {
				mean += x / n
			}
			for _, x := range requests {
				squares += (x - mean) * (x - mean)
			}
			deviation := 0.0
			if n > 1 {
				deviation = math.Sqrt(squares / (n - 1))
			}
			percent := func(i int) int { return s.tokens[i] / 16 * 100 / (s.prompt / 16) }
			best := -1
			for i := range s.f {
				if s.tokens[i] > 0 && requests[i] <= mean+deviation+1e-9 {
					best = max(best, percent(i))
				}
			}
			if best < 0 {
				return s.fewest(anybody)
			}
			return s.fewest(func(i int) bool { return s.tokens[i] > 0 && requests[i] <= mean+deviation+1e-9 && percent(i) == best })
		})
}

// sequence routes prompts that share beginnings over replicas with loads of all kinds, and
// compares each choice with the replicas that a rule leaves, given what was sent where.
func sequence(t *testing.T, fresh func() Router, rule func(s situation, h *record, blocks []string) []int) {
	rapid.Check(t, func(t *rapid.T) {
		names, router := library{}, fresh()
		h := &record{blockSize: 2, capacity: math.MaxInt, used: map[int][]string{}}
		f := alike(rapid.IntRange(1, 4).Draw(t, "replicas"))
		for range 30 {
			for i := range f {
				f[i].Running = rapid.SampledFrom([]int{0, 1, 5, 9}).Draw(t, "running")
			}
			letters := rapid.StringOfN(rapid.SampledFrom([]rune("aaaab")), 1, 12, -1).Draw(t, "prompt")
			blocks := h.blocks(letters, len(letters))
			s := situation{f: f, prompt: len(letters)}
			for i := range f {
				s.tokens = append(s.tokens, h.match(i, blocks))
			}
			got := router.Route(names.prompt(letters, len(letters)), f)
			if want := rule(s, h, blocks); !slices.Contains(want, got) {
				t.Fatalf("chose %d, want one of %v: cached %v of %q, requests %v", got, want, s.tokens, letters, s.requests())
			}
			h.sent(f[got], blocks)
		}
	})
}

func TestSGLangRule(t *testing.T) {
	var first map[string]int // who was sent a block first
	sequence(t,
		func() Router {
			first = map[string]int{}
			p := sglang.Defaults
			p.IndexBlockSize, p.BalanceAbsThreshold, p.BalanceRelThreshold = 2, 4, 2
			return sglang.New(p, nil)
		},
		func(s situation, h *record, blocks []string) []int {
			requests := s.requests()
			longest := slices.Max(s.tokens)
			chosen := slices.Index(requests, slices.Min(requests))
			uneven := slices.Max(requests)-slices.Min(requests) > 4 && slices.Max(requests) > 2*slices.Min(requests)
			if !uneven && float64(longest)/float64(s.prompt) > 0.3 {
				chosen = first[blocks[longest/2-1]]
			}
			for _, b := range blocks {
				if _, known := first[b]; !known {
					first[b] = chosen
				}
			}
			return []int{chosen}
		})
}

func TestRayRule(t *testing.T) {
	sequence(t,
		func() Router {
			p := ray.Defaults
			p.IndexBlockSize, p.BalanceAbsThreshold, p.CacheThreshold = 2, 5, 0.4
			return ray.New(p, seeded(1))
		},
		func(s situation, h *record, blocks []string) []int {
			requests := s.requests()
			longest := slices.Max(s.tokens)
			switch {
			case slices.Max(requests)-slices.Min(requests) > 5:
				if len(s.f) == 1 {
					return []int{0}
				}
				return slices.DeleteFunc([]int{0, 1, 2, 3}[:len(s.f)], func(i int) bool { // the one with the most never wins
					return requests[i] == slices.Max(requests) && len(highest(len(s.f), func(i int) float64 { return requests[i] })) == 1
				})
			case float64(longest) >= 0.4*float64(s.prompt):
				return s.fewest(func(i int) bool { return s.tokens[i] == longest })
			}
			smallest := math.MaxInt
			for i := range s.f {
				smallest = min(smallest, len(h.used[i]))
			}
			return s.fewest(func(i int) bool { return len(h.used[i]) == smallest })
		})
}
