package workloads

import (
	"math"
	"math/rand/v2"
	"slices"

	"kneepoint/units"
)

// ofClass gives requests a class.
type ofClass struct {
	lengths
	class int
}

func (l *ofClass) next(r *Request) {
	r.Class = l.class
	l.lengths.next(r)
}

// sharedClasses draws the class of each request by the shares, and its lengths by
// the laws of the class. All laws are inverted at the same uniform numbers, so
// that the shares change nothing about the requests that keep their class.
type sharedClasses struct {
	draws   *rand.Rand
	shares  []float64 // summed up
	classes []ofClass
}

func newSharedClasses(s *Spec, traced *cursor, seed uint64, replication int) (lengths, error) {
	l := &sharedClasses{draws: Stream(seed, replication, StreamClients)}
	u, rows, sum := newUniforms(seed, replication), &traceLengths{rows: traced}, 0.0
	for class := range s.Client {
		c := &s.Client[class]
		if c.separate() {
			continue
		}
		sum += c.Share
		l.shares = append(l.shares, sum)
		if traced != nil {
			l.classes = append(l.classes, ofClass{rows, class})
			continue
		}
		drawn, err := u.lengths(s, c)
		if err != nil {
			return nil, err
		}
		l.classes = append(l.classes, ofClass{drawn, class})
	}
	return l, nil
}

func (l *sharedClasses) next(r *Request) {
	sum := l.shares[len(l.shares)-1]
	i, _ := slices.BinarySearch(l.shares, sum*l.draws.Float64())
	l.classes[i].next(r)
}

// merged is open loops side by side, n requests in all, in order of time; of those
// that come at the same time, the first loop's is first.
type merged struct {
	loops []*openLoop
	n     int
	id    int // of the next request
}

// newMerged merges the arrivals that classes share, where some do, with those of
// the classes that have their own. These draw from streams of their own, named
// after the class.
func newMerged(s *Spec, n int, seed uint64, replication int) (Traffic, error) {
	t := &merged{n: n}
	add := func(a ArrivalSpec, l lengths, seed uint64) {
		if s.Prefix != nil {
			l = s.Prefix.prefixed(l, seed, replication)
		}
		t.loops = append(t.loops, newOpenLoop(newRenewal(&a, n, seed, replication), l, n, s.until()))
	}
	if !s.everyClient((*ClientSpec).separate) {
		shared, err := newSharedClasses(s, nil, seed, replication)
		if err != nil {
			return nil, err
		}
		add(s.arrival(), shared, seed)
	}
	for class, name := range s.ClientNames() {
		c := &s.Client[class]
		if c.sharing() {
			continue
		}
		own := state(seed, 0, "client "+name)
		drawn, err := newUniforms(own, replication).lengths(s, c)
		if err != nil {
			return nil, err
		}
		add(c.arrival(), &ofClass{drawn, class}, own)
	}
	return t, nil
}

// earliest is the loop whose request comes next.
func (t *merged) earliest() *openLoop {
	first := t.loops[0]
	for _, loop := range t.loops[1:] {
		if loop.at() < first.at() {
			first = loop
		}
	}
	return first
}

func (t *merged) Peek() (at units.Seconds, ok bool) {
	if t.id >= t.n {
		return units.Seconds(math.Inf(1)), false
	}
	return t.earliest().Peek()
}

func (t *merged) Pop() (r Request, ok bool) {
	if t.id >= t.n {
		return Request{}, false
	}
	if r, ok = t.earliest().Pop(); ok {
		r.ID = t.id
		t.id++
	}
	return r, ok
}

func (t *merged) Done(int, units.Seconds) {}

func (t *merged) OpenLoop() bool { return true }
