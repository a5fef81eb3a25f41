package sim

import "kneepoint/units"

// span is cached blocks that follow each other and have one past: an ID names them all, and the same
// sequences have held them. What is true of one of them is true of all, so that a whole span is
// found, held and freed at once. It is cut where something happens to a part of it.
//
// The blocks' content is computed, or will be in the step that is set up.
type span struct {
	id       int
	from, to int       // the indices of its blocks, the last one excluded
	named    *idBlocks // by which it is found
	holders  []*chain  // the blocks of the sequences that use it
	uses     int       // sequences that have held it since it is cached
	offered  bool      // others may fetch its content

	freedAt units.Seconds // when the last of the holders left

	// Blocks of the same content are spans of their own, in a ring, in the order in which they
	// got it. A span of several blocks is alone in its ring.
	earlier, later *span

	node freeNode // in the queue of free blocks; meaningless while there are holders
	line *line    // of free blocks like its last one; likewise
	turn int64    // how many spans were freed before it; likewise

	foundIn, goneIn, heldIn int64 // the decision, by number, that has found it, takes blocks of it, or has it held again
	goneFrom                int   // the index from which on that decision takes them
}

func (s *span) len() int { return s.to - s.from }

func (s *span) key(index int) blockKey { return blockKey{s.id, index} }

// orLater is the span, or the first of those behind it with the same content, that is such as is asked for; nil where there is none, or no span.
func (s *span) orLater(such func(*span) bool) *span {
	if s == nil {
		return nil
	}
	for found := s; ; found = found.later {
		if such(found) {
			return found
		}
		if found.later == s {
			return nil
		}
	}
}

// gone is the index from which on a decision takes its blocks.
func (s *span) gone(decision int64) int {
	if s.goneIn == decision {
		return min(s.to, s.goneFrom)
	}
	return s.to
}

// leave takes out a chain that holds the span.
func (s *span) leave(c *chain) {
	last := len(s.holders) - 1
	for i := last; i >= 0; i-- {
		if s.holders[i] == c {
			s.holders[i] = s.holders[last]
			s.holders = s.holders[:last]
			return
		}
	}
}
