package sim

import (
	"math"
	"slices"

	"kneepoint/units"
)

// network is the links between replicas, and the transfers that are under way over them. A
// transfer takes a share of the link of the replica that sends and of that of the one that
// receives. Their rates, in tokens a second, are max-min fair (see share).
type network struct {
	fleet      *fleet
	bandwidth  units.BytesPerSecond // of the link of each accelerator
	latency    units.Seconds
	shared     *port              // the only link; nil: each replica has its own
	deliveries minHeap[*delivery] // by their end
	begun      int                // transfers so far
	awaited    units.Seconds      // when it next ends transfers; forever: nobody waits for that

	touched []*port // scratch, see share
	filling minHeap[*port]
	rated   []*delivery
}

// port is a link to others. It has as many lanes as transfers fill it.
type port struct {
	lanes      float64
	deliveries []*delivery
	idle       units.Seconds // time without a transfer
	taken      units.Seconds // of that, what was taken to send layers early
	changed    units.Seconds // when idle was brought up to date

	touched bool    // scratch, see share: listed
	place   int     // in the list
	left    float64 // lanes that are not taken by transfers with a rate
	demand  float64 // lanes that the others take together, for each token a second
	unrated int     // how many these are
	level   float64 // their rate with which the link is full
	index   int     // in the heap
}

// delivery is a transfer that is under way.
type delivery struct {
	sides  []side
	tokens float64       // that were not sent when it got its rate
	since  units.Seconds // then
	rate   float64       // tokens a second
	until  units.Seconds // when all will have been sent
	next   float64       // scratch, see share
	number int
	index  int // in the heap
	landed func(at units.Seconds)
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
		n.shared = &port{lanes: 1}
	}
	return n
}

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
// accelerators of either have, whichever is more. A transfer over one of several lanes fills that.
func (n *network) sides(from, to *replica) []side {
	sent, received := sent(from.pool, to.pool)
	b := float64(n.bandwidth)
	if n.shared != nil {
		return []side{{n.shared, float64(max(sent, received)) / b}}
	}
	sides := []side{{&from.port, float64(sent) / b}, {&to.port, float64(received) / b}}
	for _, s := range sides {
		if s.port.lanes > 1 {
			sides = append(sides, side{&port{lanes: 1}, s.time})
		}
	}
	return sides
}

// send begins a transfer, and calls landed when all of it has arrived.
func (n *network) send(now units.Seconds, tokens float64, from, to *replica, landed func(at units.Seconds)) {
	if n.infinite() {
		n.arrive(now, landed)
		return
	}
	f := &delivery{sides: n.sides(from, to), tokens: tokens, since: now, until: forever, number: n.begun, landed: landed}
	n.begun++
	n.deliveries.push(f)
	for _, s := range f.sides {
		s.port.bringUp(now)
		s.port.deliveries = append(s.port.deliveries, f)
		n.touch(s.port)
	}
	n.share(now)
}

// endDue ends the transfers of which all has been sent now.
func (n *network) endDue(now units.Seconds) {
	for len(n.deliveries) > 0 && n.deliveries[0].until <= now {
		f := n.deliveries.pop()
		for _, s := range f.sides {
			s.port.bringUp(now)
			s.port.deliveries = slices.DeleteFunc(s.port.deliveries, func(g *delivery) bool { return g == f })
			n.touch(s.port)
		}
		n.arrive(now, f.landed)
	}
	n.share(now)
}

// arrive lets a transfer arrive of which all has been sent now.
func (n *network) arrive(now units.Seconds, landed func(at units.Seconds)) {
	at := now + n.latency
	n.fleet.at(at, func() { landed(at) })
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
	if len(p.deliveries) > 0 {
		return p.idle
	}
	return p.idle + at - p.changed
}

// bringUp brings the time that the link was idle up to date.
func (p *port) bringUp(now units.Seconds) {
	p.idle = p.idleUntil(now)
	p.changed = now
}
