package routing

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestWeightedShares: after n requests, replica i of weight wᵢ of W has had nwᵢ/W of them, but
// for one of its own for each other replica whose turn is a random moment of its period.
func TestWeightedShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := alike(rapid.IntRange(1, 20).Draw(t, "replicas"))
		total := 0.0
		for i := range f {
			f[i].weight = rapid.SampledFrom([]float64{0.01, 0.5, 1, 1, 2, 3.7, 100}).Draw(t, "weight")
			total += f[i].weight
		}
		w := &Weighted{Random: seeded(rapid.Uint64().Draw(t, "seed"))}
		n := rapid.IntRange(1, 2000).Draw(t, "requests")
		for i, got := range counts(w, f, n) {
			share := f[i].weight / total
			if want := float64(n) * share; math.Abs(float64(got)-want) > 1+share*float64(len(f)) {
				t.Fatalf("replica %d has %d of %d requests, want %.1f", i, got, n, want)
			}
		}
	})
}

// TestWeightedAlike: with equal weights each replica has one turn in each round.
func TestWeightedAlike(t *testing.T) {
	f, w := alike(7), &Weighted{Random: seeded(1)}
	for range 1000 {
		if got := counts(w, f, 7); slices.Max(got) != 1 {
			t.Fatalf("a round of %v", got)
		}
	}
}

// TestWeightedFollows: the shares are right where replicas come and go, and a replica that
// comes has no turns to catch up with.
func TestWeightedFollows(t *testing.T) {
	w := &Weighted{Random: seeded(3)}
	f := fleet{{number: 0, weight: 1}, {number: 1, weight: 2}, {number: 2, weight: 3}}
	counts(w, f, 1200)
	for _, test := range []struct {
		name string
		f    fleet
		want []int
	}{
		{"one goes", fleet{f[0], f[2]}, []int{300, 900}},
		{"one comes", fleet{f[2], f[0], {number: 3, weight: 2}}, []int{600, 200, 400}},
		{"one for one", fleet{f[2], f[0], {number: 4, weight: 8}}, []int{300, 100, 800}},
		{"all are new", fleet{{number: 5, weight: 1}, {number: 6, weight: 5}, {number: 7, weight: 6}}, []int{100, 500, 600}},
		{"one is there", fleet{{number: 8, weight: 0.1}}, []int{1200}},
		{"they are back", f, []int{200, 400, 600}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for i, got := range counts(w, test.f, 1200) {
				if d := got - test.want[i]; d < -10 || d > 10 {
					t.Errorf("replica %d has %d requests, want %d", i, got, test.want[i])
				}
			}
		})
	}
}

// TestWeightedSpread: replicas of small weights do not have their turns at once, between
// two of which one of a large weight would wait.
func TestWeightedSpread(t *testing.T) {
	f := alike(11)
	f[0].weight = 10
	w := &Weighted{Random: seeded(1)}
	longest, others := 0, 0
	for range 1000 {
		if others++; w.Route(&Request{}, f) == 0 {
			others = 0
		}
		longest = max(longest, others)
	}
	if longest > 5 {
		t.Errorf("%d requests in a row go to replicas that are meant for half of them", longest)
	}
}

// TestWeightedAway: a replica that is away for a while after each turn keeps its next one.
func TestWeightedAway(t *testing.T) {
	all, w := alike(7), &Weighted{Random: seeded(1)}
	var away []int // the last three
	turns := map[int]int{}
	for n := 1; n <= 7000; n++ {
		f := slices.DeleteFunc(slices.Clone(all), func(r *replica) bool { return slices.Contains(away, r.number) })
		chosen := f[w.Route(&Request{}, f)].number
		if away = append(away, chosen); len(away) > 3 {
			away = away[1:]
		}
		if turns[chosen]++; turns[chosen] != (n+6)/7 {
			t.Fatalf("replica %d has its turn %d in round %d", chosen, turns[chosen], (n+6)/7)
		}
	}
}
