package metrics

import (
	"math"

	"kneepoint/units"
)

// tally is the sums over requests that metrics are made of.
type tally struct {
	completed, rejected, unfinished float64 // numbers of requests
	timedOut, lost, truncated       float64
	input, output                   float64             // tokens of those that completed
	good                            judgement           // of those that completed, with their objective
	goodOutput                      float64             // generated tokens of those that meet it
	sessions, goodSessions          float64             // conversations that ended, and of these those all of whose turns meet it
	byScale                         [scaleCount]float64 // requests by the least of the Scales at which they meet it
	first, last                     float64             // the first arrival and the last completion, in seconds
	firstSent, lastSent             float64             // when clients wanted to send the first and the last request
	ttft, tpot, e2el, clientQueue   distribution
	normalized                      distribution
	ttftParts, e2elParts            Parts // sums
}

func newTally(fresh func() distribution) tally {
	return tally{
		first:       math.Inf(1),
		last:        math.Inf(-1),
		firstSent:   math.Inf(1),
		lastSent:    math.Inf(-1),
		ttft:        fresh(),
		tpot:        fresh(),
		e2el:        fresh(),
		clientQueue: fresh(),
		normalized:  fresh(),
	}
}

// tally adds up the requests of a run: all, or those inside the window. A stream has
// added them up already. They are added up once, since several summaries need
// them, and with the objective of the first call: a run has one.
func (r *Record) tally(slo Objective, window bool) *tally {
	if r.Stream != nil {
		r.Stream.finish()
		if window {
			return &r.Stream.window
		}
		return &r.Stream.all
	}
	added := &r.whole
	if window {
		added = &r.inWindow
	}
	if *added == nil {
		*added = r.tallyOf(slo, func(q *Request) bool { return q.InWindow || !window })
	}
	return *added
}

// tallyClasses adds up the requests of each class; nil without classes. A stream has
// no window for them.
func (r *Record) tallyClasses(window bool) []tally {
	if r.Stream != nil {
		r.Stream.finish()
		return r.Stream.byClass
	}
	all := make([]tally, len(r.Classes))
	if len(all) == 0 {
		return nil
	}
	for class := range all {
		all[class] = newTally(func() distribution { return newExactValues(0) })
	}
	for i := range r.Requests {
		if q := &r.Requests[i]; q.InWindow || !window {
			all[q.Class].add(q, r.Classes[q.Class])
		}
	}
	return all
}

// tallyOf adds up the requests for which included is true. It needs their records,
// which a streamed run has not.
func (r *Record) tallyOf(slo Objective, included func(*Request) bool) *tally {
	t, followed := newTally(func() distribution { return newExactValues(len(r.Requests)) }), sessions{}
	for i := range r.Requests {
		q := &r.Requests[i]
		own := ofClass(r.Classes, q.Class, slo)
		ended, whole := followed.add(q, own)
		if !included(q) {
			continue
		}
		if t.add(q, own); ended {
			t.addSession(whole)
		}
	}
	return &t
}

// duration is the seconds from the first arrival to the last completion, as in vLLM's
// serving benchmark; NaN when nothing completed.
func (t *tally) duration() float64 {
	if t.completed == 0 {
		return math.NaN()
	}
	return t.last - t.first
}

// offered is the number of requests.
func (t *tally) offered() float64 {
	return t.completed + t.rejected + t.timedOut + t.lost + t.unfinished
}

// offeredRate is the rate at which clients wanted to send: over n requests there are
// n-1 gaps. It is not finite where they all come at once.
func (t *tally) offeredRate() float64 { return (t.offered() - 1) / (t.lastSent - t.firstSent) }

// add adds a request. Latencies are those of completed requests; a request with a
// single token has no TPOT.
func (t *tally) add(r *Request, slo Objective) {
	t.first = min(t.first, float64(r.Arrival))
	sent := float64(r.Arrival - r.ClientQueue)
	t.firstSent, t.lastSent = min(t.firstSent, sent), max(t.lastSent, sent)
	if r.Truncated {
		t.truncated++
	}
	switch r.State {
	case Rejected, QueueFull:
		t.rejected++
		return
	case TimedOut:
		t.timedOut++
		return
	case Lost:
		t.lost++
		return
	case Unfinished:
		t.unfinished++
		return
	}
	t.completed++
	t.input += float64(r.Input)
	t.output += float64(r.Generated)
	t.last = max(t.last, float64(r.Last))
	t.ttft.add(r.TTFT())
	t.e2el.add(r.E2EL())
	t.normalized.add(r.E2EL() / units.Seconds(r.Generated))
	t.clientQueue.add(r.ClientQueue)
	if tpot, ok := r.TPOT(); ok {
		t.tpot.add(tpot)
	}
	t.ttftParts.addPacked(&r.ToFirst)
	t.e2elParts.addPacked(&r.ToLast)
	t.judge(r, slo)
}

// judge adds a completed request to those that meet the objective, and its bounds.
func (t *tally) judge(r *Request, slo Objective) {
	j := slo.judge(r)
	t.good.add(j, 1)
	t.goodOutput += j.all * float64(r.Generated)
	if k := leastScale(slo.ratio(r)); k < scaleCount {
		t.byScale[k]++
	}
}

// distribution is the values of a latency in seconds, kept one by one or in bins.
type distribution interface {
	add(d units.Seconds)
	mean() float64
	quantile(p float64) float64
	store(v Values, name string) // its statistics, nothing when it is empty; before quantile
}

// histogramValues keeps the number of values in each bin, in constant memory;
// percentiles are within HistogramResolution.
type histogramValues struct{ Histogram }

func newHistogramValues() distribution { return &histogramValues{} }

func (h *histogramValues) add(d units.Seconds) { h.Add(d, 1) }

func (h *histogramValues) mean() float64 { return h.Mean() }

func (h *histogramValues) quantile(p float64) float64 { return h.Quantile(p) }

func (h *histogramValues) store(v Values, name string) { v.setHistogram(name, &h.Histogram) }
