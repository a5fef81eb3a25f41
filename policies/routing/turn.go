package routing

// turn is that of a replica, as a router remembers it.
type turn struct {
	index  int
	number int
}

// holds tells whether the replica is still there, at its index.
func (t turn) holds(replicas Replicas) bool { return replicas.Number(t.index) == t.number }

// indices are those of the replicas, by their numbers.
func indices(replicas Replicas) map[int]int {
	all := make(map[int]int, replicas.Len())
	for i := range replicas.Len() {
		all[replicas.Number(i)] = i
	}
	return all
}
