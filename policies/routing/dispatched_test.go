package routing

import (
	"testing"

	"pgregory.net/rapid"
)

func TestDispatched(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var d dispatched
		all := [3][]tokens{}
		for range rapid.SampledFrom([]int{0, 10, 5000}).Draw(t, "requests") {
			number := rapid.IntRange(0, 2).Draw(t, "to")
			sent := tokens{prompt: rapid.IntRange(0, 9).Draw(t, "prompt"), uncached: rapid.IntRange(0, 9).Draw(t, "uncached")}
			d.add(number, sent)
			all[number] = append(all[number], sent)
			asked := rapid.IntRange(0, 3).Draw(t, "asked")
			if asked == 3 {
				continue
			}
			n := rapid.SampledFrom([]int{0, 1, 7, 700}).Draw(t, "waiting")
			var want tokens
			for _, s := range all[asked][max(0, len(all[asked])-n):] {
				want.prompt += s.prompt
				want.uncached += s.uncached
			}
			if got := d.last(asked, n); got != want {
				t.Fatalf("the last %d of %d are %v, want %v", n, len(all[asked]), got, want)
			}
		}
		for number, sent := range all {
			if number < len(d) && len(d[number].totals) > 2*(700+1024) {
				t.Fatalf("%d totals of %d requests", len(d[number].totals), len(sent))
			}
		}
	})
}

// TestDynamoWaiting: what waits counts as what it still needs, not as what it has cached.
func TestDynamoWaiting(t *testing.T) {
	f := alike(2)
	d := &Dynamo{Random: seeded(1), Index: &known{tokens: []int{3200, 0}}, BlockSize: 16, OverlapScoreCredit: 1, PrefillLoadScale: 1}
	for n := range 3 {
		if got := d.Route(&Request{Prompt: 3360}, f); got != 0 {
			t.Fatalf("chose %d behind %d that need 160 tokens each, rather than compute 3200", got, n)
		}
		f[0].Waiting++
		f[0].Pending += 3360
	}
	f[0].Waiting, f[0].Pending = 0, 3*3360 // other ones
	if got := d.Route(&Request{Prompt: 3360}, f); got != 1 {
		t.Fatalf("chose %d, which has 10080 tokens to compute, to save 3200", got)
	}
}
