package sim

import (
	"context"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/internal/effort"
	"kneepoint/sim/metrics"
)

// TestInvariants draws thousands of scenes, since what storms of preemption hide shows once in a thousand.
func TestInvariants(t *testing.T) {
	effort.Check(t, 20, func(t *rapid.T) { drawScene(t).check(t) })
}

func (s scene) check(t *rapid.T) {
	rec, w, err := watch(s.fresh())
	if err != nil {
		t.Fatal(err)
	}
	checkRecord(t, rec)
	for _, p := range w.problems {
		t.Error(p)
	}
	s.checkRequests(t, rec)
	s.checkWork(t, rec, w)
	for id, first := range w.first {
		r := &rec.Requests[id]
		if s.config.Pools[0].WholeAnswers && r.State == metrics.Completed {
			first = r.Last
		}
		if r.First != first {
			t.Errorf("request %d: the first token came at %v and is recorded at %v", id, first, r.First)
		}
	}
	config := s.fresh()
	config.Reference = true
	again, err := Run(context.Background(), config)
	if err != nil || !reflect.DeepEqual(rec, again) {
		t.Errorf("a second run differs (%v)", err)
	}
}

// cut reports whether the run may end before its requests do.
func (s *scene) cut() bool { return !s.config.Drain || s.config.MaxTime > 0 }

// checkRequests checks that nobody is lost, and who is rejected.
func (s *scene) checkRequests(t *rapid.T, rec *metrics.Record) {
	if n := len(s.traffic.requests); len(rec.Requests) > n || len(rec.Requests) < n && s.config.MaxTime == 0 && s.config.Pools[0].Failures == nil {
		t.Errorf("%d of %d requests are recorded", len(rec.Requests), n)
	}
	for id := range rec.Requests {
		r, sent := &rec.Requests[id], s.traffic.requests[id]
		fits := s.config.Fits(sent)
		if r.State == metrics.Unfinished && !s.cut() && s.config.Pools[0].Failures == nil {
			t.Errorf("request %d is unfinished in a drained run", id)
		}
		served := fits || s.config.TooLong == Truncate && s.config.Pools[0].longest() >= 2
		if rejected := r.State == metrics.Rejected; served == rejected || r.State == metrics.QueueFull && s.config.Pools[0].MaxWaiting == 0 {
			t.Errorf("request %d fits (%t) and is %v", id, fits, r.State)
		}
		if fits && (r.Input != int32(sent.Input) || r.Output != int32(sent.Output)) {
			t.Errorf("request %d: %d and %d tokens became %d and %d", id, sent.Input, sent.Output, r.Input, r.Output)
		}
		if read := s.config.Pools[0].Compression.Tokens(int(r.Input)); r.State != metrics.Rejected && r.State != metrics.QueueFull && (read < 1 || r.Output < 1 || read+int(r.Output) > s.config.Pools[0].longest()) {
			t.Errorf("request %d was let in with %d and %d tokens, the limit is %d", id, r.Input, r.Output, s.config.Pools[0].longest())
		}
		if int(r.Class) != sent.Class {
			t.Errorf("request %d of class %d is recorded as of class %d", id, sent.Class, r.Class)
		}
		if want := r.Arrival - sent.Planned; r.ClientQueue != want {
			t.Errorf("request %d waited for %v at the client, recorded %v", id, want, r.ClientQueue)
		}
	}
}

// checkWork checks that every token was computed once, and again after a
// preemption only, and sampled once.
func (s *scene) checkWork(t *rapid.T, rec *metrics.Record, w *watcher) {
	if s.config.Pools[0].Failures != nil {
		return // steps are cut off
	}
	var generated, needed int
	for id := range rec.Requests {
		r := &rec.Requests[id]
		generated += int(r.Generated)
		if r.State == metrics.Completed {
			needed += s.config.Pools[0].Compression.Tokens(int(r.Input)) + int(r.Output) - 1
		}
	}
	recomputed := int(rec.Totals.RecomputedTokens)
	guessed, rejected := int(rec.Totals.GuessedTokens), int(rec.Totals.ProposedTokens-rec.Totals.GuessedTokens)
	generated += rejected // rows of guesses that were not used
	needed -= guessed     // computed as guesses
	if s.cut() {
		// A step that the end cut off was begun in vain.
		if w.logits < generated || w.computed+w.cached < needed {
			t.Errorf("%d rows sampled for %d tokens, %d tokens computed and %d cached for %d", w.logits, generated, w.computed, w.cached, needed)
		}
		return
	}
	if w.logits != generated {
		t.Errorf("%d rows were sampled for %d tokens", w.logits, generated)
	}
	if w.computed+w.cached != needed+recomputed || w.recomputed != recomputed {
		t.Errorf("%d tokens were computed and %d cached, for %d needed and %d recomputed (%d by the work)",
			w.computed, w.cached, needed, recomputed, w.recomputed)
	}
}
