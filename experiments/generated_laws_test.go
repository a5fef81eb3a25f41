package experiments_test

import (
	"math"
	"slices"

	"kneepoint/experiments"
	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// ranks demands that a streamed percentile is within the stated error of a request's value
// of that rank.
func (d *drawer) ranks(exact, streamed *results.Run, rec *metrics.Record) {
	for name, of := range map[string]func(*metrics.Request) (units.Seconds, bool){
		"ttft": func(r *metrics.Request) (units.Seconds, bool) { return r.TTFT(), true },
		"tpot": (*metrics.Request).TPOT,
		"e2el": func(r *metrics.Request) (units.Seconds, bool) { return r.E2EL(), true },
	} {
		var values []float64
		for i := range rec.Requests {
			if r := &rec.Requests[i]; r.State == metrics.Completed {
				if v, ok := of(r); ok {
					values = append(values, v.Milliseconds())
				}
			}
		}
		slices.Sort(values)
		for statistic, p := range map[string]float64{"median": 0.5, "p90": 0.9, "p99": 0.99} {
			got, rank := streamed.Metrics.Get(statistic+"_"+name+"_ms"), p*float64(len(values)-1)
			if len(values) == 0 {
				continue
			}
			low, high := values[int(math.Floor(rank))], values[int(math.Ceil(rank))]
			if got < low*(1-metrics.HistogramResolution)-1e-9 || got > high*(1+metrics.HistogramResolution)+1e-9 {
				d.t.Errorf("%s: streamed %s %s is %v, the values of that rank are %v and %v", where(exact), statistic, name, got, low, high)
			}
		}
	}
}

// conserves demands that every request that was offered is counted once, and so are its tokens.
func (d *drawer) conserves(e *experiments.Experiment, run *results.Run, rec *metrics.Record) {
	states, tokens := map[metrics.State]int{}, 0
	for i := range rec.Requests {
		r := &rec.Requests[i]
		states[r.State]++
		if r.State == metrics.Completed {
			tokens += int(r.Output)
			if r.Generated != r.Output {
				d.t.Errorf("%s: request %d completed with %d of %d tokens", where(run), i, r.Generated, r.Output)
			}
		}
	}
	get := func(key string) int { return int(run.Metrics.Get(key)) }
	counted := int(run.Metrics.Offered())
	if counted != len(rec.Requests) || get(metrics.CompletedRequests) != states[metrics.Completed] ||
		get(metrics.UnfinishedRequests) != states[metrics.Unfinished] {
		d.t.Errorf("%s: %d requests, counted %d: %v", where(run), len(rec.Requests), counted, states)
	}
	w, m := &e.Spec.Workload, &e.Spec.Measure
	_, exact := w.Requests(nil)
	ends := m.MaxTime > 0 || !exact || d.strands && d.closed // who waits for ever asks nothing more
	if n := w.NumRequests; n > 0 && (len(rec.Requests) > n || len(rec.Requests) < n && !ends && w.Trace == nil) {
		d.t.Errorf("%s: %d of %d requests", where(run), len(rec.Requests), n)
	}
	if m.Drain && m.MaxTime == 0 && !d.strands && states[metrics.Unfinished] > 0 {
		d.t.Errorf("%s: %d requests are unfinished in a drained run", where(run), states[metrics.Unfinished])
	}
	if generated := get(metrics.OutputTokens); generated != tokens {
		d.t.Errorf("%s: %d tokens, counted %d", where(run), tokens, generated)
	}
}

// partsSum demands that the parts of TTFT and E2EL are not negative, and sum up to them: of
// every request, and of their means.
func (d *drawer) partsSum(run *results.Run, rec *metrics.Record) {
	same := func(what string, parts metrics.Parts, whole units.Seconds) {
		bound := 1e-9 * math.Max(1, float64(whole))
		negative := slices.ContainsFunc(parts[:], func(p units.Seconds) bool { return !(float64(p) >= -bound) })
		if sum := parts.Sum(); negative || !(math.Abs(float64(sum-whole)) <= bound) {
			d.t.Errorf("%s: the parts of %s are %v, which is %v", where(run), what, parts, whole)
		}
	}
	for i := range rec.Requests {
		if r := &rec.Requests[i]; r.State == metrics.Completed {
			same("a TTFT", r.TTFTParts(), r.TTFT())
			same("an E2EL", r.E2ELParts(), r.E2EL())
		}
	}
	if run.Why == nil || run.Steady != nil || run.SteadyState != nil {
		return // of the window, not of all requests
	}
	for what, mean := range map[string]struct {
		split metrics.Split
		key   string
	}{"the mean TTFT": {run.Why.TTFT, metrics.MeanTTFT}, "the mean E2EL": {run.Why.E2EL, metrics.MeanE2EL}} {
		if parts, ok := mean.split["mean"]; ok {
			same(what, parts, units.Seconds(run.Metrics.Get(mean.key)/1e3))
		}
	}
}

// obeysPhysics demands that no part of the hardware did more than it can, and that no
// request was served in fewer steps than it needs, of which none is shorter than floor.
func (d *drawer) obeysPhysics(run *results.Run, rec *metrics.Record) {
	for _, key := range []string{metrics.MBU, metrics.MFU, metrics.BusyFraction, metrics.MeanKVUtilization, metrics.MaxKVUtilization} {
		if v := run.Metrics.Get(key); v < 0 || v > 1+1e-9 {
			d.t.Errorf("%s: %s is %v", where(run), key, v)
		}
	}
	for i := range rec.Requests {
		r := &rec.Requests[i]
		if r.State != metrics.Completed {
			continue
		}
		steps := math.Ceil(float64(r.Output) / float64(1+d.guesses))
		if least := steps * d.floor; float64(r.E2EL()) < least*(1-1e-9) {
			d.t.Errorf("%s: request %d took %v for %d tokens, and %v is the least", where(run), i, r.E2EL(), r.Output, units.Seconds(least))
		}
		if r.Arrival < 0 || r.First < r.Arrival || r.Last < r.First {
			d.t.Errorf("%s: request %d came at %v, had its first token at %v and its last at %v", where(run), i, r.Arrival, r.First, r.Last)
		}
	}
}
