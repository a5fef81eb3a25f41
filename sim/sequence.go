package sim

import (
	"kneepoint/policies"
	"kneepoint/units"
	"kneepoint/workloads"
)

// sequence is what the engine knows of a request in a replica, beyond what a
// policy may see.
type sequence struct {
	policies.Sequence
	request      int                // ID of the request
	output       int                // tokens that it will generate
	last         units.Seconds      // when its last token came
	computed     int                // the most tokens it ever had in memory
	prepare      units.Seconds      // front-end work before its first step
	content      *workloads.Content // of its first named tokens; nil: like no other
	named        int
	cached       []*cachedBlock // of its blocks, in order; the others are its own
	published    int            // of its blocks, the first ones that were offered to the cache
	tokens       int            // to process in the current step
	draft        int            // guesses in a row behind them
	nodes        int            // guesses in all
	parkedBlocks int            // blocks in the first tier, set aside or in use
	inWindow     bool
	phase        phase
	admitted     int64 // how many were admitted before it
	joined       int64 // step of the decoding totals with which its counts are up to date
	slot         int   // in the batch
	decoding     bool  // counted in the decoding totals, its own counts out of date
}

// sequences is a replica's store of sequences by their ID; IDs are used again.
type sequences struct {
	all         []*sequence
	free        []int
	phaseStarts []phaseStart // of each
}

// open returns an empty sequence with its ID set.
func (s *sequences) open() *sequence {
	if n := len(s.free); n > 0 {
		id := s.free[n-1]
		s.free = s.free[:n-1]
		q := s.all[id]
		*q = sequence{Sequence: policies.Sequence{ID: id}, cached: q.cached[:0]}
		return q
	}
	q := &sequence{Sequence: policies.Sequence{ID: len(s.all)}}
	s.phaseStarts = append(s.phaseStarts, phaseStart{})
	s.all = append(s.all, q)
	return q
}

func (s *sequences) release(id int) { s.free = append(s.free, id) }
