package metrics

import (
	"slices"

	"kneepoint/units"
)

// State is what became of a request.
type State uint8

const (
	Unfinished State = iota // still in the system when the run ended
	Completed
	Rejected  // could never fit, refused at arrival
	QueueFull // MaxWaiting others were waiting, refused at arrival
	TimedOut  // gave up waiting at the router, after its last retry
	Lost      // its replica failed, and nobody served it again
)

// String is the state's name in per-request results.
func (s State) String() string {
	switch s {
	case Completed:
		return "completed"
	case Rejected:
		return "rejected"
	case QueueFull:
		return "queue-full"
	case TimedOut:
		return "timed-out"
	case Lost:
		return "lost"
	default:
		return "unfinished"
	}
}

// Request is the record of one request. Times are on the simulated clock; First
// and Last have a meaning only once a first and a last token exist.
type Request struct {
	Arrival     units.Seconds
	ClientQueue units.Seconds // how long the client held it back before Arrival
	First       units.Seconds // first token
	Last        units.Seconds // last token; of a request that timed out or was lost, when it did
	Input       int32
	Output      int32 // tokens asked for
	Generated   int32 // tokens that came
	Preemptions int32
	Gaps        int32  // between its tokens, where they are held against a bound
	LateGaps    int32  // of these, those that are longer
	Session     int32  // the conversation that it is a turn of
	Turn, Turns uint16 // which of how many, from 1 on; 0: of no conversation whose end is known
	ToFirst     Packed // parts of TTFT
	ToLast      Packed // parts of E2EL; of the time so far while the request is served
	Class       int16  // of its client
	State       State
	Truncated   bool // cut to what the context and the KV cache hold
	InWindow    bool // arrived inside the measuring window
}

// TTFT is the time from arrival to the first token.
func (r *Request) TTFT() units.Seconds { return r.First - r.Arrival }

// E2EL is the time from arrival to the last token.
func (r *Request) E2EL() units.Seconds { return r.Last - r.Arrival }

// TPOT is the time per output token after the first; false for a single token,
// for which it is undefined.
func (r *Request) TPOT() (units.Seconds, bool) {
	if r.Generated < 2 {
		return 0, false
	}
	return (r.Last - r.First) / units.Seconds(r.Generated-1), true
}

// Record is everything that one run leaves behind.
type Record struct {
	Requests []Request   // by ID; none when Stream is set
	Stream   *Stream     // adds up the requests that ended; nil: Requests keeps them
	Classes  []Objective // by class, that requests are held against; none: all against the run's
	Share    float64     // of the requests, whose TTFT, TPOT and E2EL results ask for beside those at Percentiles; 0: none
	Closed   bool        // the requests are those of a fixed number of clients, each of whom waits for the answer
	Timeline *Timeline   // of what happens in a window; nil: nobody asks for one
	Trend    Trend       // of the requests in the system and of those that wait
	ITL      Histogram   // gaps between tokens, of all requests
	ITLIn    Histogram   // gaps between tokens, of the requests inside the window
	Pools    []PoolRecord
	Recovery Recovery
	Totals   Totals        // of all pools, see AddUp
	Started  units.Seconds // the first arrival
	Ended    units.Seconds // the last event

	whole, inWindow *tally // of all requests and of those inside the window, once they were added up
}

// SetWindow makes requests the measuring window after the run, by their index; gaps are those between their tokens.
func (r *Record) SetWindow(contains func(index int) bool, gaps Histogram) {
	r.ITLIn = gaps
	for i := range r.Requests {
		r.Requests[i].InWindow = contains(i)
	}
}

// PoolRecord is what the replicas of one pool leave behind.
type PoolRecord struct {
	Name      string
	Fails     bool // its replicas may
	Spared    int  // failures of its replicas that have not struck
	Blocks    int  // KV blocks of a replica
	BlockSize int  // tokens of a block
	Replicas  []*ReplicaRecord
	Totals    Totals   // of its replicas, see AddUp
	Steps     StepSums // likewise
}

// AddUp makes the totals of pools the sums over their replicas, and those of the run the sum
// over its pools. It leaves what is of no pool: requests at the router and between replicas.
func (r *Record) AddUp() {
	r.Totals = Totals{AtRouter: r.Totals.AtRouter, InTransfer: r.Totals.InTransfer, HandedOver: r.Totals.HandedOver}
	for i := range r.Pools {
		p := &r.Pools[i]
		p.Totals, p.Steps = Totals{}, StepSums{}
		for _, replica := range p.Replicas {
			p.Totals.add(&replica.Totals)
			p.Steps.addAll(&replica.Steps)
		}
		r.Totals.add(&p.Totals)
	}
}

// elapsed is the seconds that the run takes, to its last event.
func (r *Record) elapsed() float64 { return float64(r.Ended - r.Started) }

// Open starts the record of a request. IDs are opened in order, from 0 on.
func (r *Record) Open(id int, request Request) {
	if r.Stream != nil {
		r.Stream.live.open(id, request)
		return
	}
	r.Requests = append(r.Requests, request)
}

// Of is the record of a request that was opened; nil when it was streamed and has
// ended, or is shelved.
func (r *Record) Of(id int) *Request {
	if r.Stream != nil {
		return r.Stream.live.of(id)
	}
	return &r.Requests[id]
}

// Shelve keeps the record of a request that was opened, and waits behind many others, in few bytes where the run is streamed: nobody
// asks for it before Unshelve.
func (r *Record) Shelve(id int) {
	if r.Stream != nil {
		r.Stream.live.shelve(id)
	}
}

// Unshelve undoes Shelve, and is the record of a request.
func (r *Record) Unshelve(id int) *Request {
	if r.Stream != nil {
		r.Stream.live.unshelve(id)
	}
	return r.Of(id)
}

// Close ends the record of a request that is no longer unfinished.
func (r *Record) Close(id int) {
	if r.Timeline != nil {
		r.Timeline.judge(r.Of(id))
	}
	if r.Stream != nil {
		r.Stream.close(id)
	}
}

// Unfinished tells whether a request is still in the system.
func (r *Record) Unfinished() bool {
	if r.Stream != nil {
		return r.Stream.live.count > 0
	}
	return slices.ContainsFunc(r.Requests, func(q Request) bool { return q.State == Unfinished })
}

// InSystem is the time integral of the number of requests in the system, as the
// engine integrated it. By Little's law it equals the sum of all sojourn times.
func (r *Record) InSystem() float64 {
	return r.Totals.AtRouter + r.Totals.InTransfer + r.Totals.InSystem()
}
