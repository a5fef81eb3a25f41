package sim

import (
	"errors"
	"slices"

	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// Role says which part of a request a pool's replicas do.
type Role int

const (
	Both        Role = iota
	PrefillOnly      // up to the first token of the answer; keys and values go to a replica that decodes
	DecodeOnly       // from the second token on, and prompts that are too short to be sent away

	mixed // all of it, by replicas of pools that otherwise do a part: see mixed_pool.go

	roles
)

// Transfer is how keys and values of a prompt come from the replica that computed it to
// the one that generates the answer. Memory is held on both sides until all has arrived.
type Transfer struct {
	Bandwidth units.BytesPerSecond // of the link of each accelerator
	Latency   units.Seconds

	// Shared is one link for all transfers; else each replica has its own, which what it
	// sends shares, or what it receives.
	Shared bool

	Mode TransferMode

	// Layers is the number of layers of the model where each is sent as soon as it is
	// computed, which needs a Reservation: what is left to send at the end is at least one
	// layer, and as much as either link did not manage during the prefill in the time that it
	// had nothing else to send. 0: all is sent at the end.
	Layers int

	// MinTokens is the length of a prompt from which on it is computed by a replica that
	// prefills; shorter ones are by the one that decodes.
	MinTokens int

	// MaxPendingTokens is how many tokens of prompts are to be computed in a replica, and
	// MaxPendingRequests how many requests wait in it, from which on its queue is long: while those of
	// all replicas are long that do one part of requests, others serve whole ones. 0: no queue is.
	MaxPendingTokens   int
	MaxPendingRequests int
}

// TransferMode says when the replica that decodes is chosen, and where keys and values go.
type TransferMode int

const (
	// Pull chooses it when the prompt is computed. It asks for the keys and values once it
	// has blocks for the request.
	//
	// Source: vllm/distributed/kv_transfer/kv_connector/v1/nixl.
	Pull TransferMode = iota

	// Push sends them as soon as it is chosen then, into a buffer beside its KV blocks.
	//
	// Source: vllm/distributed/kv_transfer/kv_connector/v1/p2p.
	Push

	// Reserve chooses it when the request arrives. The prompt is computed once it has blocks
	// for the request, to which they are sent.
	//
	// Source: python/sglang/srt/disaggregation/decode.py.
	Reserve
)

// passOn ends the part of a request that a replica does which only prefills. The one that
// decodes is chosen, or hears of it, once all is committed that ends now.
func (m *machine) passOn(s *sequence, now units.Seconds) {
	m.enter(s, decodes)
	m.fleet.record.Of(s.request).Generated = int32(s.Generated)
	m.size--
	m.roster.noteLeft(now)
	h := s.part
	h.from, h.kept, h.last, h.computed = m.fleet.replicas[m.number], s, now, s.Length()-1
	h.tokens = float64(m.pool.blocksFor(h.computed) * m.pool.BlockSize)
	m.lent = append(m.lent, h)
	h.from.setLevels()
	h.from.refresh()
	m.fewer = true
	if layers := float64(m.fleet.config.Transfer.Layers); len(h.early.sides) > 0 {
		h.early.send(h.tokens*(1-h.cached)*(1-1/layers), now)
	}
	m.fleet.handovers = append(m.fleet.handovers, h)
}

// continueElsewhere has the replica go on that generates the answer, or be chosen.
func (f *fleet) continueElsewhere(h *handover, now units.Seconds) {
	if h.lost != nil { // the blocks that were reserved
		f.endLoan(h, now)
		h.lost.sendAgain([]visit{h.again()}, now)
		return
	}
	f.record.Totals.HandedOver++
	if h.sequence != nil {
		f.touch(h.to, now, func() { h.to.expect(h) })
		f.transfer(h, now)
		return
	}
	if f.network.instant() {
		f.land(h, now)
	}
	v := &visit{Request: h.request, opened: true, counted: true, handover: h}
	f.sendTo(f.groupOf(v.Class, DecodeOnly), v, now)
}

// transfer sends what is left to send. Where nothing is left of it, or a link is known to be
// lost, the request goes back; where a replica has failed and nobody knows, nothing happens.
func (f *fleet) transfer(h *handover, now units.Seconds) {
	lost := h.lost
	if lost == nil {
		lost = h.cutOff()
	}
	switch {
	case lost != nil:
		f.at(now, func() { f.sendBack(h, lost, now) })
	case f.network.instant():
		f.land(h, now)
	case !h.from.hangs && !h.to.hangs:
		h.delivery = f.network.send(now, h.toSend()-h.early.sent, h.from, h.to, func(at units.Seconds) { f.land(h, at) })
	}
}

// pair notes that a request goes to a replica. If that is the one which generates its answer
// and the prompt is computed, what is pushed is sent to it.
func (f *fleet) pair(v *visit, to *replica, now units.Seconds) {
	h := v.handover
	switch {
	case to.pool.Role == Both && h != nil:
		f.abandon(h, now)
		v.handover = nil
	case to.pool.Role != DecodeOnly:
	case h != nil:
		h.to = to
		if f.config.Transfer.Mode == Push && !h.landed {
			f.transfer(h, now)
		}
	case f.reserves(v):
		v.handover = newHandover(v)
		v.handover.to = to
	}
}

// land ends the transfer of a request's keys and values: the one side gives up its blocks,
// and the other one may go on, if it waits for them already. That of a request which was
// refused meanwhile, or lost, has ended before, and one to or from a replica that has failed
// never ends.
func (f *fleet) land(h *handover, now units.Seconds) {
	if h.landed || h.lost != nil || h.from.hangs || h.to != nil && h.to.hangs {
		return
	}
	h.landed = true
	f.endLoan(h, now)
	if h.sequence != nil {
		f.touch(h.to, now, func() { h.to.endArrival(h.sequence, h.to.active && h.to.async) })
	}
}

// touch changes a replica from outside, which has done what it does before now. An idle one
// asks its policy again.
func (f *fleet) touch(r *replica, now units.Seconds, change func()) {
	r.runUntil(now)
	r.catchUp(now)
	change()
	if !r.active {
		r.wake = now
	}
	f.reschedule(r)
}

// lookArriving looks a sequence up whose keys and values come from another replica: what is
// cached of it here, in whole blocks, need not be sent. It need not wait for what has
// landed before it has blocks.
func (m *machine) lookArriving(s *sequence, d *policies.Decision) policies.Hit {
	s.hit.reset()
	s.loads = 0
	held := 0
	if m.memory.cached != nil {
		m.foresee(d)
		held = m.findCached(s, min(s.named, s.Length()-1)/m.pool.BlockSize)
	}
	return policies.Hit{Tokens: s.Length() - 1, Held: held, Load: !s.handover.landed}
}

// beginArrival gives a sequence all its blocks. It waits outside the batch until its keys
// and values are in them.
func (m *machine) beginArrival(s *sequence, t *policies.Task) {
	m.takeForLoad(s, t)
	h := s.handover
	h.sequence = s
	m.arriving++
	h.cached = float64(s.cached.blocks*m.pool.BlockSize) / float64(s.Length()-1)
	if h.from == nil {
		m.fleet.computePrompt(h, m.now)
		return
	}
	m.fleet.noteArriving(1, m.now)
	if m.fleet.config.Transfer.Mode != Push || h.lost != nil {
		m.fleet.transfer(h, m.now)
	}
}

// endArrival lets a sequence come back to the queue, whose keys and values are in its
// blocks, when the next step is planned that is not planned already (late).
func (m *machine) endArrival(s *sequence, late bool) {
	m.arriving--
	m.fleet.noteArriving(-1, m.changed)
	s.Computed = s.Length() - 1
	s.computed = s.Computed
	s.landed, s.late = true, late
	m.enter(s, waits)
	s.handover = nil
}

// noteArriving notes that so many more requests have their keys and values on the way.
func (f *fleet) noteArriving(n int, now units.Seconds) {
	f.recordTransfers(now)
	f.transferTime += float64(f.arriving) * float64(now-f.arrivingChanged)
	f.arrivingChanged = now
	f.arriving += n
}

// checkRoles is an error where prompts are computed and nobody generates the answers, or
// the reverse.
func (c *Config) checkRoles() error {
	has := map[Role]bool{}
	for i := range c.Pools {
		has[c.Pools[i].Role] = true
		if c.Pools[i].Role == Both && slices.ContainsFunc(c.Pools[i].Failures, func(f Failure) bool { return f.Link }) {
			return errors.New("sim: replicas that do whole requests have no links that may fail")
		}
	}
	if has[PrefillOnly] != has[DecodeOnly] || has[PrefillOnly] != (c.Transfer != nil) {
		return errors.New("sim: pools that only prefill, pools that only decode and a transfer between them go together")
	}
	return nil
}

// firstRole is the role of the replicas that a request goes to first.
func (f *fleet) firstRole(v *visit) Role {
	t := f.config.Transfer
	if t != nil && (v.toCompute() < t.MinTokens || f.reserves(v)) && f.groupOf(v.Class, DecodeOnly).roomiest != nil {
		return DecodeOnly
	}
	return PrefillOnly
}

// does tells whether the pool's replicas do a part of requests.
func (p *Pool) does(role Role) bool {
	switch role {
	case mixed:
		return p.Role != Both
	case PrefillOnly:
		return p.Role == role || p.Role == Both
	}
	return p.Role == role
}

// servable tells whether the replicas of a pool can do their part of a request, and some replica
// the other one. It cuts the request where that is asked for.
func (f *fleet) servable(v *visit, p *Pool) bool {
	switch {
	case v.whole:
		return true
	case p.Role == PrefillOnly && v.handover == nil:
		return f.fit(v, f.groupOf(v.Class, DecodeOnly).roomiest) && f.fit(v, p)
	case p.Role == DecodeOnly && v.handover == nil && f.reserves(v):
		return f.fit(v, f.groupOf(v.Class, PrefillOnly).roomiest) && f.fit(v, p)
	}
	return f.fit(v, p)
}

// partOfLoad is the part of a latency that the wait for keys and values is.
func (s *sequence) partOfLoad() metrics.Part {
	if s.handover != nil {
		return metrics.KVTransfer
	}
	return metrics.Transfer
}

// beginPart begins the part of a request that a replica does. One that generates the rest of
// an answer counts the token that comes with the prompt as there from the start, which comes
// before it does anything.
func (m *machine) beginPart(s *sequence, v *visit) {
	h := v.handover
	switch {
	case v.whole:
		s.whole = true
	case m.pool.Role == PrefillOnly && v.Output > v.generated()+1:
		if h == nil {
			h = newHandover(v)
		}
		s.part, s.output = h, h.generated
	case h != nil:
		s.handover, s.guest, s.Generated, s.last = h, true, h.generated, h.last
	}
}
