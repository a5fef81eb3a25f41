package policies

// Router decides which replica serves a request. It is asked once for each
// request, when it arrives, in order of arrival.
type Router interface {
	// Route returns the number of one of the replicas.
	Route(r Arrival, replicas Replicas) int
}

// Arrival is what a router may know of a request.
type Arrival struct {
	ID     int // 0, 1, 2, … in order of arrival
	Prompt int // tokens of the prompt, as sent
	Class  int // of the client; 0 without classes
}

// Replicas are the replicas as they are when the request arrives. A router that
// does not look at them costs nothing.
type Replicas interface {
	Len() int
	At(i int) ReplicaView
}

// ReplicaView is what a replica shows a router.
type ReplicaView struct {
	Pool        string // its name
	Waiting     int    // requests in the front end and the queue
	Running     int    // sequences in the batch
	FreeBlocks  int    // of its KV blocks
	TotalBlocks int
}

// InTurn sends requests to the replicas one after the other, whatever they are
// doing.
type InTurn struct{}

// Route implements Router.
func (InTurn) Route(r Arrival, replicas Replicas) int { return r.ID % replicas.Len() }
