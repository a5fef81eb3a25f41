package metrics

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// Bottleneck is what a run would need more of to be faster.
type Bottleneck string

// The bottlenecks.
const (
	ByCompute   Bottleneck = "compute"
	ByBandwidth Bottleneck = "memory bandwidth"
	ByLink      Bottleneck = "link"
	ByLatency   Bottleneck = "latency" // of kernels and exchanges, whatever their size
	ByCPU       Bottleneck = "CPU"
	ByKV        Bottleneck = "KV capacity"
	BySlots     Bottleneck = "batch slots"
	ByRouter    Bottleneck = "router" // holds requests back, and replicas would serve more of them at a time
	BySteps     Bottleneck = "steps"  // of a cost model that does not say what bounds them
	ByLoad      Bottleneck = "load"   // nothing: the replicas are idle most of the time
)

const (
	most    = 0.5 // a larger share of a time than this is most of it
	notable = 0.1 // a share of a time matters from this on
)

// bottleneck applies the first rule that holds:
//
//   - CPU: more than half of the requests' time is the front end's;
//   - link: for more than half of it their keys and values are between replicas;
//   - load: the replicas are in steps for less than half of the time, or never, and neither
//     at the router nor in the queues of one of several pools do requests spend a tenth of their time;
//   - compute, link: what most time of the steps is bound by, and all but a tenth of it where requests
//     spend a tenth of their time at the router. More requests in a step would take as much longer;
//   - KV capacity, batch slots, router: requests spend a tenth of their time or more
//     because of them, waiting while the head of the queue does for this reason, or preempted, or
//     at the router, which holds them back since replicas have as many as they may, or
//     since its rate is limited, or while there is no replica. A larger batch would serve more requests in hardly more time;
//   - what most time of the steps is bound by.
//
// The steps are those of the pool whose queues requests spend the most time in, if that is a
// tenth of their time or more, else of all pools: prompts that wait for replicas which only
// prefill are held up by these, whatever the others are bound by.
func bottleneck(rec *Record, t *tally, costs []hardware.CostModel) Bottleneck {
	totals, inSystem := &rec.Totals, rec.InSystem()
	bounds, known := stepBounds(rec, costs)
	bound, share := largest(&bounds)
	shares := t.e2elParts.scaled(1)
	kv := max(totals.HeldByMemory/inSystem, float64(shares[Preemption]))
	slots, router := totals.HeldBySlots/inSystem, totals.AtRouter/inSystem
	heldBack := router >= notable
	switch {
	case totals.InFrontEnd > most*inSystem:
		return ByCPU
	case totals.InTransfer > most*inSystem:
		return ByLink
	case rec.idle() && !heldBack:
		return ByLoad
	case known && (bound == ByCompute || bound == ByLink) && !(heldBack && (rec.idle() || share < 1-notable)):
		return bound
	case kv >= notable && kv >= slots+router:
		return ByKV
	case slots+router >= notable && router > slots:
		return ByRouter
	case slots+router >= notable:
		return BySlots
	case !known:
		return BySteps
	}
	return bound
}

// stepBounds is the time of the steps by what it is bound by. It is false when a cost
// model cannot tell.
func stepBounds(rec *Record, costs []hardware.CostModel) (bounds hardware.Bounds, known bool) {
	crowded := rec.crowded()
	for i := range rec.Pools {
		if crowded >= 0 && i != crowded {
			continue
		}
		if _, known := costs[i].Bounds(&hardware.Work{}); !known {
			return hardware.Bounds{}, false
		}
		rec.Pools[i].addBounds(&bounds, costs[i])
	}
	bounds.Host += rec.Totals.Preparing
	return bounds, true
}

// crowded is the pool whose queues requests spend the most time in, by its index; -1 where
// that is little of their time.
func (r *Record) crowded() int {
	crowded, longest := -1, notable*r.InSystem()
	for i := range r.Pools {
		if waiting := r.Pools[i].Totals.Waiting; waiting >= longest && waiting > 0 {
			crowded, longest = i, waiting
		}
	}
	return crowded
}

// idle tells whether arrivals are the limit: the replicas are in steps for less than half of
// the time. Where requests wait before one of several pools it is not: its replicas may
// have to wait for those of another, which have no room for what they have computed.
func (r *Record) idle() bool {
	t := &r.Totals
	if t.Busy == 0 {
		return true
	}
	return float64(t.Busy+t.Preparing) < most*r.Replicas()*r.elapsed() && (len(r.Pools) == 1 || r.crowded() < 0)
}

// addBounds adds the time of a pool's steps by what it is bound by: that of the
// mean step without prompts and of the mean step with prompts, each for the time
// of its kind.
func (p *PoolRecord) addBounds(bounds *hardware.Bounds, model hardware.CostModel) {
	for _, sum := range []*StepSum{&p.Steps.Decodes, &p.Steps.Prompts} {
		if sum.Steps == 0 {
			continue
		}
		mean := sum.Mean()
		b, _ := model.Bounds(&mean)
		bounds.Add(&b, float64(sum.Time/b.Total()))
	}
}

// largest names the largest of the bounds, and says what share of the time it is of.
func largest(b *hardware.Bounds) (name Bottleneck, share float64) {
	longest := units.Seconds(-1)
	for _, c := range []struct {
		time units.Seconds
		name Bottleneck
	}{{b.Compute, ByCompute}, {b.Memory, ByBandwidth}, {b.Link, ByLink}, {b.Latency, ByLatency}, {b.Host, ByCPU}} {
		if c.time > longest {
			longest, name = c.time, c.name
		}
	}
	return name, float64(longest / b.Total())
}
