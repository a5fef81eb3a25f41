package sim

import (
	"slices"

	"kneepoint/units"
)

// connection is what became of the link of a replica to others.
type connection struct {
	cuts   []*cut
	slowed slowdowns
}

// cut is a loss of a link, until it is repaired.
type cut struct {
	loss
	known bool // to all: nothing is sent any more
}

// isCut tells whether nothing goes over the link.
func (c *connection) isCut() bool { return len(c.cuts) > 0 }

// known is the loss of the link that everybody knows of; nil: there is none.
func (c *connection) known() *loss {
	for _, x := range c.cuts {
		if x.known {
			return &x.loss
		}
	}
	return nil
}

// isSlow tells whether what goes over the link takes longer.
func (c *connection) isSlow() bool { return len(c.slowed) > 0 }

// slowness is how many times as long it takes.
func (c *connection) slowness() float64 {
	product := 1.0
	for _, x := range c.slowed {
		product *= x.Slowdown
	}
	return product
}

// reconnect has what goes over the link of a replica go on as the link is now.
func (n *network) reconnect(r *replica, now units.Seconds) {
	r.port.bringUp(now)
	r.port.cut = r.connection.isCut()
	for _, d := range n.halt(now, func(d *delivery) bool { return d.from == r || d.to == r }) {
		n.begin(d, now)
	}
	n.share(now)
}

// drop ends transfers that nobody waits for any more.
func (n *network) drop(now units.Seconds, which func(*delivery) bool) {
	n.halt(now, which)
	n.share(now)
}

// halt takes transfers off the network, with what has not been sent of them, in the order in
// which they began.
func (n *network) halt(now units.Seconds, which func(*delivery) bool) []*delivery {
	var halted []*delivery
	for _, d := range n.deliveries {
		if which(d) {
			halted = append(halted, d)
		}
	}
	for _, d := range halted {
		n.deliveries.remove(d.index)
		n.leave(d, now)
		d.tokens = max(0, d.tokens-d.rate*float64(now-d.since))
	}
	n.stopped = slices.DeleteFunc(n.stopped, func(d *delivery) bool {
		if which(d) {
			halted = append(halted, d)
			return true
		}
		return false
	})
	slices.SortFunc(halted, func(a, b *delivery) int { return a.number - b.number })
	return halted
}

// slowLinks has what goes over the links of replicas take longer, until they are repaired, and
// is when the last of them is.
func (x *failing) slowLinks(replicas []*replica, now units.Seconds) (repaired units.Seconds) {
	n := x.roster.fleet.network
	replicas = slices.DeleteFunc(replicas, func(r *replica) bool { return slices.Contains(r.connection.slowed, x) })
	for _, r := range replicas {
		r.connection.slowed = append(r.connection.slowed, x)
		n.reconnect(r, now)
	}
	return x.repairEach(replicas, now, func(r *replica, at units.Seconds) {
		r.connection.slowed = r.connection.slowed.without(x)
		n.reconnect(r, at)
	})
}

// cutLinks has the links of replicas fail, and is when the last of them is repaired. Unless
// transfers wait for that, those that stand still are given up once the loss is known.
func (x *failing) cutLinks(replicas []*replica, now units.Seconds) (repaired units.Seconds) {
	f := x.roster.fleet
	if x.Repair != nil {
		f.beginOutage(len(replicas), now)
	}
	cuts := map[*replica]*cut{}
	for _, r := range replicas {
		c := &cut{loss: loss{by: x, of: r}}
		cuts[r] = c
		r.connection.cuts = append(r.connection.cuts, c)
		f.network.reconnect(r, now)
	}
	known := now + x.Detection
	if !x.Wait {
		f.at(known, func() {
			var had []visit
			for _, r := range replicas {
				c := cuts[r]
				c.known = true
				r.refresh()
				had = append(had, f.recallOver(&c.loss, known)...)
			}
			x.sendAgain(had, known)
		})
	}
	return x.repairEach(replicas, known, func(r *replica, at units.Seconds) {
		r.connection.cuts = slices.DeleteFunc(r.connection.cuts, func(c *cut) bool { return c == cuts[r] })
		f.network.reconnect(r, at)
		r.refresh()
		f.endLoss(at)
	})
}
