package sim

// An inbox is the requests that a replica was given, and has not run up to yet. Where nobody outside looks at replicas, what one of them
// does before a request comes hangs on nothing that happens later, so that many requests are handed out before any replica runs: what
// hands them out, and what runs a replica, together are more instructions than fit into the processor's first cache, and of a large
// fleet no replica's state does. Whoever looks at a replica from outside has it take its inbox first (runUntil, advance).

const (
	inboxSize     = 64      // requests that one inbox holds at most
	mostInInboxes = 1 << 14 // that all of them hold
)

// keepsInboxes tells whether nobody outside sees when a replica takes a request: no router that follows replicas, and nobody who watches the
// run as it goes on. What a cache for several replicas would have hangs on the order of all requests that are not refused, which must not
// hang on what a replica does then.
func (f *fleet) keepsInboxes() bool {
	c := f.config
	return !f.following && f.signals == nil && f.inFlight == nil && c.Observer == nil && c.Timeline == nil && !f.varies() &&
		(len(f.replicas) == 1 || !c.refusesReuse())
}

// refusesReuse tells whether a pool counts what requests reuse of prompts, but for those that a full replica refuses.
func (c *Config) refusesReuse() bool {
	for i := range c.Pools {
		if c.Stream == nil && c.Pools[i].Eviction != nil && c.Pools[i].MaxWaiting > 0 {
			return true
		}
	}
	return false
}

// deposit gives a request to a replica that arrives now.
func (f *fleet) deposit(v *visit, to *replica) {
	if to.pool.MaxWaiting == 0 {
		to.countReuse(v)
	}
	to.inbox = append(to.inbox, *v)
	f.deposited++
	switch {
	case f.deposited == mostInInboxes:
		f.emptyInboxes()
	case len(to.inbox) == inboxSize:
		to.takeInbox()
	}
}

// emptyInboxes has all replicas take what is in their inboxes.
func (f *fleet) emptyInboxes() {
	for _, r := range f.replicas {
		r.takeInbox()
	}
}

// takeInbox has the replica run up to each request of its inbox in turn, and take it.
func (r *replica) takeInbox() {
	inbox := r.inbox
	r.inbox = inbox[:0]
	r.fleet.deposited -= len(inbox)
	for i := range inbox {
		r.fleet.bring(&inbox[i], r, inbox[i].Arrival)
	}
}
