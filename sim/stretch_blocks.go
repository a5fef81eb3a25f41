package sim

import "kneepoint/units"

// takeBlocksOf takes the blocks of the steps from one to before another, counted from 0 among those that follow, and counts the time
// until the last of them ends. None come free meanwhile, so that they are taken at once, and the time integral of those
// that come up every so many steps is a sum in closed form.
func (e *stretches) takeBlocksOf(from, to int, end units.Seconds) {
	d := &e.decoding
	taken := d.taken(from, to, e.series.taken)
	e.totals.KVBlocks += taken.until(&e.series, to)
	if e.fleet.config.Timeline != nil {
		e.recordBlocksOf(from, to)
	}
	e.integrate(end)
	if d.names > 0 {
		e.takeOneByOne(from, to)
	} else {
		e.memory.allocate(taken.number)
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

// takenBlocks are blocks that steps of a series take: how many, and the sums over them of the number of the step that takes them,
// counted from 0 in the series, and of its square.
type takenBlocks struct{ number, steps, squares int }

// manyRounds is how many times each offset comes up from where on a sum for each of them takes less than one for each step.
const manyRounds = 4

// taken are the blocks of the steps from one to before another, counted from 0 among those that follow, a number of which are taken of the series.
func (d *decoding) taken(from, to, before int) (b takenBlocks) {
	if to-from > manyRounds*d.blockSize {
		return d.takenAgain(from, to, before)
	}
	offset := d.offsetIn(from)
	for step := before + from; step < before+to; step++ {
		steps := d.offsets[offset] * step
		b.number += d.offsets[offset]
		b.steps += steps
		b.squares += steps * step
		offset = d.offsetBehind(offset)
	}
	return b
}

// takenAgain is the same with one sum for each offset, however many steps there are.
func (d *decoding) takenAgain(from, to, before int) (b takenBlocks) {
	offset, times, more := d.offsetIn(from), (to-from)/d.blockSize, (to-from)%d.blockSize
	for k := range d.blockSize {
		number := times
		if k < more {
			number++
		}
		b.add(d.offsets[offset], before+from+k, d.blockSize, number)
		offset = d.offsetBehind(offset)
	}
	return b
}

// add adds the blocks that a step takes, and likewise every period-th one behind it, a number of them in all.
func (b *takenBlocks) add(blocks, step, period, number int) {
	sum := number * (number - 1) / 2 // 0 + 1 + … + (number-1), of which (2·number-1)/3 times as much are the squares
	b.number += blocks * number
	b.steps += blocks * (number*step + period*sum)
	b.squares += blocks * (number*step*step + 2*step*period*sum + period*period*(sum*(2*number-1)/3))
}

// until is the time for which they are held until the n-th step from now on begins, summed up: from the beginnings of the steps that
// take them.
func (b *takenBlocks) until(s *series, n int) float64 {
	last := s.taken + n
	steps := last*b.number - b.steps
	growth := last*(last-1)*b.number - (b.squares - b.steps)
	return float64(steps)*float64(s.first.Time) + float64(s.slope.Time)*(float64(growth)/2)
}

// takeAhead takes the blocks of the next n steps, which were computed ahead, and counts the time until the last of them ends.
func (m *machine) takeAhead(n int, step func(i int) (blocks int, end units.Seconds)) {
	start, taken := m.now, 0
	_, last := step(n - 1)
	m.integrate(last)
	for i := range n {
		blocks, end := step(i)
		m.totals.KVBlocks += float64(blocks) * float64(last-start)
		taken += blocks
		start = end
	}
	m.memory.allocate(taken)
	m.notePeakMemory()
}
