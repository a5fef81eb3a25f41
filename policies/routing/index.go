package routing

// Index says how much of a prompt each replica has in its prefix cache, as far as a
// router can tell.
type Index interface {
	// Match is how many of the first tokens of a request's prompt each replica has. It
	// is valid until the next call.
	Match(r *Request, replicas Replicas) []int

	// Sent tells that the request of the last match goes to replica i.
	Sent(i int)

	// Forget tells that a replica has lost all that it had.
	Forget(number int)
}

// The words for what a router knows of prefix caches.
const (
	ApproximateIndex = "approximate" // what it has sent where
	PreciseIndex     = "precise"     // what the engines' events say
)

// newIndex is the index that parameters ask for.
func newIndex(p Parameters) Index {
	if p.Index == PreciseIndex {
		return &Precise{}
	}
	return newApproximate(p)
}

func newApproximate(p Parameters) *Approximate {
	return &Approximate{BlockSize: p.IndexBlockSize, Capacity: p.IndexCapacity, MaxPrefix: p.IndexMaxPrefix}
}

// Precise is an index that follows the events with which engines tell what enters and
// leaves their caches.
type Precise struct{ tokens []int }

// Match implements Index.
func (p *Precise) Match(_ *Request, replicas Replicas) []int {
	p.tokens = p.tokens[:0]
	for i := range replicas.Len() {
		p.tokens = append(p.tokens, replicas.Cached(i))
	}
	return p.tokens
}

// Sent implements Index: engines tell themselves what they have got.
func (*Precise) Sent(int) {}

// Forget implements Index.
func (*Precise) Forget(int) {}
