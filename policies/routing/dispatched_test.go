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
	d := NewDynamo(dynamo.Defaults, &known{tokens: []int{3200, 0}}, seeded(1))
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

// TestDynamoInUse: blocks that a request shares with one that is still there are in use once.
func TestDynamoInUse(t *testing.T) {
	names, f := library{}, alike(2)
	d := NewDynamo(Parameters{IndexBlockSize: 2, PrefillLoadScale: 1}, &known{tokens: []int{0, 0}}, seeded(1))
	route := func(letters string) int { return d.Route(names.prompt(letters, len(letters)), f) }
	f[1].FreeBlocks = 90
	if got := route("aaaabb"); got != 0 {
		t.Fatalf("chose %d, of which more blocks are in use", got)
	}
	f[0].Running, f[0].FreeBlocks = 1, 89
	if got := route("aaaacc"); got != 0 {
		t.Fatalf("chose %d to save one block, where two would be in use twice", got)
	}
	f[0].Running = 0
	if got := route("aaaadd"); got != 1 {
		t.Fatalf("chose %d for the sake of requests that have ended", got)
	}
}
