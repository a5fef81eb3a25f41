package metrics

import (
	"sort"

	"kneepoint/units"
)

// trendGroups is how many groups of arrivals the second half of a run has at least,
// and half of how many it has at most.
const trendGroups = 20

// Trend follows the number of requests in the system and of those that wait, over the
// arrivals, in constant memory: sums over groups of consecutive arrivals, of which there
// are never more than four times trendGroups; when there would be, neighbours are joined.
type Trend struct {
	size   int // arrivals of a group
	groups []trendGroup
	last   int // index of the latest arrival
}

// trendGroup is consecutive arrivals, and the time from the first of them to the first
// of the next group.
type trendGroup struct {
	first    units.Seconds // the first arrival
	arrivals int
	left     int     // requests that completed or were turned away
	waiting  float64 // sum over the arrivals of the numbers waiting
	idle     bool    // an arrival found nobody waiting
}

// Arrive notes that the request of an index, counted from 0, arrived at a time.
func (t *Trend) Arrive(index int, at units.Seconds) {
	if t.size == 0 {
		t.size = 1
	}
	for index/t.size >= 4*trendGroups {
		t.joinNeighbours()
	}
	for len(t.groups) <= index/t.size {
		t.groups = append(t.groups, trendGroup{first: at})
	}
	t.groups[index/t.size].arrivals++
	t.last = max(t.last, index)
}

// Wait notes how many requests waited at the replica of one that has arrived.
func (t *Trend) Wait(index, waiting int) {
	g := &t.groups[index/t.size]
	g.waiting += float64(waiting)
	g.idle = g.idle || waiting == 0
}

// Leave notes that a request that has arrived left the system at a time: it completed, or
// was turned away. Requests may leave in any order, but none before an arrival that
// is yet to be noted. What leaves before the first arrival is none of the trend's.
func (t *Trend) Leave(at units.Seconds) {
	i := len(t.groups) - 1
	if i >= 0 && t.groups[i].first >= at { // nearly all leave during the latest group
		i = sort.Search(len(t.groups), func(i int) bool { return t.groups[i].first >= at }) - 1
	}
	if i >= 0 {
		t.groups[i].left++
	}
}

// joinNeighbours makes one group of each two, so that a run of any length has enough
// groups, and never many.
func (t *Trend) joinNeighbours() {
	t.size *= 2
	for i := range t.groups {
		g := t.groups[i]
		if i%2 == 0 {
			t.groups[i/2] = g
			continue
		}
		to := &t.groups[i/2]
		to.arrivals += g.arrivals
		to.left += g.left
		to.waiting += g.waiting
		to.idle = to.idle || g.idle
	}
	t.groups = t.groups[:(len(t.groups)+1)/2]
}

// secondHalf is the groups of the second half of the arrivals: the first of them begins
// at or after its middle. The last one may be incomplete.
func (t *Trend) secondHalf() []trendGroup {
	for i := range t.groups {
		if 2*i*t.size >= t.last+1 {
			return t.groups[i:]
		}
	}
	return nil
}

// arrivals is the number of requests that were added.
func (t *Trend) arrivals() int {
	n := 0
	for i := range t.groups {
		n += t.groups[i].arrivals
	}
	return n
}
