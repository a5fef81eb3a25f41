package sim

import (
	"math"
	"slices"
	"testing"

	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// checkRecord checks what must hold of every run.
func checkRecord(t reporter, rec *metrics.Record) {
	t.Helper()
	var sojourn float64
	var gaps, preemptions, generated int64
	for id := range rec.Requests {
		r := &rec.Requests[id]
		checkRequest(t, id, r, rec)
		gaps += max(int64(r.Generated)-1, 0)
		preemptions += int64(r.Preemptions)
		generated += int64(r.Generated)
		switch r.State {
		case metrics.Completed:
			sojourn += float64(r.E2EL())
		case metrics.Unfinished:
			sojourn += float64(rec.Ended - r.Arrival)
		default:
			sojourn += float64(max(0, r.Last-r.Arrival)) // of those that waited at the router
		}
	}
	if in := rec.InSystem(); math.Abs(in-sojourn) > 1e-9*math.Max(sojourn, 1) {
		t.Errorf("Little's law: the number in system integrates to %v, sojourn times sum to %v", in, sojourn)
	}
	totals := rec.Totals
	if n := rec.ITL.Count() + totals.GuessedTokens; n != gaps && (rec.ITL.Count() != 0 || !whole(rec)) {
		t.Errorf("%d inter-token gaps and guesses between tokens that have %d gaps", n, gaps)
	}
	if !(0 <= totals.GuessedTokens && totals.GuessedTokens <= totals.AcceptedTokens && totals.AcceptedTokens <= totals.ProposedTokens) {
		t.Errorf("of %d guesses %d were accepted and %d used", totals.ProposedTokens, totals.AcceptedTokens, totals.GuessedTokens)
	}
	if totals.Preemptions != preemptions {
		t.Errorf("%d preemptions, %d of them of requests", totals.Preemptions, preemptions)
	}
	if totals.GeneratedTokens != generated {
		t.Errorf("%d tokens were generated, %d of requests", totals.GeneratedTokens, generated)
	}
	if totals.KVMax < 0 || totals.KVMax > 1 {
		t.Errorf("KV utilization of %v", totals.KVMax)
	}
	elapsed := float64(rec.Ended - rec.Started)
	if limit := float64(blocksOf(rec)) * elapsed; totals.KVBlocks < -1e-9 || totals.KVBlocks > limit*(1+1e-9) {
		t.Errorf("%v block seconds in use of %v", totals.KVBlocks, limit)
	}
	if limit := elapsed * rec.Replicas(); float64(totals.Busy) > limit+1e-9*math.Max(limit, 1) {
		t.Errorf("busy for %v of %v", totals.Busy, limit)
	}
	if occupied := float64(totals.Occupied); occupied > elapsed*rec.Replicas()*(1+1e-9) || occupied > rec.InSystem()*(1+1e-9) {
		t.Errorf("there are requests for %v of %v; their number integrates to %v", occupied, elapsed*rec.Replicas(), rec.InSystem())
	}
	for what, integral := range map[string]float64{"front end": totals.InFrontEnd, "queue": totals.Waiting, "batch": totals.Running} {
		if integral < -1e-9 {
			t.Errorf("the number in the %s integrates to %v", what, integral)
		}
	}
}

// blocksOf is the number of blocks of all replicas.
func blocksOf(rec *metrics.Record) int {
	n := 0
	for _, p := range rec.Pools {
		n += len(p.Replicas) * p.Blocks
	}
	return n
}

// whole reports whether every answer came whole.
func whole(rec *metrics.Record) bool {
	return !slices.ContainsFunc(rec.Requests, func(r metrics.Request) bool { return r.State == metrics.Completed && r.First != r.Last })
}

func checkRequest(t reporter, id int, r *metrics.Request, rec *metrics.Record) {
	t.Helper()
	switch r.State {
	case metrics.Completed:
		if r.Generated != r.Output || !(r.Arrival <= r.First && r.First <= r.Last && r.Last <= rec.Ended) {
			t.Errorf("request %d completed with %d of %d tokens; arrival %v, first token %v, last token %v, end %v",
				id, r.Generated, r.Output, r.Arrival, r.First, r.Last, rec.Ended)
		}
		checkParts(t, id, "TTFT", r, r.ToFirst, r.TTFTParts(), r.TTFT())
		checkParts(t, id, "E2EL", r, r.ToLast, r.E2ELParts(), r.E2EL())
	case metrics.Unfinished:
		if r.Generated < 0 || r.Generated > r.Output || r.Arrival > rec.Ended {
			t.Errorf("request %d is unfinished with %d of %d tokens; arrival %v, end %v", id, r.Generated, r.Output, r.Arrival, rec.Ended)
		}
		if r.Generated > 0 && !(r.Arrival <= r.First && r.First <= rec.Ended) {
			t.Errorf("request %d: arrival %v, first token %v, end %v", id, r.Arrival, r.First, rec.Ended)
		}
	case metrics.TimedOut, metrics.Lost:
		if !(0 <= r.Generated && r.Generated <= r.Output && r.Arrival <= r.Last && r.Last <= rec.Ended) {
			t.Errorf("request %d is %v with %d of %d tokens; arrival %v, left %v, end %v", id, r.State, r.Generated, r.Output, r.Arrival, r.Last, rec.Ended)
		}
	case metrics.Rejected, metrics.QueueFull:
		if r.Generated != 0 || r.Preemptions != 0 {
			t.Errorf("request %d was rejected and generated %d tokens", id, r.Generated)
		}
	default:
		t.Errorf("request %d is in state %d", id, r.State)
	}
}

// checkParts checks that nothing of a latency is lost or counted twice: the parts
// sum to it, and do so to single precision as they were recorded.
func checkParts(t reporter, id int, what string, r *metrics.Request, recorded metrics.Packed, parts metrics.Parts, whole units.Seconds) {
	t.Helper()
	var sum float64
	for _, p := range recorded {
		sum += float64(p)
	}
	tolerance := 1e-7 * float64(10+r.Preemptions)
	if math.Abs(sum-float64(whole)) > tolerance*math.Max(float64(whole), 1e-3) {
		t.Errorf("request %d: the parts of %s are %v, which sum to %v and not %v", id, what, recorded, sum, whole)
	}
	if off := math.Abs(float64(parts.Sum() - whole)); off > 1e-9 || slices.Min(parts[:]) < 0 {
		t.Errorf("request %d: the parts of %s are %v, %v off", id, what, parts, off)
	}
}

// TestStreamsCountTheRefused: a streamed run counts requests that were turned away like one
// that keeps them.
func TestStreamsCountTheRefused(t *testing.T) {
	run := func(stream *metrics.Stream) metrics.Values {
		traffic := &scripted{}
		for range 6 {
			traffic.add(0, 3, 4)
		}
		traffic.add(1, 1000, 4) // does not fit
		config := written(traffic, 10, continuous(1, 8)())
		config.Pools[0].MaxWaiting, config.Stream = 2, stream
		rec, err := Run(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		return metrics.Summarize(rec, metrics.Objective{}, []metrics.Deployment{{}})
	}
	kept, streamed := run(nil), run(metrics.NewStream(metrics.Objective{}))
	for _, key := range []string{metrics.CompletedRequests, metrics.RejectedRequests, metrics.UnfinishedRequests, metrics.OfferedRate} {
		if kept[key] != streamed[key] {
			t.Errorf("%s: %v kept, %v streamed", key, kept[key], streamed[key])
		}
	}
	if kept[metrics.RejectedRequests] != 5 {
		t.Errorf("%v rejected", kept[metrics.RejectedRequests])
	}
}
