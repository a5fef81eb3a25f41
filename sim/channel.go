package sim

import (
	"math"

	"kneepoint/units"
)

// channel is a link between replicas. The transfers that are under way share its
// bandwidth: n of them get an n-th each.
//
// What has been sent of each of them since it began is what the time integral of
// bandwidth/n has grown by since then. So that is kept once for all, and the next to end
// is the one for which it has to grow to the least.
type channel struct {
	fleet     *fleet
	bandwidth units.BytesPerSecond
	latency   units.Seconds
	share     units.Bytes   // the integral
	idle      units.Seconds // time without a transfer
	taken     units.Seconds // of that, what was taken to send layers early
	changed   units.Seconds // when share and idle were brought up to date
	transfers minHeap[channelTransfer]
	begun     int // transfers so far
	turns     int // times that transfers began or ended
}

// channelTransfer is one that is under way.
type channelTransfer struct {
	anywhere
	until  units.Bytes // the integral when all has been sent
	number int
	landed func(at units.Seconds)
}

// before orders by the end; ties go to the one that began first.
func (t channelTransfer) before(u channelTransfer) bool {
	if t.until != u.until {
		return t.until < u.until
	}
	return t.number < u.number
}

// send begins a transfer, and calls landed when all of it has arrived.
func (c *channel) send(now units.Seconds, bytes units.Bytes, landed func(at units.Seconds)) {
	if math.IsInf(float64(c.bandwidth), 1) {
		c.arrive(now, landed)
		return
	}
	c.bringUp(now)
	c.transfers.push(channelTransfer{until: c.share + bytes, number: c.begun, landed: landed})
	c.begun++
	c.awaitNext()
}

// sendEarly is how many of some bytes have been sent by now of a prompt whose layers were sent
// as they were computed: what the link managed since it had been idle for a time. Others that
// were computed meanwhile cannot take the same time again.
func (c *channel) sendEarly(bytes units.Bytes, idle, now units.Seconds) units.Bytes {
	from := max(idle, c.taken)
	sent := min(bytes, units.Bytes(float64(max(0, c.idleUntil(now)-from))*float64(c.bandwidth)))
	c.taken = from + units.Seconds(float64(sent)/float64(c.bandwidth))
	return sent
}

// idleUntil is for how long the link has sent nothing by a time that is not past.
func (c *channel) idleUntil(at units.Seconds) units.Seconds {
	if len(c.transfers) > 0 {
		return c.idle
	}
	return c.idle + at - c.changed
}

// bringUp brings the integral up to date.
func (c *channel) bringUp(now units.Seconds) {
	c.idle = c.idleUntil(now)
	if n := len(c.transfers); n > 0 {
		c.share += units.Bytes(float64(now-c.changed) * float64(c.bandwidth) / float64(n))
	}
	c.changed = now
}

// awaitNext has the fleet end the first transfer when its time has come. Should another one
// begin or end before, that is done anew.
func (c *channel) awaitNext() {
	c.turns++
	if len(c.transfers) == 0 {
		c.share = 0 // so that rounding does not add up
		return
	}
	turn, left := c.turns, max(0, float64(c.transfers[0].until-c.share))
	at := c.changed + units.Seconds(left*float64(len(c.transfers))/float64(c.bandwidth))
	c.fleet.at(at, func() {
		if c.turns == turn {
			c.endFirst(at)
		}
	})
}

// endFirst ends the first transfer: all of it has been sent.
func (c *channel) endFirst(now units.Seconds) {
	c.bringUp(now)
	t := c.transfers.pop()
	c.share = max(c.share, t.until)
	c.awaitNext()
	c.arrive(now, t.landed)
}

// arrive lets a transfer arrive of which all has been sent now.
func (c *channel) arrive(now units.Seconds, landed func(at units.Seconds)) {
	at := now + c.latency
	c.fleet.at(at, func() { landed(at) })
}
