package metrics

import "kneepoint/units"

// SteadyState is the part of a closed loop's run that counts: requests by their index, in
// the order of their arrival.
type SteadyState struct {
	First   int  `json:"first"`   // those before it belong to the warm-up
	End     int  `json:"end"`     // that and those after it see the loop run empty
	Settled bool `json:"settled"` // whether the warm-up was over in the first half
}

// leastSteady is the number of requests from which on a steady state is looked for: ten
// batches of MSER-5.
const leastSteady = 10 * mserBatch

// FindSteady finds the steady state of a closed loop of a number of clients. Its last
// requests, as many as there are clients, are left out, since after them fewer and fewer are
// in the system. Of the others the warm-up is what MSER-5 cuts off TTFT, TPOT or E2EL,
// whichever is most (see WarmUp). It is false where the run kept no requests, or has too few.
func (r *Record) FindSteady(clients int) (SteadyState, bool) {
	s := SteadyState{End: len(r.Requests) - clients, Settled: true}
	if s.End < leastSteady {
		return SteadyState{}, false
	}
	series, indices := make([]float64, 0, s.End), make([]int, 0, s.End)
	for _, latency := range []func(*Request) (units.Seconds, bool){
		func(q *Request) (units.Seconds, bool) { return q.TTFT(), true },
		(*Request).TPOT,
		func(q *Request) (units.Seconds, bool) { return q.E2EL(), true },
	} {
		series, indices = series[:0], indices[:0]
		for i := range r.Requests[:s.End] {
			q := &r.Requests[i]
			if x, ok := latency(q); ok && q.State == Completed {
				series, indices = append(series, float64(x)), append(indices, i)
			}
		}
		cut, settled := WarmUp(series)
		if len(series) >= leastSteady {
			s.First = max(s.First, indices[cut])
			s.Settled = s.Settled && settled
		}
	}
	return s, true
}

// Contains reports whether a request counts, by its index.
func (s *SteadyState) Contains(index int) bool { return index >= s.First && index < s.End }

// span is the time in seconds over which its requests arrived: up to the first one after
// them. In a steady state as many end as arrive, so that rates over it have no tail.
func (s *SteadyState) span(requests []Request) float64 {
	return float64(requests[min(s.End, len(requests)-1)].Arrival - requests[s.First].Arrival)
}

// SummarizeSteady computes the metrics of the requests of a steady state, which must be
// those inside the measuring window. Rates are over the time in which they arrived.
// Metrics of resources belong to the run as a whole and have no value here.
func SummarizeSteady(rec *Record, slo Objective, s *SteadyState) Values {
	v := Values{}
	t := rec.tally(slo, true)
	v.setRequests(t, s.span(rec.Requests), loosest(rec.Classes, slo))
	v.setShare(t, rec.Share)
	v.setHistogram("itl", &rec.ITLIn)
	return v
}
