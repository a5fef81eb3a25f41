package sim

import (
	"context"
	"fmt"
	"slices"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// watcher looks over the shoulder of every policy and of the cost model of a
// run.
type watcher struct {
	fleet    *fleet
	problems []string

	logits     int                   // rows that were sampled
	computed   int                   // tokens that were processed, padding apart
	recomputed int                   // of them, what the work says was there before
	cached     int                   // tokens that no step computed for their request
	first      map[int]units.Seconds // when each request was seen with a first token
}

// watch simulates config and returns what the watcher saw.
func watch(config Config) (*metrics.Record, *watcher, error) {
	w := &watcher{first: map[int]units.Seconds{}}
	config.Pools = slices.Clone(config.Pools)
	config.Pools[0].Cost = &watchedCost{config.Pools[0].Cost, w}
	config.Reference = true // which looks at every step
	batching := config.Pools[0].Batching
	config.Pools[0].Batching = func() policies.Batching {
		return &watchedPolicy{Batching: batching(), watcher: w, computed: map[*workloads.Content]int{}}
	}
	w.fleet = newFleet(context.Background(), &config)
	rec, err := w.fleet.run()
	return rec, w, err
}

func (w *watcher) problem(format string, args ...any) {
	w.problems = append(w.problems, fmt.Sprintf(format, args...))
}

// watchedPolicy checks what a policy is shown.
type watchedPolicy struct {
	policies.Batching
	watcher *watcher
	replica *replica // once it plans
	last    units.Seconds

	computed map[*workloads.Content]int // of the named tokens, by requests of this content
}

// Plan implements policies.Batching.
func (p *watchedPolicy) Plan(v *policies.View, d *policies.Decision) {
	if p.replica == nil {
		all := p.watcher.fleet.replicas
		p.replica = all[slices.IndexFunc(all, func(r *replica) bool { return r.batching == policies.Batching(p) })]
	}
	if v.Now < p.last {
		p.watcher.problem("the clock went back from %v to %v", p.last, v.Now)
	}
	if v.Now > p.watcher.fleet.cut {
		p.watcher.problem("planned at %v, after the end", v.Now)
	}
	p.last = v.Now
	used, ended := 0, 0
	for _, s := range v.Running {
		used += s.Blocks
		if s.Ended {
			ended++
		}
		p.look(v, s)
		if s.Computed > s.Blocks*v.BlockSize && !s.Offloaded && p.replica.pool.Windows.Groups == 0 || s.Pending() < 1 && s.InFlight == 0 && !s.Ended {
			p.watcher.problem("%d tokens in %d blocks, %d pending", s.Computed, s.Blocks, s.Pending())
		}
	}
	for _, s := range p.replica.held {
		used += s.Blocks
	}
	if ended != v.Ended {
		p.watcher.problem("%d of the batch have ended, and %d are said to have", ended, v.Ended)
	}
	used += p.replica.heldOutside()
	// Blocks of a shared prefix are held by several at once.
	if v.FreeBlocks < 0 || v.FreeBlocks+used < v.TotalBlocks || v.FreeBlocks+used > v.TotalBlocks && v.Cache == nil {
		p.watcher.problem("%d blocks free and %d in use, of %d", v.FreeBlocks, used, v.TotalBlocks)
	}
	fresh := 0
	for i := range v.Waiting.Len() {
		s := v.Waiting.At(i)
		if p.look(v, s).Preemptions == 0 {
			fresh++
		}
		loaded := p.replica.sequences.all[s.ID].load.tokens
		if s.Blocks > 0 && (s.Computed != loaded || s.Computed > s.Blocks*v.BlockSize) || s.Blocks == 0 && s.Computed != 0 {
			p.watcher.problem("a request waits with %d tokens in %d blocks", s.Computed, s.Blocks)
		}
	}
	if limit := p.watcher.fleet.config.Pools[0].MaxWaiting; limit > 0 && fresh > limit {
		p.watcher.problem("%d requests wait, of %d that may", fresh, limit)
	}
	for i := range v.Parked.Len() {
		s := v.Parked.At(i)
		p.look(v, s)
		if s.Blocks != 0 && !s.Leaving || s.Computed == 0 {
			p.watcher.problem("a request is parked with %d tokens in %d blocks", s.Computed, s.Blocks)
		}
	}
	if len(p.watcher.fleet.config.Pools[0].Tiers) > 0 && v.FreeTierBlocks < 0 {
		p.watcher.problem("%d blocks free in the tier", v.FreeTierBlocks)
	}
	p.Batching.Plan(v, d)
	p.checkHits(d)
	for _, t := range slices.Concat(d.Tasks, d.Load) {
		p.watcher.cached += max(0, t.Cached-p.replica.sequences.all[t.Sequence.ID].computed)
		if t.Sequence.Ended { // its rows are nobody's
			p.watcher.logits -= t.Tokens + t.Nodes
			p.watcher.computed -= t.Tokens
		}
	}
}

// heldOutside is the blocks of sequences that are not in the batch: on their way over a link,
// back from it, or ended and being copied.
func (m *machine) heldOutside() (blocks int) {
	outside := map[*sequence]bool{}
	for _, t := range m.transfers.minHeap {
		outside[t.what.sequence] = true
	}
	for _, s := range slices.Concat(m.loading, m.parking.returning) {
		outside[s] = true
	}
	for i := range m.waiting.Len() {
		outside[m.sequences.all[m.waiting.At(i).ID]] = true
	}
	for s := range outside {
		blocks += s.Blocks
	}
	return blocks
}

// checkHits checks that what a request takes from the cache was computed on this
// replica before, by itself or by one that begins alike, or is computed in this step
// by one that has its task before it.
func (p *watchedPolicy) checkHits(d *policies.Decision) {
	for _, t := range slices.Concat(d.Tasks, d.Load) {
		s := p.replica.sequences.all[t.Sequence.ID]
		known := s.computed
		for content, tokens := range p.computed {
			if t.Cached > 0 {
				known = max(known, alike(s.content, content, min(s.named, tokens)))
			}
		}
		if t.Cached > known {
			p.watcher.problem("request %d takes %d tokens from the cache, of which %d were computed", s.request, t.Cached, known)
		}
		if s.content != nil {
			p.computed[s.content] = max(p.computed[s.content], min(s.named, s.Computed+t.Cached+t.Tokens+t.Nodes))
		}
	}
}

// alike is how many of the first n tokens two contents have in common.
func alike(a, b *workloads.Content, n int) int {
	for i := range n {
		if a.At(i) != b.At(i) {
			return i
		}
	}
	return n
}

// look checks what holds of every sequence, notes its first token, and returns its
// record.
func (p *watchedPolicy) look(v *policies.View, s *policies.Sequence) *metrics.Request {
	id := p.replica.sequences.all[s.ID].request
	r := &p.watcher.fleet.record.Requests[id]
	if r.Arrival > v.Now {
		p.watcher.problem("request %d is there at %v and arrives at %v", id, v.Now, r.Arrival)
	}
	if _, known := p.watcher.first[id]; s.Generated > 0 && !known {
		p.watcher.first[id] = r.First
		// A pipeline may plan its next step some time after the token came.
		if r.First > v.Now || r.First < v.Now && hardware.PipelineOf(p.replica.pool.Cost).Stages() == 1 {
			p.watcher.problem("request %d is seen with a token at %v, the first came at %v", id, v.Now, r.First)
		}
	}
	return r
}

// watchedCost counts what steps do. Steps that are only asked about, to fit a
// series, are not those that a replica has set up.
type watchedCost struct {
	hardware.CostModel
	watcher *watcher
}

// Step implements hardware.CostModel.
func (c *watchedCost) Step(work *hardware.Work) hardware.Cost {
	if !slices.ContainsFunc(c.watcher.fleet.replicas, func(r *replica) bool { return work == &r.step.work }) {
		return c.CostModel.Step(work)
	}
	c.watcher.logits += work.LogitRows
	c.watcher.computed += work.DecodeRows
	for _, chunk := range work.Prefill {
		c.watcher.computed += chunk.Tokens - chunk.Padding
		c.watcher.recomputed += chunk.Recomputed
	}
	return c.CostModel.Step(work)
}
