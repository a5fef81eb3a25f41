package sim

import (
	"fmt"
	"math/rand/v2"

	"kneepoint/policies/routing"
	"kneepoint/units"
)

// group is the replicas that may serve the same requests, and their router. Replicas may
// be members of several groups.
type group struct {
	fleet    *fleet
	router   routing.Router
	pools    []bool // whose replicas it takes, by index
	roomiest *Pool  // that takes the longest requests
	mixed    bool   // its members are those that serve whole requests for a while
	members  []*member
	levels   levels
	lobby    lobby
	ready    bool // a member has room again, and requests wait

	now     units.Seconds   // when the request is routed
	request *visit          // that is being routed
	asked   routing.Request // what the router is told of it
}

// member is a replica in a group.
type member struct {
	group   *group
	replica *replica
	index   int // in the group's members
	level   int // requests that it has, as the router counts them
	place   int // in the list of its level
}

// join makes a replica a member: requests may be sent to it from now on.
func (g *group) join(r *replica) {
	m := &member{group: g, replica: r, index: len(g.members)}
	g.members = append(g.members, m)
	r.memberships = append(r.memberships, m)
	g.levels.add(m, r.counted())
	if len(g.lobby.waiting) > 0 && !g.ready {
		g.ready = true
		g.fleet.ready = append(g.fleet.ready, g)
	}
}

// leave takes a member out of its group. The last one takes its index.
func (m *member) leave() {
	g := m.group
	last := g.members[len(g.members)-1]
	g.members[m.index], last.index = last, m.index
	g.members = g.members[:len(g.members)-1]
	g.levels.remove(m)
}

// takes tells whether a replica of the group's pools has the role that its members have.
func (g *group) takes(r *replica) bool { return g.mixed == (r.whole > 0) }

// admits tells whether requests may be sent to the replica.
func (r *replica) admits() bool {
	q := r.fleet.config.Queue
	return r.stage == ready && r.connection.known() == nil && (q == nil || q.MaxInFlight == 0 || r.requests() < q.MaxInFlight)
}

// refresh lets the replica join its groups, or leave them, when something has changed
// whether requests may be sent to it.
func (r *replica) refresh() {
	switch admits := r.admits(); {
	case admits && len(r.memberships) == 0:
		for _, g := range r.groups {
			if g.takes(r) {
				g.join(r)
			}
		}
	case !admits:
		for _, m := range r.memberships {
			m.leave()
		}
		r.memberships = r.memberships[:0]
	}
}

// choose is the replica that a request goes to now. It is an error where the router names
// one that is not there: the request would never end.
func (g *group) choose(v *visit, now units.Seconds) (*replica, error) {
	g.now, g.request = now, v
	g.asked = routing.Request{ID: v.ID, Prompt: v.Input, Class: v.Class, Session: v.Session, Named: v.Named}
	if v.Content != nil {
		g.asked.Content = v.Content
	}
	i := g.router.Route(&g.asked, g)
	if i < 0 || i >= len(g.members) {
		return nil, fmt.Errorf("sim: the router sends request %d to replica %d, of %d", v.ID, i, len(g.members))
	}
	return g.members[i].replica, nil
}

// Len implements routing.Replicas.
func (g *group) Len() int { return len(g.members) }

// Number implements routing.Replicas.
func (g *group) Number(i int) int { return g.members[i].replica.number }

// Weight implements routing.Replicas.
func (g *group) Weight(i int) float64 {
	if w := g.members[i].replica.pool.Weight; w > 0 {
		return w
	}
	return 1
}

// At implements routing.Replicas. A replica that shows itself as it is runs on up to
// now first, so that a router which does not look at one does not pay for it.
func (g *group) At(i int) routing.View {
	r := g.members[i].replica
	if s := g.fleet.signals; s != nil {
		return s.shown(r, g.now)
	}
	r.advance(g.now)
	return r.view()
}

// FewestRequests implements routing.Replicas. It needs to hear of every change of a
// replica, so that the first question makes the fleet follow them.
func (g *group) FewestRequests(random *rand.Rand) int {
	g.fleet.follow(g.now)
	if s := g.fleet.signals; s != nil {
		s.receive(g.now)
	}
	return g.levels.fewest(random).index
}

// Cached implements routing.Replicas.
func (g *group) Cached(i int) int {
	r := g.members[i].replica
	r.runUntil(g.now) // which takes the blocks of steps that are committed together, some of which were cached
	g.fleet.reschedule(r)
	return r.cachedOf(g.request, g.now)
}

// cachedOf is how many of a request's first tokens are in memory at a time, in whole blocks.
func (m *machine) cachedOf(v *visit, now units.Seconds) int {
	if m.memory.cached == nil || v.Content == nil {
		return 0
	}
	content, named := m.pool.Compression.content(v.Request)
	size, n := m.pool.BlockSize, 0
	named = min(named, m.pool.Compression.Tokens(v.Input)-1) // the last token is computed in any case
	for n < named/size {
		key, until := m.memory.keyFrom(content, n)
		found := m.memory.finds(key, now)
		if found == nil {
			break
		}
		n = min(found.to, until, named/size)
	}
	return n * size
}
