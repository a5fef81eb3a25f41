package metrics

import "kneepoint/units"

// Objective is a service level objective for one request. A bound of zero does
// not bind. ITL is that of the 99th percentile of a request's gaps between tokens: 99 in 100 of
// them are within it, so that of fewer than 100 none may be longer.
type Objective struct {
	TTFT, TPOT, E2EL, ITL units.Seconds
}

// Set reports whether any bound binds.
func (o Objective) Set() bool { return o != Objective{} }

// ofClass is the objective of a class: its own, or that of all.
func ofClass(classes []Objective, class int16, all Objective) Objective {
	if len(classes) > 0 {
		return classes[class]
	}
	return all
}

// loosest has each bound that binds any request, and of several the loosest.
func loosest(classes []Objective, all Objective) Objective {
	if len(classes) == 0 {
		return all
	}
	var o Objective
	for _, class := range classes {
		o.TTFT, o.TPOT, o.E2EL = max(o.TTFT, class.TTFT), max(o.TPOT, class.TPOT), max(o.E2EL, class.E2EL)
		o.ITL = max(o.ITL, class.ITL)
	}
	return o
}

// Met reports whether a completed request meets every bound. The TPOT of a
// single token counts as 0, as in vLLM's benchmark.
func (o Objective) Met(r *Request) bool {
	tpot, _ := r.TPOT()
	return within(r.TTFT(), o.TTFT) && within(tpot, o.TPOT) && within(r.E2EL(), o.E2EL) && o.paced(r)
}

func within(x, bound units.Seconds) bool { return bound == 0 || x <= bound }

// paced reports whether the 99th percentile of a request's gaps is within the bound, against which they were counted.
func (o Objective) paced(r *Request) bool {
	return o.ITL == 0 || 100*int64(r.LateGaps) <= int64(r.Gaps)
}

// judgement is 1 for what a completed request meets and else 0: its whole objective, and
// each of its bounds; or sums of these.
type judgement struct{ all, ttft, tpot, e2el, itl float64 }

func (o Objective) judge(r *Request) judgement {
	tpot, _ := r.TPOT()
	j := judgement{ttft: one(within(r.TTFT(), o.TTFT)), tpot: one(within(tpot, o.TPOT)), e2el: one(within(r.E2EL(), o.E2EL)), itl: one(o.paced(r))}
	j.all = j.ttft * j.tpot * j.e2el * j.itl
	return j
}

// add adds a judgement n times.
func (j *judgement) add(other judgement, n float64) {
	j.all += n * other.all
	j.ttft += n * other.ttft
	j.tpot += n * other.tpot
	j.e2el += n * other.e2el
	j.itl += n * other.itl
}

// one is 1 where something holds, and 0 where it does not.
func one(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}
