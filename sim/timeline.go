package sim

import (
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// What follows adds to the timeline that a run is asked for, where it is asked for one:
// what the time integrals count, and the tokens of steps, spread evenly over each.

// recordTime adds the time since the last change, in which counts were as they are.
func (m *machine) recordTime(now units.Seconds) {
	if t := m.fleet.config.Timeline; t != nil {
		m.addTime(t, now)
	}
}

// addTime is apart so that what asks for it is inlined.
func (m *machine) addTime(t *metrics.Timeline, now units.Seconds) {
	dt := float64(now - m.changed)
	frontEnd, waiting, running := float64(len(m.frontEnd.minHeap)), float64(m.backlog()-m.arriving), float64(m.size)
	tokens := float64(m.memory.used() * m.pool.BlockSize)
	t.Over(t.Pool(m.poolIndex), m.changed, now, func(b *metrics.Bucket, share float64) {
		b.FrontEnd += frontEnd * dt * share
		b.Waiting += waiting * dt * share
		b.Running += running * dt * share
		b.KVTokens += tokens * dt * share
	})
}

// recordBlocks adds blocks that are taken at a time and held until another one, up to which the others are recorded.
func (m *machine) recordBlocks(blocks int, at, until units.Seconds) {
	t := m.fleet.config.Timeline
	if t == nil || blocks == 0 {
		return
	}
	tokenTime := float64(blocks*m.pool.BlockSize) * float64(until-at)
	t.Over(t.Pool(m.poolIndex), at, until, func(b *metrics.Bucket, share float64) { b.KVTokens += tokenTime * share })
}

// recordBlocksOf adds those that the steps from one to before another take.
func (e *stretches) recordBlocksOf(from, to int) {
	end := e.series.endOf(to)
	for k := from; k < to; k++ {
		e.recordBlocks(e.decoding.demand(k), e.series.endOf(k), end)
	}
}

// recordPrompts adds the prompts' tokens of the step that is set up.
func (m *machine) recordPrompts(start, end units.Seconds) {
	t := m.fleet.config.Timeline
	if t == nil {
		return
	}
	tokens := 0
	for _, chunk := range m.step.work.Prefill {
		tokens += chunk.Tokens
	}
	t.Over(t.Pool(m.poolIndex), start, end, func(b *metrics.Bucket, share float64) { b.PromptTokens += float64(tokens) * share })
}

// recordOutput adds tokens that steps generated.
func (m *machine) recordOutput(start, end units.Seconds, tokens int) {
	if t := m.fleet.config.Timeline; t != nil {
		addOutput(t, m.poolIndex, start, end, tokens)
	}
}

// addOutput adds the tokens of a pool that steps from a start to an end generated. It is apart so that what asks for it is inlined.
func addOutput(t *metrics.Timeline, pool int, start, end units.Seconds, tokens int) {
	t.Over(t.Pool(pool), start, end, func(b *metrics.Bucket, share float64) { b.OutputTokens += float64(tokens) * share })
}

// recordStretch adds the tokens of the next n steps of the series, each of which generates
// the same number.
func (e *stretches) recordStretch(n int) {
	if e.fleet.config.Timeline == nil {
		return
	}
	start := e.now
	for k := 1; k <= n; k++ {
		end := e.series.endOf(k)
		e.recordOutput(start, end, e.decoding.count)
		start = end
	}
}

// recordPreemption adds a preemption that happens now.
func (m *machine) recordPreemption() {
	if t := m.fleet.config.Timeline; t != nil {
		t.At(t.Pool(m.poolIndex), m.changed).Preemptions++
	}
}

// recordArrival adds a request that arrives.
func (f *fleet) recordArrival(id int, at units.Seconds) {
	t := f.config.Timeline
	if t == nil {
		return
	}
	if id == 0 {
		t.Begin(at)
		f.record.Timeline = t
	}
	t.At(t.Fleet, at).Arrivals++
}

// recordRouter adds the time since the number of requests at the router last changed.
func (f *fleet) recordRouter(now units.Seconds) {
	t := f.config.Timeline
	if t == nil || f.atRouter == 0 {
		return
	}
	requestTime := float64(f.atRouter) * float64(now-f.routerChanged)
	t.Over(t.Fleet, f.routerChanged, now, func(b *metrics.Bucket, share float64) { b.AtRouter += requestTime * share })
}

// recordTransfers adds the time since the number of requests between replicas last changed.
func (f *fleet) recordTransfers(now units.Seconds) {
	t := f.config.Timeline
	if t == nil || f.arriving == 0 {
		return
	}
	requestTime := float64(f.arriving) * float64(now-f.arrivingChanged)
	t.Over(t.Fleet, f.arrivingChanged, now, func(b *metrics.Bucket, share float64) { b.InTransfer += requestTime * share })
}
