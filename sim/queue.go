package sim

import "kneepoint/policies"

// queue is the requests that wait in a replica: a ring that grows, open at both
// ends, since preempted requests come back to the front.
type queue struct {
	ring  []*policies.Sequence
	first int
	count int
}

// Len implements policies.Queue.
func (q *queue) Len() int { return q.count }

// At implements policies.Queue.
func (q *queue) At(i int) *policies.Sequence {
	return q.ring[(q.first+i)&(len(q.ring)-1)]
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

func (q *queue) popFront() *policies.Sequence {
	s := q.ring[q.first]
	q.ring[q.first] = nil
	q.first = (q.first + 1) & (len(q.ring) - 1)
	q.count--
	return s
}

// grow makes room for one more; the ring's size stays a power of two.
func (q *queue) grow() {
	if q.count < len(q.ring) {
		return
	}
	ring := make([]*policies.Sequence, max(16, 2*len(q.ring)))
	for i := range q.count {
		ring[i] = q.At(i)
	}
	q.ring, q.first = ring, 0
}
