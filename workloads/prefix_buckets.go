package workloads

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"kneepoint/units/badinput"
)

// PrefixBucket is a part of the prefixes, those that are equally popular: a request has one of Count prefixes of this many
// tokens, drawn alike, with probability Weight, divided by the sum over the buckets.
type PrefixBucket struct {
	Weight float64 `toml:"weight" check:"positive" required:"true"`
	Count  int     `toml:"count" check:"positive" required:"true"`
	Tokens int     `toml:"tokens" check:"nonnegative" required:"true"` // 0: these requests have none
}

// mostPrefixes bounds the prefixes of all buckets, so that they can be numbered.
const mostPrefixes = 1 << 40

// validateBuckets checks the buckets that are given.
func (s *PrefixSpec) validateBuckets() error {
	sum, count := 0.0, 0
	for i, b := range s.Buckets {
		sum += b.Weight
		count += min(b.Count, mostPrefixes)
		if !(b.Weight > 0) || !nonnegative(sum) || b.Count < 1 || count >= mostPrefixes || b.Tokens < 0 || b.Tokens > mostTokens {
			return &badinput.Error{
				Key:     fmt.Sprintf("buckets[%d]", i),
				Problem: "out of range",
				Allowed: "weight greater than 0, count from 1 on, tokens from 0 to 2^30",
			}
		}
	}
	return nil
}

// buckets are those of the table, or the one that all its prefixes are in.
func (s *PrefixSpec) buckets() []PrefixBucket {
	if s.Count > 0 {
		return []PrefixBucket{{1, s.Count, s.Tokens}}
	}
	return s.Buckets
}

// shared is the number of prefixes of all buckets.
func (s *PrefixSpec) shared() int {
	n := 0
	for _, b := range s.buckets() {
		n += b.Count
	}
	return n
}

// prefixDraws draws prefixes by their popularity. They are numbered from 0 on, bucket after bucket.
type prefixDraws struct {
	buckets []PrefixBucket
	ends    []float64 // of the buckets' weights, summed up
	draws   *rand.Rand
}

func newPrefixDraws(buckets []PrefixBucket, draws *rand.Rand) prefixDraws {
	p, sum := prefixDraws{buckets: buckets, draws: draws}, 0.0
	for _, b := range buckets {
		sum += b.Weight
		p.ends = append(p.ends, sum)
	}
	return p
}

// next is the number of a prefix, and its tokens.
func (p *prefixDraws) next() (id, tokens int) {
	bucket := 0
	if last := len(p.ends) - 1; last > 0 {
		at, _ := slices.BinarySearch(p.ends, p.ends[last]*p.draws.Float64())
		bucket = min(at, last)
	}
	for _, b := range p.buckets[:bucket] {
		id += b.Count
	}
	return id + p.draws.IntN(p.buckets[bucket].Count), p.buckets[bucket].Tokens
}
