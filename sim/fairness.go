package sim

import (
	"math"

	"kneepoint/units"
)

// touch lists a link over which a transfer begins or ends.
func (n *network) touch(p *port) {
	if !p.touched {
		p.touched, p.place = true, len(n.touched)
		n.touched = append(n.touched, p)
	}
}

// share gives the transfers their rates after some have begun or ended: those over the same
// links, those over links of theirs, and so on. Others keep theirs.
//
// Rates are max-min fair: all grow together, and a transfer's stops when one of its links is
// full. Then none can be higher but at the cost of one that is not. So links are taken in the order
// in which they fill.
//
// Source: Bertsekas and Gallager 1992, "Data Networks", second edition, section 6.5.2.
func (n *network) share(now units.Seconds) {
	n.reach()
	for _, p := range n.touched {
		p.setLevel()
		n.filling.push(p)
	}
	for len(n.filling) > 0 {
		n.fill(n.filling.pop())
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
		p.left, p.demand, p.unrated = p.lanes, 0, len(p.deliveries)
		for _, f := range p.deliveries {
			if f.next == unlisted {
				f.next = unrated
				n.rated = append(n.rated, f)
			}
			for _, s := range f.sides {
				n.touch(s.port)
				if s.port == p {
					p.demand += s.time
				}
			}
		}
	}
}

// What next is of a delivery before it is listed, and before it has a rate.
const (
	unlisted = 0
	unrated  = -1
)

// before orders by the rate of transfers with which links are full; ties go to the one that
// was listed first.
func (p *port) before(q *port) bool {
	if p.level != q.level {
		return p.level < q.level
	}
	return p.place < q.place
}

func (p *port) moved(index int) { p.index = index }

// setLevel brings up to date with which rate of those transfers that have none yet the link is full.
func (p *port) setLevel() {
	if p.level = math.Inf(1); p.unrated > 0 {
		p.level = max(0, p.left/p.demand)
	}
}

// fill gives all transfers over a link that have no rate yet the one with which it is full. That
// takes from their other links, which are full with no lower one.
func (n *network) fill(p *port) {
	for _, f := range p.deliveries {
		if f.next != unrated {
			continue
		}
		f.next = p.level
		for _, s := range f.sides {
			if q := s.port; q != p {
				q.left, q.demand, q.unrated = q.left-p.level*s.time, q.demand-s.time, q.unrated-1
				q.setLevel()
				q.level = max(q.level, p.level) // but for rounding
				n.filling.fix(q.index)
			}
		}
	}
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
