package workloads

// turnQueue is conversations whose next turn has a time, the earliest first: a heap, since thousands of users think at a time. Of
// several with the same time the one that started first comes first.
type turnQueue []queuedTurn

// queuedTurn has beside it what orders it: looking at the conversations themselves takes longer than all else.
type queuedTurn struct {
	at           float64
	number       int
	conversation *conversation
}

func (t *queuedTurn) before(other *queuedTurn) bool {
	return t.at < other.at || t.at == other.at && t.number < other.number
}

func (q *turnQueue) push(c *conversation) {
	*q = append(*q, queuedTurn{})
	all, i := *q, len(*q)-1
	turn := queuedTurn{c.at, c.number, c}
	for i > 0 && turn.before(&all[(i-1)/2]) {
		all[i] = all[(i-1)/2]
		i = (i - 1) / 2
	}
	all[i] = turn
}

// pop takes out the conversation that comes first.
func (q *turnQueue) pop() *conversation {
	first, last := (*q)[0].conversation, len(*q)-1
	turn := (*q)[last]
	(*q)[last] = queuedTurn{}
	*q = (*q)[:last]
	all := *q
	for i := 0; i < last; {
		child := 2*i + 1
		if right := child + 1; right < last && all[right].before(&all[child]) {
			child = right
		}
		if child >= last || turn.before(&all[child]) {
			all[i] = turn
			break
		}
		all[i] = all[child]
		i = child
	}
	return first
}
