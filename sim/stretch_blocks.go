package sim

import "kneepoint/units"

// takeBlocksOf takes the blocks of the steps from one to before another, counted from 0 among those that follow, and counts the time
// until the last of them ends. None come free meanwhile, so that they are taken at once, and the time integral of those
// that come up every so many steps is a sum in closed form.
func (e *stretches) takeBlocksOf(from, to int) {
	d, end, blocks := &e.decoding, e.series.endOf(to), 0
	offset, most := d.offsetIn(from), (to-from)/d.blockSize
	several := from + (to-from)%d.blockSize // steps before this one come once more in each period
	for k := from; k < min(to, from+d.blockSize); k++ {
		times := most
		if k < several {
			times++
		}
		if demand := d.offsets[offset]; demand > 0 {
			blocks += demand * times
			e.totals.KVBlocks += float64(demand) * float64(e.series.until(to, k, d.blockSize, times))
		}
		offset = d.offsetBehind(offset)
	}
	if e.fleet.config.Timeline != nil {
		e.recordBlocksOf(from, to)
	}
	e.integrate(end)
	if d.names > 0 {
		e.takeOneByOne(from, to)
	} else {
		e.memory.allocate(blocks)
	}
	e.notePeakMemory()
}

// takeOneByOne takes the blocks of these steps, and lets others find those that are filled before each of them.
func (e *stretches) takeOneByOne(from, to int) {
	d := &e.decoding
	for k := from; k < to; k++ {
		e.memory.allocate(d.demand(k))
		e.publishFilled(d, k, e.series.endOf(k))
		e.sendCopies(e.series.endOf(k + 1))
	}
}

// until is the time from the beginning of a step to that of the n-th one, and likewise from every period-th one behind it,
// a number of them in all, summed up. Steps are counted from 0 among those that are not taken.
func (s *series) until(n, step, period, number int) units.Seconds {
	first, last := float64(s.taken+step), float64(s.taken+n)
	p, m := float64(period), float64(number)
	pairs := m * (m - 1) / 2 // 0 + 1 + … + (m-1), of which (2m-1)/3 times as much are the squares
	steps := m*(last-first) - p*pairs
	growth := m*last*(last-1) - m*first*(first-1) - p*(2*first-1)*pairs - p*p*pairs*(2*m-1)/3
	return units.Seconds(steps)*s.first.Time + s.slope.Time*units.Seconds(growth/2)
}
