package metrics

import (
	"slices"

	"kneepoint/hardware"
	"kneepoint/units"
)

// State is what became of a request.
type State uint8

const (
	Unfinished State = iota // still in the system when the run ended
	Completed
	Rejected  // could never fit, refused at arrival
	QueueFull // as many as may wait were waiting, refused at arrival
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
	Last        units.Seconds // last token
	Input       int32
	Output      int32 // tokens asked for
	Generated   int32 // tokens that came
	Preemptions int32
	ToFirst     Packed // where the time until the first token went
	ToLast      Packed // the same until the last one
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

// Totals are sums and time integrals over a run, over all replicas.
type Totals struct {
	Steps            int64
	Busy             units.Seconds // time in steps
	Preparing        units.Seconds // front-end work before steps, in the thread that runs them
	Bytes            units.Bytes   // that had to be read
	FLOPs            units.FLOPs   // for wanted tokens
	LinkBytes        units.Bytes
	QueueFull        int64 // requests that were refused because of those that waited
	Preemptions      int64
	RecomputedTokens int64
	ProposedTokens   int64         // guesses of speculative decoding
	AcceptedTokens   int64         // of these, those that were right
	GuessedTokens    int64         // of these, those that were asked for: tokens of answers
	Verifications    int64         // sequences' steps with guesses
	WastedFLOPs      units.FLOPs   // for guesses that were not accepted
	MovedBytes       units.Bytes   // of KV blocks between each accelerator and the memory below
	Exposed          units.Seconds // of steps, in which nothing else happened
	AdmittedTokens   int64         // prompt tokens of admitted requests, with prefix caching
	LoadedTokens     int64         // of these, those that came from the memory below
	CachedTokens     int64         // of these, those that were cached
	AdmittedBlocks   int64         // blocks of these prompts
	CachedBlocks     int64         // of these, those that were cached

	InFrontEnd   float64 // ∫ number of requests in the front end dt
	Waiting      float64 // ∫ number waiting dt
	Running      float64 // ∫ number in the batch dt
	HeldByMemory float64 // ∫ number waiting dt, while the first of them lacked memory
	HeldBySlots  float64 // the same while the batch had as many sequences as it may have
	KVBlocks     float64 // ∫ blocks in use dt
	KVMax        float64 // highest share of a replica's blocks in use
}

// Record is everything that one run leaves behind.
type Record struct {
	Requests []Request   // by ID; none when Stream is set
	Stream   *Stream     // takes the requests that ended, in constant memory; nil to keep them
	Classes  []Objective // that requests are held against, by class; none: all against the run's
	Trend    Trend       // of the number waiting
	ITL      Histogram   // gaps of all requests
	ITLIn    Histogram   // gaps of the requests inside the window
	Totals   Totals
	Steps    StepSums
	Started  units.Seconds // the first arrival
	Ended    units.Seconds // the last event
	Replicas int
	Blocks   int // KV blocks of all replicas

	whole *tally // of all requests, once they were added up
}

// Open starts the record of a request; IDs come in order.
func (r *Record) Open(id int, request Request) {
	if r.Stream != nil {
		r.Stream.open(id, request)
		return
	}
	r.Requests = append(r.Requests, request)
}

// Of is the record of a request; nil when it was streamed and has ended.
func (r *Record) Of(id int) *Request {
	if r.Stream != nil {
		return r.Stream.live[id]
	}
	return &r.Requests[id]
}

// Close ends the record of a request that completed or was rejected.
func (r *Record) Close(id int) {
	if r.Stream != nil {
		r.Stream.close(id)
	}
}

// Unfinished tells whether a request has neither completed nor been rejected.
func (r *Record) Unfinished() bool {
	if r.Stream != nil {
		return len(r.Stream.live) > 0
	}
	return slices.ContainsFunc(r.Requests, func(q Request) bool { return q.State == Unfinished })
}

// InSystem is the time integral of the number of requests in the system, as the
// engine integrated it. By Little's law it equals the sum of all sojourn times.
func (r *Record) InSystem() float64 {
	return r.Totals.InFrontEnd + r.Totals.Waiting + r.Totals.Running
}

// Deployment is what the metrics need to know of the hardware.
type Deployment struct {
	Capacity     hardware.Capacity // of one replica
	Accelerators int               // of one replica
	Power        hardware.Power    // of one accelerator
	USDPerHour   float64           // of one accelerator; 0 when unknown
}
