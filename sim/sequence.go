package sim

import (
	"kneepoint/policies"
	"kneepoint/units"
	"kneepoint/workloads"
)

// sequence is what the engine knows of a request in a replica, beyond what a
// policy may see. What the end of a request looks at comes first: of a large fleet it is not in
// the processor's cache any more.
type sequence struct {
	policies.Sequence
	request      int           // ID of the request
	output       int           // tokens that it will generate
	last         units.Seconds // when its last token came
	computed     int           // the most tokens it ever had in memory; more than Computed: it was preempted
	joined       int64         // decoding.steps up to which Generated, Computed and Blocks are counted
	gaps         int64         // of those it has its tokens with, up to which the record of its request has them
	lateGaps     int64         // likewise, those longer than its bound
	certain      int           // tokens in memory that were known when its last step was planned
	slot         int           // index in the batch
	cached       chain         // of its blocks, that others may find; the rest is blank
	part         *handover     // in a replica that only computes its prompt; nil: it does the whole request
	phase        phase
	inWindow     bool               // counts for the steady state
	decoding     bool               // counted in the decoding totals; its own counts may be out of date
	whole        bool               // one that a replica does from its start to its end which otherwise does a part of requests
	guest        bool               // its last token came from a replica that only computed its prompt
	fills        *idBlocks          // of which it is the filler; nil: of none
	landed       bool               // what it waited for outside the batch has come over a link
	late         bool               // and after the next step was planned
	named        int                // tokens that content names
	accepted     int                // guesses that were right: tokens beside the one of its last step
	stored       units.Seconds      // when its blocks have been copied to the first tier, as far as they are full
	parkedBlocks int                // blocks of the first tier, set aside or in use
	admitted     int64              // how many sequences were admitted before it, in this replica
	prepare      units.Seconds      // front-end work before its first step, in the thread that runs steps
	journey      *journey           // of the steps in a pipeline that it takes part in; nil: the last one was not like the next
	tokens       int                // to process in the current step
	draft        int                // guesses in a row behind the token of the current step
	nodes        int                // guesses in all, more than draft in a tree
	handover     *handover          // from a replica that has computed its prompt, until its keys and values are here; nil: none
	lost         *lost              // with a replica that failed, which had it before; nil: nothing
	content      *workloads.Content // of its first named tokens; nil: shared with no other request
	hit          chain              // what was last found cached of it while it waited
	loads        int                // of these, those that are to be loaded from a tier
	peer         *replica           // from which what is missing of its prompt is to be fetched; nil: from none
	load         load               // of what is not in memory of its hit
	class        int                // of its client
	charged      int                // tokens that its client was charged for, where that orders the queue; -1: not even the prompt
}

// nobody is the request of a sequence that has ended.
const nobody = -1

// sequences is a replica's store of sequences by their ID. IDs of ended sequences are
// used again, with their memory: a long run holds as many as were ever there at once.
type sequences struct {
	all         []*sequence
	free        []int        // IDs of ended sequences
	phaseStarts []phaseStart // by ID; apart from the sequences, whose memory engines read in every step
}

// open returns an empty sequence with its ID set.
func (s *sequences) open() *sequence {
	if n := len(s.free); n > 0 {
		id := s.free[n-1]
		s.free = s.free[:n-1]
		q := s.all[id]
		cached, hit := q.cached.spans[:0], q.hit.spans[:0]
		*q = sequence{}
		q.ID, q.cached.spans, q.hit.spans = id, cached, hit
		return q
	}
	q := &sequence{Sequence: policies.Sequence{ID: len(s.all)}}
	s.phaseStarts = append(s.phaseStarts, phaseStart{})
	s.all = append(s.all, q)
	return q
}

func (s *sequences) release(id int) {
	s.all[id].request = nobody
	s.free = append(s.free, id)
}
