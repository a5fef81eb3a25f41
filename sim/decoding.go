package sim

import (
	"slices"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
	"kneepoint/units/paging"
)

// decoding is the sequences of a batch that decode, as totals. They advance
// together, by a token per step, so a sequence's progress is the number of steps
// since it joined; what it will need, and when it ends, is known when it joins. So
// a step costs the same however many sequences decode in it: only joining and ending
// costs anything for each. While a sequence is counted here, its own Generated,
// Computed and Blocks are those of the step with which it joined; synchronize brings
// them up to date.
type decoding struct {
	window    int // tokens that layers with sliding-window attention attend to; 0: no such layers
	blockSize int // tokens of a block
	windows   paging.Windows
	groups    int // of layers, each with blocks of its own
	growing   int // tokens in memory up to which a sequence takes a block for each group

	gathered   bool      // the batch's sequences that decode are counted here
	prefilling *sequence // the one sequence of the batch that does not decode; nil: none

	steps        int64         // steps so far in which these sequences had a token
	phase        int           // of these, those since the last that is a multiple of the block size
	last         units.Seconds // when the last of them ended
	paused       units.Seconds // where the last of them came behind a pause, when those that paused had their token before; -1: nobody paused
	stalls       []tokenGroup  // sequences that were left out of steps since their last token, by when that came
	count        int           // sequences
	paged        int           // of these, the ones that take blocks as their tokens come
	context      int64         // tokens that they attend to in the next step, their own included
	windowed     int64         // the same in layers with a window
	insideWindow int           // sequences that do not fill the attention window yet
	inWindow     int           // sequences that count for the steady state
	ends         stepHeap      // sequences by the step with which they have their last token
	fills        stepHeap      // sequences by the step with which they fill the attention window
	outgrow      stepHeap      // sequences that grow in every group, by the step with which that ends
	offsets      []int         // blocks that sequences need together, by (tokens in memory - steps) modulo the block size
	naming       [][]*sequence // by the same, in order of the batch: those that are to fill blocks which others may find
	names        int           // of sequences in naming
	gaps         gaps          // between the tokens of these sequences
	begun        bool          // the step under way is set up alone, and what its plan knew has names
	lag          int           // steps after which a plan knows the token of a step: 1 with asynchronous scheduling
}

func newDecoding(m *machine) decoding {
	p := m.pool
	d := decoding{window: m.window, blockSize: p.BlockSize, windows: p.Windows, groups: 1, gaps: newGaps(m),
		offsets: make([]int, p.BlockSize), naming: make([][]*sequence, p.BlockSize)}
	if m.async {
		d.lag = 1
	}
	if w := p.Windows; w.Groups > 0 {
		d.groups, d.growing = w.Groups+w.Full, w.Growing(p.BlockSize)
	}
	return d
}

// join adds a sequence that has one pending token. One that has reserved memory for
// its whole length needs no blocks later, and is in no offset.
func (d *decoding) join(s *sequence) {
	s.decoding = true
	s.joined = d.steps
	d.gaps.join(s)
	d.count++
	attended := s.Computed + 1
	d.context += int64(attended)
	d.windowed += int64(min(attended, d.window))
	if attended < d.window {
		d.insideWindow++
		d.fills.push(stepEntry{step: d.steps + int64(d.window-attended), sequence: s})
	}
	if s.inWindow {
		d.inWindow++
	}
	if s.Reserved == 0 {
		d.paged++
		d.offsets[d.offset(s)] += d.needed(s)
		if s.Computed < d.growing {
			d.outgrow.push(stepEntry{step: d.steps + int64(d.growing-s.Computed), sequence: s})
		}
	}
	d.ends.push(stepEntry{step: d.steps + int64(s.output-s.Generated), sequence: s})
}

// offset is the index of a sequence in offsets. Its tokens and the steps grow alike, so
// that the difference stays, and sequences that need a block in the same step share
// an index.
func (d *decoding) offset(s *sequence) int {
	size := int64(d.blockSize)
	return int(((int64(s.Computed)-s.joined)%size + size) % size)
}

// needed is the number of blocks that a sequence needs at once when its last block is
// full: one of each group of layers that has to keep more tokens than before. Its own
// counts are up to date.
func (d *decoding) needed(s *sequence) int {
	if d.growing > 0 && s.Computed >= d.growing {
		return d.windows.Full
	}
	return d.groups
}

// foreseeable is the number of steps, at most n, of which the demand is known: until the
// next sequence outgrows its window.
func (d *decoding) foreseeable(n int) int {
	if len(d.outgrow) > 0 {
		return min(n, int(d.outgrow[0].step-d.steps))
	}
	return n
}

// demand is the number of blocks that are needed in the n-th step from now on,
// counted from 0, within what is foreseeable: those of each sequence whose last block
// is full.
func (d *decoding) demand(n int) int {
	if d.count == 0 {
		return 0
	}
	return d.offsets[d.offsetIn(n)]
}

// offsetIn is the offset of the sequences whose last block is full before the n-th
// step from now on.
func (d *decoding) offsetIn(n int) int {
	at := d.phase + n
	if at >= d.blockSize { // a division costs more than all else that is done for a step
		at %= d.blockSize
	}
	if at == 0 {
		return 0
	}
	return d.blockSize - at
}

// offsetBehind is the offset of the sequences whose last block is full a step after that of those of another one. Asking for
// each step anew takes a division.
func (d *decoding) offsetBehind(offset int) int {
	if offset == 0 {
		return d.blockSize - 1
	}
	return offset - 1
}

