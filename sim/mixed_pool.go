package sim

import "kneepoint/units"

// The mixed pool. While all replicas that prefill have long queues, or all that decode, requests are
// served whole by replicas of the other kind, which leave their own group for it: their prompts and
// answers are in the same batches then. Such a replica is in the mixed pool, whose members are asked
// first, until the last request ends that it serves whole; what it had and was promised of its own
// kind it does beside. One stays in each group, for the parts of requests that are under way.
//
// Source: Patel et al., "Splitwise: Efficient Generative LLM Inference Using Phase Splitting", ISCA 2024,
// section 4.2. There a request that finds one kind busy may still be split, between a replica of the
// mixed pool and one of the other kind.

// mixes tells whether replicas may change their role for a while.
func (t *Transfer) mixes() bool {
	return t != nil && (t.MaxPendingTokens > 0 || t.MaxPendingRequests > 0)
}

// sendWhole has one replica serve a request that arrives, if the queues of those are long that would
// do a part of it. It is false where they are not, or no other one has room.
func (f *fleet) sendWhole(v *visit, now units.Seconds) bool {
	if !f.config.Transfer.mixes() {
		return false
	}
	prefill, decode := f.groupOf(v.Class, PrefillOnly), f.groupOf(v.Class, DecodeOnly)
	if decode.roomiest == nil {
		return false
	}
	prefillFull, decodeFull := prefill.full(now), decode.full(now)
	if !prefillFull && !decodeFull {
		return false
	}
	if pool := f.groupOf(v.Class, mixed); !pool.full(now) {
		return pool.routeWhole(v, now)
	}
	return !decodeFull && decode.routeWhole(v, now) || !prefillFull && prefill.routeWhole(v, now)
}

// full tells whether the queues of all members are long. For a group that has none a request waits at the
// router, but the mixed pool has no room then.
func (g *group) full(now units.Seconds) bool {
	g.now = now
	t := g.fleet.config.Transfer
	for i := range g.members {
		queue := g.At(i)
		long := t.MaxPendingTokens > 0 && queue.Pending >= t.MaxPendingTokens ||
			t.MaxPendingRequests > 0 && queue.Waiting >= t.MaxPendingRequests
		if !long {
			return false
		}
	}
	return g.mixed || len(g.members) > 0
}

// routeWhole has a replica that the group's router chooses serve a whole request. It is false where
// that cannot, or is the last one of its group.
func (g *group) routeWhole(v *visit, now units.Seconds) bool {
	if g.blocked(now) {
		return false
	}
	var to *replica
	to, g.fleet.failure = g.choose(v, now)
	if to == nil || !to.takesWhole(v) {
		return false
	}
	v.whole = true
	g.takeToken(now)
	g.fleet.handOver(v, to, now)
	return true
}

// takesWhole tells whether a replica may serve a request from its start to its end.
func (r *replica) takesWhole(v *visit) bool {
	if !r.pool.fits(v.Request, v.Output) {
		return false
	}
	for _, m := range r.memberships {
		if r.pool.Role != Both && !m.group.mixed && len(m.group.members) == 1 {
			return false
		}
	}
	return true
}

// beginWhole notes a request that the replica serves whole. With the first one it leaves its group.
func (r *replica) beginWhole() {
	if r.pool.Role == Both {
		return
	}
	if r.whole++; r.whole == 1 {
		r.changeGroups()
	}
}

// endWhole notes the end of one. With the last one the replica comes back.
func (r *replica) endWhole() {
	if r.pool.Role == Both {
		return
	}
	if r.whole--; r.whole == 0 {
		r.changeGroups()
	}
}

// changeGroups has a replica leave the groups that it is in, and join those of its present role.
func (r *replica) changeGroups() {
	for _, m := range r.memberships {
		m.leave()
	}
	r.memberships = r.memberships[:0]
	r.refresh()
}
