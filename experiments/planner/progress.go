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

	// Timed are the runs, looks at candidates or sizings so far that took time, since they were not kept, and Left about how many are
	// still to come.
	Timed, Left int

	// Looked is the candidate of the look under way, Units how many of it that is at, and Runs how many runs it has had; 0: none, or what
	// the stage does is no look.
	Looked      string
	Units, Runs int

	Pruned int
	Best   *results.Option // so far; nil: none yet
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

// tellSized reports how many of the candidates are sized, or out, and how many looks the open ones are likely to take.
func (p *planner) tellSized(total int, open []*sizing) {
	p.underWay = Progress{Stage: Sizing, Done: total - len(open), Total: total, Timed: p.simulated, Left: p.looksLeft(open)}
	p.tell(p.underWay)
}

// tellLook reports how many runs a look has had, while candidates are sized: one at many units takes long.
func (p *planner) tellLook(c *Candidate, units, runs int) {
	if now := p.underWay; now.Total > 0 {
		now.Looked, now.Units, now.Runs = c.Option.Name, units, runs
		p.tell(now)
	}
}

// usualLooks are those at a candidate that is an answer, as long as there is none.
const usualLooks = 5

// looksLeft is about how many looks at candidates are to come. Of an accelerator the most promising ones become its first answers, after as
// many looks as other answers took. One look is enough to leave any other candidate out, if that takes a look at all.
func (p *planner) looksLeft(open []*sizing) int {
	usual := p.looksOfAnswers()
	missing := map[string]int{} // answers of a mix of accelerators
	left := 0
	for _, i := range inOrder(open) {
		s := open[i]
		name := s.Option.Unit.Mix()
		if _, known := missing[name]; !known {
			missing[name] = ranked - len(p.prices(name))
		}
		most, _, _ := p.most(s.Candidate)
		switch {
		case missing[name] > 0:
			missing[name]--
			left += max(1, usual-s.looks)
		case most > float64(s.missed):
			left++
		}
	}
	return left
}

// looksOfAnswers is how many looks the answers took on average.
func (p *planner) looksOfAnswers() int {
	if len(p.found) == 0 {
		return usualLooks
	}
	looks := 0
	for i := range p.found {
		looks += p.found[i].looks
	}
	return (looks + len(p.found)/2) / len(p.found)
}
