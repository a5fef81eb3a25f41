package routing

// turn is that of a replica, as a router remembers it.
type turn struct {
	index  int
	number int
}

// holds tells whether the replica is still there, at its index.
func (t turn) holds(replicas Replicas) bool { return replicas.Number(t.index) == t.number }

// grown is a slice that has an element for the number of a replica.
func grown[E any](s []E, number int) []E {
	if short := number + 1 - len(s); short > 0 {
		s = append(s, make([]E, short)...)
	}
	return s
}
