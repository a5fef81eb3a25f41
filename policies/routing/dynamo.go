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
	Approximate:   []string{"index_capacity"},
	New:           func(p Parameters, random *rand.Rand) Router { return NewDynamo(p, newIndex(p), random) },
}

// Dynamo is the KV router of NVIDIA Dynamo (ai-dynamo/dynamo, lib/kv-router/src/scheduling,
// selector.rs at 01690d4, config.rs at 0243c51). A replica costs, in blocks of IndexBlockSize
// tokens,
//
//	PrefillLoadScale · ((pending + prompt)/IndexBlockSize - OverlapScoreCredit · cached blocks) + blocks in use
//
// where pending are the tokens of prompts that it is still to compute and that were not cached
// when they were sent, and blocks in use are those with the request there, of waiting ones
// too. What the request shares with another one there is in use once: by what the router
// has sent, as if requests ended in order. A request goes to the lowest cost c, of several
// to any one of them; at a temperature above 0 to a replica with a probability proportional to
// exp(-c/((cmax - cmin) · Temperature)).
type Dynamo struct {
	Parameters
	random *rand.Rand
	index  Index
	inUse  *Approximate
	sent   dispatched

	costs []float64
	best  choice
}

// NewDynamo makes the router with an index, of the parameters that its entry names.
func NewDynamo(p Parameters, index Index, random *rand.Rand) *Dynamo {
	inUse := &Approximate{BlockSize: p.IndexBlockSize, Capacity: math.MaxInt} // KeepLast bounds it
	return &Dynamo{Parameters: p, random: random, index: index, inUse: inUse}
}

// Route implements Router.
func (d *Dynamo) Route(r *Request, replicas Replicas) int {
	d.inUse.KeepLast(replicas)
	cached, shared := d.index.Match(r, replicas), d.inUse.Match(r, replicas)
	d.costs = d.costs[:0]
	for i := range cached {
		v := replicas.At(i)
		waiting := d.sent.last(replicas.Number(i), v.Waiting)
		d.costs = append(d.costs, d.cost(v, waiting, tokens{prompt: r.Prompt, uncached: r.Prompt - cached[i]}, shared[i]))
	}
	chosen := d.choose()
	d.sent.add(replicas.Number(chosen), tokens{prompt: r.Prompt, uncached: r.Prompt - cached[chosen]})
	d.index.Sent(chosen)
	d.inUse.Sent(chosen)
	return chosen
}

// Forget implements Forgetter.
func (d *Dynamo) Forget(number int) {
	d.index.Forget(number)
	d.inUse.Forget(number)
}

// cost is that of a request on a replica where others wait and where so many of its tokens
// are in use.
func (d *Dynamo) cost(v View, waiting, request tokens, shared int) float64 {
	block := float64(d.IndexBlockSize)
	pending := max(0, v.Pending-waiting.prompt) + waiting.uncached
	credit := d.OverlapScoreCredit * float64((request.prompt-request.uncached)/d.IndexBlockSize)
	inUse := float64(v.TotalBlocks-v.FreeBlocks) + float64(waiting.uncached+request.prompt-shared)/block
	return d.PrefillLoadScale*(float64(pending+request.prompt)/block-credit) + inUse
}

func (d *Dynamo) choose() int {
	if d.Temperature > 0 {
		return d.sample(slices.Min(d.costs), slices.Max(d.costs))
	}
	d.best.restart()
	for i, c := range d.costs {
		d.best.offer(i, c, 0)
	}
	return d.best.draw(d.random)
}

// sample draws a replica, the cheap ones more often.
func (d *Dynamo) sample(lowest, highest float64) int {
	if lowest == highest {
		return d.random.IntN(len(d.costs))
	}
	sum := 0.0
	for i, c := range d.costs {
		sum += math.Exp(-(c - lowest) / ((highest - lowest) * d.Temperature))
		d.costs[i] = sum
	}
	drawn := d.random.Float64() * sum
	for i, upTo := range d.costs {
		if drawn < upTo {
			return i
		}
	}
	return len(d.costs) - 1
}
