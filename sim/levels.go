package sim

import "math/rand/v2"

// levels are the members of a group in lists by the number of requests that they have, as
// the router counts them. Requests come and go one at a time, so that finding a member
// with the fewest costs the same however many there are, and any of several is as likely.
type levels struct {
	lists [][]*member
	least int // a list below which all are empty
}

// add adds a member that has a number of requests.
func (l *levels) add(m *member, requests int) {
	for len(l.lists) <= requests {
		l.lists = append(l.lists, nil)
	}
	m.level, m.place = requests, len(l.lists[requests])
	l.lists[requests] = append(l.lists[requests], m)
	l.least = min(l.least, requests)
}

// remove takes a member out.
func (l *levels) remove(m *member) {
	list := l.lists[m.level]
	last := len(list) - 1
	list[m.place] = list[last]
	list[m.place].place = m.place
	list[last] = nil
	l.lists[m.level] = list[:last]
}

// set notes that a member has a number of requests.
func (l *levels) set(m *member, requests int) {
	if m.level != requests {
		l.remove(m)
		l.add(m, requests)
	}
}

// fewest is a member with the fewest requests; there is one.
func (l *levels) fewest(random *rand.Rand) *member {
	for len(l.lists[l.least]) == 0 {
		l.least++
	}
	list := l.lists[l.least]
	if len(list) == 1 {
		return list[0]
	}
	return list[random.IntN(len(list))]
}
