package sim

import (
	"math"
	"slices"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// machine is the state of a replica: the requests in its front end and its queue,
// its batch, its memory, and the step that is set up. Its methods change that
// state; when they are called is up to an engine.
//
// Whatever changes a count that integrate looks at (front end, waiting, batch,
// blocks, heldBy) calls integrate first, with the time of the change: it adds the
// count as it was since the last change. Whatever changes the batch clears series.
type machine struct {
	fleet     *fleet
	pool      *Pool
	poolIndex int
	number    int           // of the replica, over all pools
	roster    *roster       // nil: the replicas of its pool do not come and go
	penalty   units.Seconds // by which its first step is longer
	batching  policies.Batching
	record    *metrics.ReplicaRecord
	totals    *metrics.Totals   // of record
	steps     *metrics.StepSums // likewise

	frontEnd   frontEnd
	sequences  sequences
	waiting    queue
	async      bool                 // a step is planned while the one before it runs
	ahead      bool                 // the step is planned while the one before it runs: with async, unless there was nothing to do then
	missedPlan []*policies.Sequence // with async: came after the next step was planned, in order
	ended      []*sequence          // with async: ended with the step before the one under way, whose plan still counts them
	trails     []*workloads.Trail   // by ID of sequences, of which an engine knows ahead how many guesses are right; nil: it does not
	assumed    bool                 // with async: the last plan counted on guesses that turned out wrong
	running    []*policies.Sequence // the batch, in order of admission, and ended; nil where a sequence has left
	gone       int                  // nils in running
	size       int                  // sequences in the batch: running without its nils and those of ended, and held
	held       []*sequence          // with WholeBatches: have ended, and wait for the others of the batch
	admitted   int64                // sequences so far
	touched    bool                 // something has happened to it beside its steps since it last planned: of use to engines that plan ahead
	fewer      bool                 // requests than at the last plan
	arriving   int                  // sequences that wait for their keys and values from another replica
	lent       []*handover          // requests that it has passed on, whose keys and values are not all sent
	pending    int                  // tokens of prompts that are still to be computed, of requests without a token
	memory     memory
	leastFree  int // blocks of it, at any step so far
	foresight  foresight
	parking    parking
	links      []duplex // by tier
	transfers  upcoming[transfer]
	loading    []*sequence // that wait for loads, in the order in which they left the queue
	storing    []*sequence // that have filled blocks in the step under way, of which copies are to be made
	offering   []*span     // that the step under way fills, and others may use then
	window     int         // tokens that layers with sliding-window attention attend to; 0: no such layers

	now      units.Seconds // start of the current step, or of the time without one
	prompted units.Seconds // when the last step with prompts ended
	changed  units.Seconds // when integrate was last called
	wake     units.Seconds // when an idle machine asks its policy again; forever: when a request comes
	heldBy   policies.Held // why the policy did not admit the head of the queue
	clocks   clocks        // what the time of steps went to, so far

	view     *policies.Aggregate // what its policy sees; that of its pool, which is filled in anew by each look
	decision policies.Decision
	step     step
	series   series     // of the decode steps since the batch last changed
	lines    *costLines // of its cost model
}

func newMachine(f *fleet, pool, number int) machine {
	p, record := &f.config.Pools[pool], f.record.Pools[pool].AddReplica()
	record.Load.Hold(0, 0)
	return machine{
		fleet: f, pool: p, poolIndex: pool, number: number, batching: p.Batching(), record: record, totals: &record.Totals, steps: &record.Steps,
		frontEnd: frontEnd{limit: p.Threads}, async: p.AsyncScheduling && hardware.PipelineOf(p.Cost).Stages() == 1,
		memory: newMemory(p), window: p.Cost.Window(), wake: forever, prompted: -forever, leastFree: math.MaxInt,
		view: f.views[pool], step: newStep(p), links: newLinks(p.Tiers), lines: f.linesOf(pool),
	}
}

// decide asks the policy for the next step and changes the batch as it says. It
// is false when the policy has nothing to do, and says when to ask it again: at once
// where it preempts the whole batch for sequences that have memory but wait for a
// place in it; with asynchronous scheduling that is when the output of the step before
// has come. Moves are forgotten before the batch changes, which adds those of the
// next step.
func (m *machine) decide() bool {
	m.joinReturned()
	m.step.moves.reset()
	for {
		m.decideOnce()
		d := &m.decision
		if len(d.Tasks) > 0 {
			return true
		}
		m.beginLoads()
		if len(d.Preempt) == d.Swap {
			m.wake = max(m.now, d.Wake)
			return false
		}
		m.ahead = false
		m.enqueueMissed()
		m.releaseEnded()
		m.joinReturned()
	}
}

// decideOnce asks the policy, and changes the batch.
func (m *machine) decideOnce() {
	m.look()
	d := &m.decision
	d.Reset()
	m.beginDecision(nil)
	m.batching.Plan(&m.view.View, d)
	m.forgetAssumed()
	m.integrate(m.now)
	m.takeLoads()
	m.preempt(d.Preempt, d.Swap)
	m.restore(d.Restore)
	m.fetch(d.Fetch)
	m.block(d.Blocked)
	m.heldBy = d.Held
	m.admit(d.Joining())
}

// carryOutTotals changes the batch as the policy decided from totals, with which it preempts nobody.
func (m *machine) carryOutTotals() {
	m.integrate(m.now)
	m.step.moves.reset()
	m.takeLoads()
	m.heldBy = m.decision.Held
	m.admit(m.decision.Joining())
}

// newView is what the policies of a pool's replicas see, as far as it is the same for all.
func newView(p *Pool, leastUrgentFirst bool) *policies.Aggregate {
	return &policies.Aggregate{View: policies.View{BlockSize: p.BlockSize, TotalBlocks: p.Blocks, MaxTokens: p.longest(),
		Windows: p.Windows, LeastUrgentFirst: leastUrgentFirst, MovesAside: len(p.Tiers) > 0 && !p.SerialMoves}}
}

// look brings the view that the policy has up to date, and the queue.
func (m *machine) look() {
	if len(m.loading) > 0 {
		m.requeueLoaded()
	}
	if m.waiting.lines != nil {
		m.orderAnew()
	}
	m.memory.setTime(m.now)
	v := &m.view.View
	v.Now, v.FreeBlocks, v.Ended = m.now, m.memory.free, len(m.ended)
	v.Waiting, v.Running, v.Parked = &m.waiting, m.running, &m.parking.sequences
	if m.pool.Eviction != nil || m.pool.Role == DecodeOnly {
		v.Cache = m
	}
	if tiers := m.pool.Tiers; len(tiers) > 0 {
		v.Links, v.FreeTierBlocks = m, tiers[0].Blocks-m.parking.blocks
		v.LeavingBlocks, v.Returning = m.parking.leaving, len(m.parking.returning)
	}
}

// backlog is the number of requests behind the front end that are not in the batch:
// those that wait, for a load too, and those that are parked or on their way back.
func (m *machine) backlog() int {
	return m.waiting.Len() + m.waiting.late.missed + len(m.missedPlan) + len(m.loading) + len(m.parking.sequences) + len(m.parking.returning)
}

// enqueueMissed puts the requests into the queue that were too late for the last
// plan. An engine calls it right after it has planned a step, so that the plan
// behind that one is the first to see them. It is false when there are none.
func (m *machine) enqueueMissed() bool { return m.mayMiss() && m.enqueueAllMissed() }

// mayMiss tells whether any request or load may have been too late for the last plan. It is apart from what is done then so that
// it is inlined.
func (m *machine) mayMiss() bool {
	return len(m.missedPlan)+m.waiting.late.missed+len(m.loading)+len(m.parking.returning) > 0
}

func (m *machine) enqueueAllMissed() bool {
	found := m.noticeLate() || len(m.missedPlan) > 0
	for _, s := range m.missedPlan {
		m.joinQueue(s)
	}
	m.missedPlan = m.missedPlan[:0]
	if m.waiting.late.missed > 0 {
		m.seeLate()
		return true
	}
	return found
}

// joinQueue puts a new request into the queue, by its rank where requests are ranked.
func (m *machine) joinQueue(s *policies.Sequence) {
	m.totals.Requests++
	if m.waiting.lines != nil {
		m.waiting.lines.come(m.sequences.all[s.ID])
		return
	}
	if m.fleet.config.Rank == nil {
		m.waiting.pushBack(s)
		return
	}
	m.waiting.insert(s)
}

// endRequest closes the record of a sequence that has generated its last token, and
// gives its memory back: with async, where the next step is planned already, only
// after that. It is true if the sequence leaves the batch; the caller takes it
// out of running, which engines do in different ways. The traffic hears of the end
// last: in a closed loop it answers with the client's next request.
func (m *machine) endRequest(s *sequence, now units.Seconds) (left bool) {
	m.series.end()
	if m.waiting.lines != nil {
		m.waiting.lines.generated(s)
	}
	if s.part != nil {
		m.passOn(s, now)
		return true
	}
	if m.pool.WholeBatches {
		m.hold(s, now)
		return true
	}
	request := s.request
	m.answer(s, now)
	if m.async {
		s.Ended, s.Overruns = true, s.accepted > 0
		m.ended = append(m.ended, s)
	} else {
		m.release(s)
	}
	m.fleet.config.Traffic.Done(request, now)
	return !m.async
}

// hold keeps a sequence that has ended, with its memory, until all others of the batch
// have ended too. Their answers leave together.
func (m *machine) hold(s *sequence, now units.Seconds) {
	m.held = append(m.held, s)
	if len(m.held) < m.size {
		return
	}
	for _, s := range m.held {
		request := s.request
		m.answer(s, now)
		m.release(s)
		m.fleet.config.Traffic.Done(request, now)
	}
	m.held = m.held[:0]
}

// answer closes the record of a sequence that has ended, and takes it out of the count
// of the batch.
func (m *machine) answer(s *sequence, now units.Seconds) {
	record := m.enter(s, decodes)
	record.Last, record.Generated, record.State = now, int32(s.Generated), metrics.Completed
	if m.pool.WholeAnswers {
		record.First, record.ToFirst = now, record.ToLast
	}
	m.roster.noteEnd(record, now)
	m.fleet.record.Close(s.request)
	m.fleet.record.Trend.Leave(now)
	m.fleet.flow.completed++
	m.fleet.recover(now)
	delete(m.fleet.inFlight, s.request)
	m.size--
	m.fewer = true
	r := m.fleet.replicas[m.number]
	if s.whole {
		r.endWhole()
	}
	r.setLevels()
	r.refresh()
}

// releaseEnded lets the sequences leave the batch that ended a step ago. An engine
// calls it when the step has ended whose plan still counted them, and at once when
// that plan had nothing to do: the next one then follows without a step between.
func (m *machine) releaseEnded() {
	if len(m.ended) == 0 {
		return
	}
	m.running = slices.DeleteFunc(m.running, func(v *policies.Sequence) bool { return v.Ended })
	for _, s := range m.ended {
		m.nameRest(s)
		m.release(s)
	}
	m.ended = m.ended[:0]
}
