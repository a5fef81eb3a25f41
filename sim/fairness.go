package sim

import (
	"math"

	"kneepoint/units"
)

// touch lists a link over which a transfer begins or ends.
func (n *network) touch(p *port) {
	if !p.touched {
		p.touched = true
		n.touched = append(n.touched, p)
	}
}

// share gives the transfers their rates after some have begun or ended: those over the same
// links, those over links of theirs, and so on. Others keep theirs.
//
// Rates are max-min fair: all grow together, and a transfer's stops when one of its links is
// full. Then none can be higher but at the cost of one that is not.
//
// Source: Bertsekas and Gallager 1992, "Data Networks", second edition, section 6.5.2.
func (n *network) share(now units.Seconds) {
	n.reach()
	n.unrated = append(n.unrated[:0], n.rated...)
	for len(n.unrated) > 0 {
		n.fill()
	}
	for _, f := range n.rated {
		n.setRate(f, now)
	}
	for _, p := range n.touched {
		p.touched = false
	}
	n.touched = n.touched[:0]
	n.await()
}

// reach lists the transfers over the links that are listed, and the other links of these.
func (n *network) reach() {
	n.rated = n.rated[:0]
	for i := 0; i < len(n.touched); i++ { // which grows
		p := n.touched[i]
		p.left = p.lanes
		for _, f := range p.deliveries {
			if f.next == unlisted {
				f.next = unrated
				n.rated = append(n.rated, f)
			}
			for _, s := range f.sides {
				n.touch(s.port)
			}
		}
	}
}

// What next is of a delivery before it is listed, and before it has a rate.
const (
	unlisted = 0
	unrated  = -1
)

// roundedUp is by how much levels differ at most that are equal but for rounding.
const roundedUp = 1 + 1e-12

// fill gives those transfers their rates whose links are full first.
func (n *network) fill() {
	for _, p := range n.touched {
		p.demand = 0
	}
	for _, f := range n.unrated {
		for _, s := range f.sides {
			s.port.demand += s.time
		}
	}
	level := math.Inf(1)
	for _, f := range n.unrated {
		level = min(level, f.most())
	}
	for _, f := range n.unrated {
		if f.most() <= level*roundedUp {
			f.next = level
		}
	}
	open := n.unrated[:0]
	for _, f := range n.unrated {
		if f.next == unrated {
			open = append(open, f)
			continue
		}
		for _, s := range f.sides {
			s.port.left -= level * s.time
		}
	}
	n.unrated = open
}

// most is the rate of a transfer with which one of its links would be full, of what is left of
// these, if all others without a rate had the same; and at most one lane.
func (f *delivery) most() float64 {
	rate := math.Inf(1)
	for _, s := range f.sides {
		rate = min(rate, 1/s.time, s.port.left/s.port.demand)
	}
	return rate
}

// setRate gives a transfer its rate from now on.
func (n *network) setRate(f *delivery, now units.Seconds) {
	rate := f.next
	f.next = unlisted
	if rate == f.rate {
		return
	}
	f.tokens = max(0, f.tokens-f.rate*float64(now-f.since))
	f.rate, f.since = rate, now
	f.until = now + units.Seconds(f.tokens/rate)
	n.deliveries.fix(f.index)
}
