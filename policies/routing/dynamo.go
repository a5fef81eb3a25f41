package routing

import (
	"math"
	"math/rand/v2"
	"slices"

	"kneepoint/policies"
)

var dynamo = Entry{
	Description: policies.Description{Name: "dynamo-kv", Key: "router",
		Doc:  "Dynamo's KV router: the lowest cost in blocks, those to prefill and those in use",
		Keys: slices.Concat([]string{"overlap_score_credit", "prefill_load_scale", "router_temperature"}, indexKeys, reportKeys)},
	Defaults:      Parameters{Index: PreciseIndex, IndexBlockSize: 16, OverlapScoreCredit: 1, PrefillLoadScale: 1},
	PrefixCaching: true,
	New: func(p Parameters, random *rand.Rand) Router {
		return &Dynamo{
			Random: random, Index: newIndex(p), BlockSize: p.IndexBlockSize,
			OverlapScoreCredit: p.OverlapScoreCredit, PrefillLoadScale: p.PrefillLoadScale, Temperature: p.Temperature,
		}
	},
}

// Dynamo is the KV router of NVIDIA Dynamo (ai-dynamo/dynamo, lib/kv-router/src/scheduling,
// selector.rs at 01690d4, config.rs at 0243c51). A replica costs, in blocks of BlockSize
// tokens,
//
//	PrefillLoadScale · ((pending + prompt)/BlockSize - OverlapScoreCredit · cached blocks) + blocks in use
//
// where pending are the tokens of prompts that it is still to compute and that were not cached
// when they were sent. The blocks in use are those of waiting requests, too, as far as they
// were not cached. A request goes to the lowest cost c, of several to any one of them; at a
// temperature above 0 to a replica with a probability proportional to
// exp(-c/((cmax - cmin) · Temperature)).
//
// Dynamo adds the request's own blocks to those in use, but for those that sequences which
// run there have too. A report does not tell these, and the same for all replicas
// decides nothing.
type Dynamo struct {
	Random    *rand.Rand
	Index     Index
	BlockSize int

	OverlapScoreCredit float64
	PrefillLoadScale   float64
	Temperature        float64

	sent  dispatched
	costs []float64
	best  choice
}

// Route implements Router.
func (d *Dynamo) Route(r *Request, replicas Replicas) int {
	cached := d.Index.Match(r, replicas)
	d.costs = d.costs[:0]
	for i, c := range cached {
		v := replicas.At(i)
		d.costs = append(d.costs, d.cost(v, d.sent.last(replicas.Number(i), v.Waiting), r.Prompt, c))
	}
	chosen := d.choose()
	d.sent.add(replicas.Number(chosen), tokens{prompt: r.Prompt, uncached: r.Prompt - cached[chosen]})
	d.Index.Sent(chosen)
	return chosen
}

// Forget implements Forgetter.
func (d *Dynamo) Forget(number int) { d.Index.Forget(number) }

// cost is that of a prompt of which so many tokens are cached, on a replica where others
// wait.
func (d *Dynamo) cost(v View, waiting tokens, prompt, cached int) float64 {
	block := float64(d.BlockSize)
	pending := max(0, v.Pending-waiting.prompt) + waiting.uncached
	toPrefill := float64(pending+prompt)/block - d.OverlapScoreCredit*float64(cached/d.BlockSize)
	inUse := float64(v.TotalBlocks-v.FreeBlocks) + float64(waiting.uncached)/block
	return d.PrefillLoadScale*toPrefill + inUse
}

func (d *Dynamo) choose() int {
	if d.Temperature > 0 {
		return d.sample(slices.Min(d.costs), slices.Max(d.costs))
	}
	d.best.restart()
	for i, c := range d.costs {
		d.best.offer(i, c, 0)
	}
	return d.best.draw(d.Random)
}

// sample draws a replica, the cheap ones more often.
func (d *Dynamo) sample(lowest, highest float64) int {
	if lowest == highest {
		return d.Random.IntN(len(d.costs))
	}
	sum := 0.0
	for i, c := range d.costs {
		sum += math.Exp(-(c - lowest) / ((highest - lowest) * d.Temperature))
		d.costs[i] = sum
	}
	drawn := d.Random.Float64() * sum
	for i, upTo := range d.costs {
		if drawn < upTo {
			return i
		}
	}
	return len(d.costs) - 1
}
