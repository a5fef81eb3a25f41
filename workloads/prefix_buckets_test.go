package workloads

import "testing"

// TestPopularPrefixes: prefixes of a bucket come as often as each other, those of two buckets as often as their weights say.
func TestPopularPrefixes(t *testing.T) {
	buckets := []PrefixBucket{{6, 2, 100}, {3, 1, 0}, {1, 5, 30}}
	plain := allOf(t, func() Spec { s := prefixSpec(PrefixSpec{}); s.Prefix = nil; return s }())
	requests := allOf(t, prefixSpec(PrefixSpec{Buckets: buckets}))
	seen := make([]float64, 8)
	for i, r := range requests {
		id, tokens := 2, 0
		if r.Content != nil {
			id = r.Content.At(0)
			if tokens = 30; id < 2 {
				tokens = 100
			}
		}
		seen[id]++
		if r.Named != tokens || r.Input != plain[i].Input+tokens {
			t.Fatalf("request %d has %d prompt tokens, %d of them shared; without a prefix it has %d", i, r.Input, r.Named, plain[i].Input)
		}
	}
	for id, share := range []float64{0.3, 0.3, 0.3, 0.02, 0.02, 0.02, 0.02, 0.02} {
		within(t, "share of a prefix", seen[id]/float64(len(requests)), share-0.023, share+0.023)
	}
}

// TestOneBucketIsACount: and draws the same, also before conversations.
func TestOneBucketIsACount(t *testing.T) {
	of := func(p PrefixSpec) Spec { return prefixSpec(p) }
	talks := func(p PrefixSpec) Spec {
		s := prefixSpec(p)
		s.Session = &SessionSpec{Turns: Turns{Type: "fixed", Mean: 1, Min: 1}}
		return s
	}
	for name, spec := range map[string]func(PrefixSpec) Spec{"requests": of, "conversations": talks} {
		counted, bucket := allOf(t, spec(PrefixSpec{Count: 7, Tokens: 40})), allOf(t, spec(PrefixSpec{Buckets: []PrefixBucket{{3, 7, 40}}}))
		if len(counted) != len(bucket) || len(counted) == 0 {
			t.Fatalf("%s: %d and %d", name, len(counted), len(bucket))
		}
		for i, r := range counted {
			if b := bucket[i]; b.Input != r.Input || b.Content.At(0) != r.Content.At(0) || b.Content.At(60) != r.Content.At(60) {
				t.Fatalf("%s: request %d is %+v, and %+v with a count", name, i, b, r)
			}
		}
	}
}
