package sim

import (
	"math"

	"kneepoint/units"
)

// Rates are max-min fair: all grow together, and a transfer's stops when one of its links is full.
// Then none can be higher but at the cost of one that is not higher. A link's level is the rate of the transfers
// that stop when it is full, and a transfer's rate the lowest level of its links.
//
// Source: Bertsekas and Gallager 1992, "Data Networks", second edition, section 6.5.2.
//
// When a transfer begins or ends, most links keep their level. Those which do not are found in the order of
// their levels, as they fill: what is below the first that changes stays as it is, and a link whose level changes
// touches only those that fill later.

// filling is where a link is while rates are found.
type filling uint8

const (
	kept   filling = iota // has the level that it had
	rising                // has lost it, and what its transfers are held by is not known yet
	full                  // has its new level, or is known not to fill
)

// newPort is a link without transfers.
func newPort(lanes float64) port { return port{lanes: lanes, level: math.Inf(1)} }

// levelTolerance is the relative change of a level up to which it counts as rounding.
const levelTolerance = 1e-12

// share gives transfers their rates after some have begun or ended.
func (n *network) share(now units.Seconds) {
	for _, p := range n.touched {
		n.consider(p)
	}
	for len(n.filling) > 0 {
		switch p := n.filling.pop(); {
		case p.filling == kept && p.next > p.level:
			n.raise(p)
		default:
			n.fill(p)
		}
	}
	for _, p := range n.touched {
		for _, f := range p.deliveries {
			n.setRate(f, now)
		}
	}
	for _, p := range n.touched {
		p.touched, p.filling = false, kept
	}
	n.touched = n.touched[:0]
	n.await()
}

// touch lists a link over which a transfer begins or ends, or whose level changes.
func (n *network) touch(p *port) {
	if !p.touched {
		p.touched, p.place, p.index = true, len(n.touched), notFilling
		n.touched = append(n.touched, p)
	}
}

// notFilling is the index of a link that is not in the heap of those which are to fill.
const notFilling = -1

// consider has a link fill that would have another level than it has, as far as the others are known.
func (n *network) consider(p *port) {
	if p.filling == full {
		return
	}
	p.next = p.fairLevel()
	switch changes := p.filling == rising || !isNear(p.next, p.level); {
	case !changes && p.touched && p.index != notFilling:
		n.filling.remove(p.index)
		p.index = notFilling
	case !changes:
	default:
		if n.touch(p); p.index == notFilling {
			n.filling.push(p)
			return
		}
		n.filling.fix(p.index)
	}
}

func isNear(a, b float64) bool { return a == b || math.Abs(a-b) <= levelTolerance*min(a, b) }

// raise takes a link its level, which is too low.
func (n *network) raise(p *port) {
	p.index, p.filling = notFilling, rising
	n.spread(p, p.level, math.Inf(1))
	n.consider(p)
}

// fill gives a link its level.
func (n *network) fill(p *port) {
	before := p.limit()
	p.index, p.filling, p.level = notFilling, full, p.next
	n.spread(p, before, p.level)
}

// spread considers the links that a change of what a link allows may touch: of levels above it.
func (n *network) spread(p *port, before, after float64) {
	for _, f := range p.deliveries {
		for _, s := range f.sides {
			if q := s.port; q != p && min(before, after) < q.limit() {
				n.consider(q)
			}
		}
	}
}

// limit is the rate that the link allows its transfers, as far as it is known.
func (p *port) limit() float64 {
	if p.filling == rising {
		return math.Inf(1)
	}
	return p.level
}

// fairLevel is the rate r with which the link is full, where its transfers have that or, if it is lower, what
// their other links allow:
//
//	Σ time · min(r, other) = lanes
//
// Those that others hold back leave more to the rest: the rate grows from the equal one until no further
// transfer is below it. It is infinite where all are held back and the link is not full.
func (p *port) fairLevel() float64 {
	level := 0.0
	for {
		left, demand := p.lanes, 0.0
		for _, f := range p.deliveries {
			time, other := f.over(p)
			if other < level {
				left -= time * other
			} else {
				demand += time
			}
		}
		if demand == 0 {
			return math.Inf(1)
		}
		next := left / demand
		if !(next > level) {
			return level
		}
		level = next
	}
}

// over is the time that a transfer takes of a link for each token, and the rate that its other links allow.
func (f *delivery) over(p *port) (time, other float64) {
	other = math.Inf(1)
	for _, s := range f.sides {
		if s.port == p {
			time = s.time
		} else {
			other = min(other, s.port.limit())
		}
	}
	return time, other
}

// before orders by the level with which links are full, or from which on they have another one; ties go to the one that
// was listed first.
func (p *port) before(q *port) bool {
	if a, b := min(p.next, p.limit()), min(q.next, q.limit()); a != b {
		return a < b
	}
	return p.place < q.place
}

func (p *port) moved(index int) { p.index = index }

// setRate gives a transfer its rate from now on, where that has changed.
func (n *network) setRate(f *delivery, now units.Seconds) {
	rate := math.Inf(1)
	for _, s := range f.sides {
		rate = min(rate, s.port.level)
	}
	if rate == f.rate {
		return
	}
	f.tokens = max(0, f.tokens-f.rate*float64(now-f.since))
	f.rate, f.since = rate, now
	f.until = now + units.Seconds(f.tokens/rate)
	n.deliveries.fix(f.index)
}
