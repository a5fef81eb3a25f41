package routing

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestContract: every router names a replica that is there, whatever replicas report and
// wherever they come and go, changes nothing that it is shown, and decides the same from
// the same random numbers.
func TestContract(t *testing.T) {
	for _, e := range Routers {
		t.Run(e.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p := drawParameters(t, e)
				seed := rapid.Uint64().Draw(t, "seed")
				router, twin := e.New(p, seeded(seed)), e.New(p, seeded(seed))
				names, c := library{}, crowd{fleet: alike(rapid.IntRange(1, mostReplicas).Draw(t, "replicas"))}
				for id := range 40 {
					c.change(t)
					f := c.fleet
					drawReports(t, f)
					drawLoss(t, c.away, router, twin)
					r := drawRequest(t, id, names)
					shown, asked := f.views(), *r
					i := router.Route(r, f)
					switch {
					case i < 0 || i >= len(f):
						t.Fatalf("chose replica %d of %d", i, len(f))
					case !slices.Equal(f.views(), shown) || *r != asked:
						t.Fatalf("changed what it was shown")
					}
					if j := twin.Route(r, f); i != j {
						t.Fatalf("chose %d and %d from the same random numbers", i, j)
					}
				}
			})
		})
	}
}

// drawParameters are the defaults of a router, or corners of what it reads.
func drawParameters(t *rapid.T, e Entry) Parameters {
	p := e.Defaults
	if rapid.Bool().Draw(t, "defaults") {
		return p
	}
	number := func(key string, to *int, from ...int) {
		if e.Reads(key) {
			*to = rapid.SampledFrom(from).Draw(t, key)
		}
	}
	ratio := func(key string, to *float64, from ...float64) {
		if e.Reads(key) {
			*to = rapid.SampledFrom(from).Draw(t, key)
		}
	}
	if e.Reads("index") {
		p.Index = rapid.SampledFrom([]string{ApproximateIndex, PreciseIndex}).Draw(t, "index")
	}
	number("index_block_size", &p.IndexBlockSize, 1, 3, 1000)
	number("index_capacity", &p.IndexCapacity, 0, 1, 7, 1000)
	number("index_max_prefix", &p.IndexMaxPrefix, 0, 1, 4)
	number("balance_abs_threshold", &p.BalanceAbsThreshold, 0, 2)
	ratio("balance_rel_threshold", &p.BalanceRelThreshold, 1, 1000)
	ratio("cache_threshold", &p.CacheThreshold, 0, 0.5, 1)
	ratio("standard_deviation_factor", &p.StandardDeviationFactor, 0, 3)
	ratio("queue_weight", &p.QueueWeight, 0, 1e9)
	ratio("kv_weight", &p.KVWeight, 0, 1)
	ratio("prefix_weight", &p.PrefixWeight, 0, 1)
	ratio("load_aware_weight", &p.LoadAwareWeight, 0, 1)
	ratio("overlap_score_credit", &p.OverlapScoreCredit, 0, 1)
	ratio("prefill_load_scale", &p.PrefillLoadScale, 0, 10)
	ratio("router_temperature", &p.Temperature, 0, 1e-300, 1, 1e300)
	return p
}

func (f fleet) views() []View {
	all := make([]View, len(f))
	for i := range f {
		all[i] = f[i].View
	}
	return all
}

func drawReports(t *rapid.T, f fleet) {
	few := rapid.SampledFrom([]int{0, 1, 5, 1 << 40})
	for _, r := range f {
		r.cached = few.Draw(t, "cached")
		if rapid.Bool().Draw(t, "reports") {
			total := few.Draw(t, "blocks")
			r.View = View{Waiting: few.Draw(t, "waiting"), Running: few.Draw(t, "running"), Pending: few.Draw(t, "pending"),
				TotalBlocks: total, FreeBlocks: min(total, few.Draw(t, "free"))}
		}
	}
}

// drawLoss has a replica lose what it has, of which those hear that remember it.
func drawLoss(t *rapid.T, away fleet, routers ...Router) {
	if len(away) == 0 || rapid.IntRange(0, 3).Draw(t, "loss") > 0 {
		return
	}
	lost := rapid.SampledFrom(away).Draw(t, "lost").number
	for _, r := range routers {
		if f, remembers := r.(Forgetter); remembers {
			f.Forget(lost)
		}
	}
}

func drawRequest(t *rapid.T, id int, names library) *Request {
	if rapid.Bool().Draw(t, "has content") {
		letters := rapid.StringOfN(rapid.SampledFrom([]rune("aaab")), 1, 40, -1).Draw(t, "letters")
		return names.prompt(letters, rapid.SampledFrom([]int{0, len(letters) / 2, len(letters)}).Draw(t, "named"))
	}
	return &Request{
		ID:      id,
		Prompt:  rapid.SampledFrom([]int{0, 1, 15, 16, 1000}).Draw(t, "prompt"),
		Session: rapid.IntRange(-1, 3).Draw(t, "session"),
	}
}

// TestEntries: names and keys are there once, and routers that look at prefix caches have
// what their index needs.
func TestEntries(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range Routers {
		if seen[e.Name] || e.Key != "router" || e.Doc == "" {
			t.Errorf("%+v", e.Description)
		}
		seen[e.Name] = true
		if keys := slices.Sorted(slices.Values(e.Keys)); len(slices.Compact(keys)) != len(e.Keys) {
			t.Errorf("%s reads a key twice: %v", e.Name, e.Keys)
		}
		if e.PrefixCaching != (e.Defaults.IndexBlockSize > 0) || e.PrefixCaching != (e.Defaults.Index != "") ||
			e.PrefixCaching != e.Reads("index_block_size") {
			t.Errorf("%s: prefix caching %v, defaults %+v", e.Name, e.PrefixCaching, e.Defaults)
		}
		if _, remembers := e.New(e.Defaults, seeded(1)).(Forgetter); remembers != e.PrefixCaching {
			t.Errorf("%s forgets: %v", e.Name, remembers)
		}
	}
}
