package workloads

import "testing"

func prefixSpec(p PrefixSpec) Spec {
	return Spec{
		NumRequests: 4000,
		Arrival:     &ArrivalSpec{Process: "poisson", Rate: 1},
		Input:       &LengthSpec{Type: "uniform", Min: 10, Max: 90},
		Output:      &LengthSpec{Type: "uniform", Min: 1, Max: 50},
		Prefix:      &p,
	}
}

func allOf(t *testing.T, s Spec) []Request {
	t.Helper()
	traffic, err := New(s, nil, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	return drain(traffic)
}

func TestDistinctPromptsCycle(t *testing.T) {
	const n = 48
	lengthOf := map[int]int{}
	for i, r := range allOf(t, prefixSpec(PrefixSpec{Distinct: n})) {
		prompt := r.Content.At(r.Input - 1)
		if prompt != i%n || r.Named != r.Input {
			t.Fatalf("request %d has prompt %d of which %d of %d tokens are shared", i, prompt, r.Named, r.Input)
		}
		if known, seen := lengthOf[prompt]; seen && known != r.Input {
			t.Fatalf("prompt %d has %d tokens, and had %d before", prompt, r.Input, known)
		}
		lengthOf[prompt] = r.Input
	}
}

func TestSharedPrefixes(t *testing.T) {
	const count, tokens = 4, 512
	seen := make([]int, count)
	plain := allOf(t, func() Spec { s := prefixSpec(PrefixSpec{}); s.Prefix = nil; return s }())
	for i, r := range allOf(t, prefixSpec(PrefixSpec{Count: count, Tokens: tokens})) {
		if r.Named != tokens || r.Input != plain[i].Input+tokens {
			t.Fatalf("request %d has %d prompt tokens, %d of them shared; without a prefix it has %d", i, r.Input, r.Named, plain[i].Input)
		}
		seen[r.Content.At(0)]++
	}
	for id, n := range seen {
		if n < 900 || n > 1100 {
			t.Errorf("prefix %d comes before %d of 4000 prompts, want about 1000", id, n)
		}
	}
}

func TestGroupedPrompts(t *testing.T) {
	const groups, perGroup, tokens = 3, 4, 512
	seen, lengthOf := map[int]int{}, map[int]int{}
	for _, r := range allOf(t, prefixSpec(PrefixSpec{Groups: groups, PerGroup: perGroup, Tokens: tokens})) {
		group, prompt := r.Content.At(0), r.Content.At(tokens)
		switch {
		case r.Named != r.Input || r.Input < tokens+10:
			t.Fatalf("of %d tokens %d have a name", r.Input, r.Named)
		case r.Content.At(tokens-1) != group || r.Content.At(r.Input-1) != prompt || prompt == group:
			t.Fatalf("%+v does not begin with %d tokens of a group and end as a prompt", r.Content, tokens)
		case seen[prompt] > 0 && lengthOf[prompt] != r.Input:
			t.Fatalf("prompt %d has %d tokens, and had %d before", prompt, r.Input, lengthOf[prompt])
		}
		seen[prompt]++
		lengthOf[prompt] = r.Input
	}
	if len(seen) != groups*perGroup {
		t.Errorf("%d prompts, want %d", len(seen), groups*perGroup)
	}
	for prompt, n := range seen {
		if n < 270 || n > 400 {
			t.Errorf("prompt %d comes %d times of 4000, want about 333", prompt, n)
		}
	}
}

func TestPrefixRefuses(t *testing.T) {
	for _, p := range []PrefixSpec{{}, {Count: 3}, {Tokens: 3}, {Distinct: 2, Count: 3, Tokens: 5}, {Groups: 2}, {PerGroup: 2, Tokens: 5}, {Groups: 2, PerGroup: 2},
		{Groups: 2, Tokens: 5}, {Groups: 2, PerGroup: 2, Tokens: 5, Count: 2}, {Groups: 2, PerGroup: 2, Tokens: 5, Distinct: 2}} {
		spec := prefixSpec(p)
		if _, err := New(spec, nil, 1, 0); err == nil {
			t.Errorf("%+v is accepted", p)
		}
	}
}