// work is the share of these sequences in the step that is decided: nothing where the
// policy lets them wait for a prompt.
func (d *decoding) work(prefill []hardware.Chunk, decision *policies.Decision) hardware.Work {
	if decision.Stall {
		return hardware.Work{Prefill: prefill}
	}
	return hardware.Work{Prefill: prefill, PaddingRows: decision.PaddingRows, DecodeRows: d.count, LogitRows: d.count,
		DecodeContext: d.context, DecodeWindowContext: d.windowed}
}

// stall notes a step from now on in which no sequence processes its token: the gaps
// before their next tokens are longer than a step.
func (d *decoding) stall(now units.Seconds) { d.stalls = d.byLastToken(now) }

// byLastToken groups the sequences by when they had their last token, which is now for
// those that were left out of no step. The slice is valid until the next advance.
func (d *decoding) byLastToken(now units.Seconds) []tokenGroup {
	g := tokenGroup{last: now, count: d.count, inWindow: d.inWindow}
	for _, s := range d.stalls {
		g.count -= s.count
		g.inWindow -= s.inWindow
	}
	return append(d.stalls, g)
}

// steady is the number of sequences that had a token in the last step.
func (d *decoding) steady() int {
	if len(d.stalls) == 0 {
		return d.count
	}
	gaps := d.byLastToken(0)
	return gaps[len(gaps)-1].count
}

// tokenGroup is sequences whose last token came at the same time.
type tokenGroup struct {
	last     units.Seconds
	count    int
	inWindow int // of them, those that count for the steady state
}

// growth is how the work of these sequences grows from step to step, and for how many
// steps: until the first of them ends or fills the attention window. Without any the
// step is that of one which was preempted and is back at the same time, and decodes
// with a task of its own.
func (d *decoding) growth() contextGrowth {
	if d.count == 0 {
		return contextGrowth{steps: 1}
	}
	g := contextGrowth{steps: int(d.ends[0].step - d.steps), context: d.count, windowContext: d.insideWindow}
	if len(d.fills) > 0 {
		g.steps = min(g.steps, int(d.fills[0].step-d.steps))
	}
	return g
}

// advance counts n steps, the last of which ends at a time. n is at most that of
// growth, so that no sequence ends before the last of them.
func (d *decoding) advance(n int, end units.Seconds) {
	d.begun = false
	d.steps += int64(n)
	if d.phase += n; d.phase >= d.blockSize {
		d.phase %= d.blockSize
	}
	d.last, d.paused = end, d.lastPause()
	d.stalls = d.stalls[:0]
	d.context += int64(n * d.count)
	d.windowed += int64(n * d.insideWindow)
	for d.fills.due(d.steps) {
		d.fills.pop()
		d.insideWindow--
	}
	for d.outgrow.due(d.steps) {
		d.offsets[d.offset(d.outgrow.pop().sequence)] -= d.windows.Groups
	}
}

// haveEnded tells whether the last token of a sequence came with the last step.
func (d *decoding) haveEnded() bool { return d.ends.due(d.steps) }

// popEnded takes out the next sequence whose last token came with the last step, in
// the order of the batch; there is one. The order matters: it is that in which
// the reference ends them, and clients of a closed loop send their next requests.
func (d *decoding) popEnded() *sequence {
	s := d.ends.pop().sequence
	s.decoding = false
	d.removeNaming(s)
	d.synchronize(s)
	if s.Reserved == 0 {
		d.paged--
		d.offsets[d.offset(s)] -= d.needed(s)
		if s.Computed < d.growing {
			d.outgrow.remove(slices.IndexFunc(d.outgrow, func(e stepEntry) bool { return e.sequence == s }))
		}
	}
	d.count--
	attended := s.Computed + 1
	d.context -= int64(attended)
	d.windowed -= int64(min(attended, d.window))
	if attended < d.window {
		d.insideWindow--
		d.fills.remove(slices.IndexFunc(d.fills, func(e stepEntry) bool { return e.sequence == s }))
	}
	if s.inWindow {
		d.inWindow--
	}
	return s
}

// synchronize brings the sequence's own counts up to date. Blocks never shrink: a
// sequence may have reserved more than it fills.
func (d *decoding) synchronize(s *sequence) {
	n := int(d.steps - s.joined)
	s.certain = d.planned(s)
	s.joined = d.steps
	d.gaps.settle(s)
	s.Generated += n
	s.Computed += n
	s.computed = max(s.computed, s.Computed)
	s.Blocks = max(s.Blocks, d.windows.BlocksFor(s.Computed, d.blockSize))
	if n > 0 {
		s.last = d.last
	}
}

// planned is how many tokens of a sequence the plan of the last step knew.
func (d *decoding) planned(s *sequence) int {
	n := int(d.steps - s.joined)
	switch {
	case n == 0:
		return s.certain
	case d.paused >= 0 && (n > 1 || s.last <= d.paused):
		return s.Computed + n
	}
	return max(s.certain, s.Computed+n-d.lag)
}

// clear forgets the sequences; their own counts must be up to date.
func (d *decoding) clear() {
	d.gathered, d.begun, d.prefilling, d.stalls = false, false, nil, d.stalls[:0]
	d.count, d.paged, d.context, d.windowed, d.insideWindow, d.inWindow = 0, 0, 0, 0, 0, 0
	d.ends, d.fills, d.outgrow = d.ends[:0], d.fills[:0], d.outgrow[:0]
	clear(d.offsets)
	d.gaps.clear()
	d.clearNaming()
}
