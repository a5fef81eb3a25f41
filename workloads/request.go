package workloads

import "kneepoint/units"

// Request is one request as the client sends it. Output is the true number of
// tokens that the model will generate: only the engine may look at it.
type Request struct {
	ID     int // 0, 1, 2, … in order of Planned
	Input  int // prompt tokens, at least 1
	Output int // generated tokens, at least 1
	Class  int // of its client: the index of the [[workload.client]] table; 0 without any

	// Session is the conversation that the request is a turn of; -1: none.
	Session int

	// Turn is which of the Turns of its conversation it is, from 1 on; 0 where its end is not known, as in a trace.
	Turn, Turns int

	// Content names the first Named tokens of the prompt and the answer together.
	// Without it the request is like no other.
	Content *Content
	Named   int

	// Planned is when the client wanted to send the request and Arrival when it
	// did; they differ only behind a client-side concurrency limit.
	Planned units.Seconds
	Arrival units.Seconds
}

// Traffic yields requests lazily, in order of arrival.
type Traffic interface {
	// Peek tells when the next request arrives. It is +Inf and false when there
	// is none, or none until a request in flight ends (see Done).
	Peek() (at units.Seconds, ok bool)

	// Pop returns the request that Peek announces, false when there is none.
	Pop() (r Request, ok bool)

	// Done reports that a request has ended, or was rejected, at the given time.
	// The client of a closed loop may then send its next one, not before that
	// time.
	Done(id int, at units.Seconds)

	// OpenLoop reports whether arrivals are independent of Done.
	OpenLoop() bool
}
