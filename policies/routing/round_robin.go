package routing

// RoundRobin sends requests to the replicas one after the other, whatever they are doing.
type RoundRobin struct{ next int }

// Route implements Router.
func (r *RoundRobin) Route(_ *Request, replicas Replicas) int {
	i := r.next % replicas.Len()
	r.next = i + 1
	return i
}
