package sim

import "kneepoint/policies"

// queue is the requests that wait in a replica: a ring that grows, open at both
// ends, since preempted requests come back to the front. Where requests are
// ranked, those that no policy has looked at yet wait in a heap behind the ring:
// policies look at a few at the head of a long queue, which need not be in order
// further back. Where they are in order of arrival, those far behind are latecomers.
type queue struct {
	ring   []*policies.Sequence // its length is a power of two, or 0
	first  int                  // index of the head in the ring
	count  int                  // requests in the ring
	behind minHeap[ranked]      // requests behind those of the ring
	lines  *lines               // the same, by client, where what these were served orders them; nil: it does not
	ranked int                  // requests that were ever put into the heap
	late   latecomers           // requests behind those of the ring, in order of arrival
	arrive func(latecomer) *sequence
}

// ranked is a request in the heap; those that arrived at once keep their order.
type ranked struct {
	anywhere
	number   int
	sequence *policies.Sequence
}

func (r ranked) before(s ranked) bool {
	if r.sequence.Before(s.sequence) || s.sequence.Before(r.sequence) {
		return r.sequence.Before(s.sequence)
	}
	return r.number < s.number
}

// Len implements policies.Queue.
func (q *queue) Len() int {
	if q.lines != nil {
		return q.count + q.lines.waiting
	}
	return q.count + len(q.behind) + q.late.seen
}

// At implements policies.Queue. It moves requests from behind the ring to it as far as
// they are looked at.
func (q *queue) At(i int) *policies.Sequence {
	for i >= q.count {
		switch {
		case q.lines != nil:
			q.pushBack(&q.lines.next().Sequence)
		case len(q.behind) > 0:
			q.pushBack(q.behind.pop().sequence)
		default:
			q.pushBack(&q.arrive(q.late.pop()).Sequence)
		}
	}
	return q.at(i)
}

// at is the i-th request of the ring.
func (q *queue) at(i int) *policies.Sequence {
	return q.ring[(q.first+i)&(len(q.ring)-1)]
}

// insert puts s behind the requests that it does not come before, by rank and arrival:
// into the heap, unless it belongs before one that was looked at.
func (q *queue) insert(s *policies.Sequence) {
	i := q.count
	for i > 0 && s.Before(q.at(i-1)) && q.at(i-1).Blocks == 0 {
		i--
	}
	if i == q.count {
		q.ranked++
		q.behind.push(ranked{number: q.ranked, sequence: s})
		return
	}
	q.pushBack(s)
	for j := q.count - 1; j > i; j-- {
		q.ring[(q.first+j)&(len(q.ring)-1)] = q.at(j - 1)
	}
	q.ring[(q.first+i)&(len(q.ring)-1)] = s
}

func (q *queue) pushBack(s *policies.Sequence) {
	q.grow()
	q.ring[(q.first+q.count)&(len(q.ring)-1)] = s
	q.count++
}

func (q *queue) pushFront(s *policies.Sequence) {
	q.grow()
	q.first = (q.first - 1) & (len(q.ring) - 1)
	q.ring[q.first] = s
	q.count++
}

// putBack puts s before all others but those that have their blocks already, which would
// otherwise hold the memory that it may wait for.
func (q *queue) putBack(s *policies.Sequence) {
	q.pushFront(s)
	for i := 1; i < q.count && q.at(i).Blocks > 0; i++ {
		q.ring[(q.first+i-1)&(len(q.ring)-1)] = q.at(i)
		q.ring[(q.first+i)&(len(q.ring)-1)] = s
	}
}

func (q *queue) popFront() *policies.Sequence {
	s := q.ring[q.first]
	q.ring[q.first] = nil
	q.first = (q.first + 1) & (len(q.ring) - 1)
	q.count--
	return s
}

// dropBack takes the last request out of the ring.
func (q *queue) dropBack() {
	q.count--
	q.ring[(q.first+q.count)&(len(q.ring)-1)] = nil
}

// grow makes room for one more; the ring's size stays a power of two.
func (q *queue) grow() {
	if q.count < len(q.ring) {
		return
	}
	ring := make([]*policies.Sequence, max(16, 2*len(q.ring)))
	for i := range q.count {
		ring[i] = q.at(i)
	}
	q.ring, q.first = ring, 0
}
