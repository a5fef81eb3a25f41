package planner

import (
	"kneepoint/experiments/results"
)

// Stage is what a plan is at.
type Stage int

// Stages in their order, each with what its Done and Total count.
const (
	FirstLooks   Stage = iota // runs of the pilots
	Sizing                    // candidates
	Measuring                 // runs of the fleets that are answers
	FindingRooms              // answers whose headroom is looked for
	Drawing                   // sizings of draws
)

// Progress says how far a plan is.
type Progress struct {
	Stage       Stage
	Done, Total int
	Free        int // of Done: candidates that the pilots left out, or that were kept, and so took no time
	Pruned      int
	Best        *results.Option // so far; nil: none yet
}

// tell reports how far a stage is.
func (p *planner) tell(now Progress) {
	if p.Progress == nil {
		return
	}
	now.Pruned = len(p.pruned)
	var best *sized
	for i := range p.found {
		if best == nil || better(&p.found[i], best) < 0 {
			best = &p.found[i]
		}
	}
	if best != nil {
		now.Best = &best.option
	}
	p.Progress(now)
}

// tellSized reports how many of the candidates are sized, or out.
func (p *planner) tellSized(total, free int) {
	p.tell(Progress{Stage: Sizing, Done: len(p.found) + len(p.pruned), Total: total, Free: free})
}
