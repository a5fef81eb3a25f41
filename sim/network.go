package sim

import (
	"math"
	"slices"

	"kneepoint/units"
)

// network is the links between replicas, and the transfers that are under way over them. A
// transfer takes a share of the link of the replica that sends and of that of the one that
// receives. Their rates, in tokens a second, are max-min fair (fairness.go).
type network struct {
	fleet      *fleet
	bandwidth  units.BytesPerSecond // of the link of each accelerator
	latency    units.Seconds
	shared     *port              // the only link; nil: each replica has its own
	deliveries minHeap[*delivery] // by their end
	stopped    []*delivery        // that stand still, since a link is lost
	begun      int                // transfers so far
	awaited    units.Seconds      // when it next ends transfers; forever: nobody waits for that

	touched []*port        // over which transfers have begun or ended, or whose level has changed
	filling minHeap[*port] // of these, those that are to get their level
}

// port is a link to others. It has as many lanes as transfers fill it.
type port struct {
	lanes      float64
	deliveries []*delivery
	idle       units.Seconds // time without a transfer
	taken      units.Seconds // of that, what was taken to send layers early
	changed    units.Seconds // when idle was brought up to date
	cut        bool          // is lost: not idle either

	level float64 // rate of the transfers that it holds back: full with that; +Inf: not full

	touched bool // scratch, see share: listed
	place   int  // in the list
	filling filling
	next    float64 // level that it is to have
	index   int     // in the heap
}

// delivery is a transfer that is under way, or stands still.
type delivery struct {
	from, to *replica // nil where its links do not fail
	sides    []side
	tokens   float64       // that were not sent when it got its rate
	since    units.Seconds // then
	rate     float64       // tokens a second
	until    units.Seconds // when all will have been sent
	number   int
	index    int          // in the heap
	sent     bool         // all of it
	copies   []*blockCopy // of blocks that it brings to a store
	landed   func(at units.Seconds)
}

// side is a link that a transfer goes over.
type side struct {
	port *port
	time float64 // that a token takes in one of its lanes, in seconds
}

// before orders by the end; ties go to the one that began first.
func (f *delivery) before(g *delivery) bool {
	if f.until != g.until {
		return f.until < g.until
	}
	return f.number < g.number
}

func (f *delivery) moved(index int) { f.index = index }

// newNetwork is that of a fleet; nil where nothing is sent.
func newNetwork(f *fleet, t *Transfer) *network {
	if t == nil {
		return nil
	}
	n := &network{fleet: f, bandwidth: t.Bandwidth, latency: t.Latency, awaited: forever}
	if t.Shared {
		shared := newPort(1)
		n.shared = &shared
	}
	return n
}

// isBusy tells whether transfers are under way, or stand still.
func (n *network) isBusy() bool { return n != nil && len(n.deliveries)+len(n.stopped) > 0 }

// infinite tells whether it takes no time to send anything.
func (n *network) infinite() bool { return math.IsInf(float64(n.bandwidth), 1) }

// sent is what is sent of a token's keys and values between replicas of two pools, on each of
// the accelerators of either that have some of them.
func sent(from, to *Pool) (sent, received units.Bytes) {
	sent, received = from.Sent.Bytes, to.Sent.Bytes
	if from.Sent.Drafter == to.Sent.Drafter {
		sent, received = sent+from.Sent.DraftBytes, received+to.Sent.DraftBytes
	}
	return sent, received
}

// instant tells whether it takes no time at all.
func (n *network) instant() bool { return n.latency == 0 && n.infinite() }

// sides are the links between two replicas. Over one link for all goes what the
// accelerators of either have, whichever is more; the way of a replica to it counts where
// that is slow. A transfer over one of several lanes fills that.
func (n *network) sides(from, to *replica) []side {
	sent, received := sent(from.pool, to.pool)
	b := float64(n.bandwidth)
	var sides []side
	if n.shared != nil {
		sides = append(sides, side{n.shared, float64(max(sent, received)) / b})
	}
	if n.shared == nil || from.connection.isSlow() {
		sides = append(sides, side{&from.port, float64(sent) / b * from.connection.slowness()})
	}
	if n.shared == nil || to.connection.isSlow() {
		sides = append(sides, side{&to.port, float64(received) / b * to.connection.slowness()})
	}
	for _, s := range sides {
		if s.port.lanes > 1 {
			lane := newPort(1)
			sides = append(sides, side{&lane, s.time})
		}
	}
	return sides
}

// send begins a transfer, and calls landed when all of it has arrived.
func (n *network) send(now units.Seconds, tokens float64, from, to *replica, landed func(at units.Seconds)) *delivery {
	f := n.newDelivery(tokens, landed)
	f.from, f.to = from, to
	n.begin(f, now)
	n.share(now)
	return f
}

// sendOver is send over links that are known, and do not fail.
func (n *network) sendOver(sides []side, now units.Seconds, tokens float64, landed func(at units.Seconds)) *delivery {
	f := n.newDelivery(tokens, landed)
	n.start(f, sides, now)
	n.share(now)
	return f
}

func (n *network) newDelivery(tokens float64, landed func(at units.Seconds)) *delivery {
	n.begun++
	return &delivery{tokens: tokens, number: n.begun, landed: landed}
}

// begin begins what is left of a transfer between two replicas, which stands still where a link is lost.
func (n *network) begin(f *delivery, now units.Seconds) {
	if f.from.connection.isCut() || f.to.connection.isCut() {
		n.stopped = append(n.stopped, f)
		return
	}
	n.start(f, n.sides(f.from, f.to), now)
}

// start begins what is left of a transfer over some links.
func (n *network) start(f *delivery, sides []side, now units.Seconds) {
	if n.infinite() {
		n.arrive(f, now)
		return
	}
	f.sides, f.rate, f.since, f.until = sides, 0, now, forever
	n.deliveries.push(f)
	for _, s := range f.sides {
		s.port.bringUp(now)
		s.port.deliveries = append(s.port.deliveries, f)
		n.touch(s.port)
	}
}

// leave takes a transfer off its links.
func (n *network) leave(f *delivery, now units.Seconds) {
	for _, s := range f.sides {
		s.port.bringUp(now)
		s.port.deliveries = slices.DeleteFunc(s.port.deliveries, func(g *delivery) bool { return g == f })
		n.touch(s.port)
	}
}

// endDue ends the transfers of which all has been sent now.
func (n *network) endDue(now units.Seconds) {
	for len(n.deliveries) > 0 && n.deliveries[0].until <= now {
		f := n.deliveries.pop()
		n.leave(f, now)
		n.arrive(f, now)
	}
	n.share(now)
}

// arrive lets a transfer arrive of which all has been sent now.
func (n *network) arrive(f *delivery, now units.Seconds) {
	f.sent = true
	at := now + n.latency
	n.fleet.at(at, func() { f.landed(at) })
}

// await has the fleet end the first transfers when their time has come.
func (n *network) await() {
	if len(n.deliveries) == 0 || n.deliveries[0].until >= n.awaited {
		return
	}
	at := n.deliveries[0].until
	n.awaited = at
	n.fleet.at(at, func() {
		if n.awaited == at {
			n.awaited = forever
		}
		n.endDue(at)
	})
}

// idleUntil is for how long the link has had no transfer by a time that is not past.
func (p *port) idleUntil(at units.Seconds) units.Seconds {
	if len(p.deliveries) > 0 || p.cut {
		return p.idle
	}
	return p.idle + at - p.changed
}

// bringUp brings the time that the link was idle up to date.
func (p *port) bringUp(now units.Seconds) {
	p.idle = p.idleUntil(now)
	p.changed = now
}
