package sim

import (
	"context"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/internal/units"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/workloads"
)

// scene is a small run with everything that can go wrong: hardly any memory,
// requests that are too long, simultaneous events, an early end.
type scene struct {
	traffic *scripted
	config  Config // but for its traffic and policies, which are used up by a run
	policy  func() policies.Batching
	count   int // of replicas
}

func drawScene(t *rapid.T) scene {
	s := scene{traffic: &scripted{}, count: rapid.IntRange(1, 3).Draw(t, "replicas")}
	s.config = Config{
		Blocks:    rapid.IntRange(0, 12).Draw(t, "blocks"),
		BlockSize: rapid.IntRange(1, 6).Draw(t, "block size"),
		MaxTokens: rapid.SampledFrom([]int{math.MaxInt, 20}).Draw(t, "context"),
		TooLong:   rapid.SampledFrom([]TooLong{Reject, Truncate}).Draw(t, "too long"),
		MaxTime:   rapid.SampledFrom([]units.Seconds{0, 0, 7, 30.5}).Draw(t, "max time"),
		Drain:     true,
		FrontEnd:  drawFrontEnd(t),
		Cost:      drawCost(t),
		// Both change when tokens come, and no invariant.
		AsyncScheduling: rapid.Bool().Draw(t, "async scheduling"),
		PrefixCaching:   rapid.Bool().Draw(t, "prefix caching"),
		InWindow:        func(r workloads.Request) bool { return r.ID%2 == 0 },
	}
	if rapid.Bool().Draw(t, "ranked") { // few ranks, so that many are equal
		s.config.Rank = func(r workloads.Request) float64 { return float64(r.Output % 3) }
	}
	s.drawTraffic(t)
	if s.traffic.clients == 0 {
		s.config.Drain = rapid.Bool().Draw(t, "drain")
	}
	s.drawPolicy(t)
	return s
}

func drawFrontEnd(t *rapid.T) func(int) units.Seconds {
	fixed := units.Seconds(rapid.SampledFrom([]float64{0, 0, 0.5, 3}).Draw(t, "front end"))
	perToken := units.Seconds(rapid.SampledFrom([]float64{0, 0.125}).Draw(t, "front end per token"))
	return func(prompt int) units.Seconds { return fixed + perToken*units.Seconds(prompt) }
}

// drawCost prefers whole seconds, with which things happen at the same time.
func drawCost(t *rapid.T) hardware.CostModel {
	part := func(name string) units.Seconds {
		return units.Seconds(rapid.SampledFrom([]float64{0, 0, 1, 0.25, 0.1}).Draw(t, name))
	}
	return &hardware.Synthetic{
		StepFixed:       units.Seconds(rapid.SampledFrom([]float64{1, 0.5, 0.3}).Draw(t, "step")),
		PerDecodeRow:    part("per row"),
		PerContextToken: part("per context token"),
		PerPrefillToken: part("per prompt token"),
	}
}

func (s *scene) drawTraffic(t *rapid.T) {
	s.traffic.clients = rapid.SampledFrom([]int{0, 0, 1, 4}).Draw(t, "clients")
	gaps := rapid.SampledFrom([][]float64{{0}, {1}, {0, 0.5, 1, 4, 0.37}}).Draw(t, "gaps")
	longest := rapid.IntRange(2, s.config.Blocks*s.config.BlockSize+2).Draw(t, "longest")
	at := units.Seconds(0)
	for range rapid.IntRange(0, 60).Draw(t, "requests") {
		at += units.Seconds(rapid.SampledFrom(gaps).Draw(t, "gap"))
		input := rapid.IntRange(1, longest-1).Draw(t, "input")
		s.traffic.add(at, input, rapid.IntRange(1, longest-input).Draw(t, "output"))
		if prefix := rapid.IntRange(0, 2).Draw(t, "prefix"); prefix > 0 {
			s.traffic.requests[len(s.traffic.requests)-1].Prefix = prefix
			s.traffic.requests[len(s.traffic.requests)-1].PrefixTokens = rapid.IntRange(1, input).Draw(t, "prefix tokens")
		}
	}
}

func (s *scene) drawPolicy(t *rapid.T) {
	size := rapid.SampledFrom([]int{1, 2, 5, 100}).Draw(t, "batch size")
	if rapid.Bool().Draw(t, "static") {
		padded := rapid.Bool().Draw(t, "padded")
		wait := units.Seconds(rapid.SampledFrom([]float64{0, 2, 100}).Draw(t, "max wait"))
		s.config.Reserve = policies.ReserveDeclared
		s.policy = func() policies.Batching {
			return &policies.Static{BatchSize: size, Padded: padded, MaxWait: wait}
		}
		return
	}
	budget := rapid.SampledFrom([]int{1, 3, 10, 1000}).Draw(t, "budget")
	scheduler := rapid.SampledFrom(schedulers).Draw(t, "scheduler")
	s.policy = func() policies.Batching { return scheduler.make(size, budget) }
	reservations := map[string]policies.Reservation{"oracle": policies.ReserveDeclared,
		"max": policies.ReserveMax(s.config.limit()), "pow2": policies.ReservePow2(s.config.limit())}
	names := []string{"max", "oracle", "pow2"}
	if !scheduler.whole {
		reservations["paged"] = policies.ReservePaged
		names = append(names, "paged", "paged", "paged", "paged", "paged", "paged")
	}
	s.config.Reserve = reservations[rapid.SampledFrom(names).Draw(t, "reserve")]
}

// fresh is the run's configuration, ready to run.
func (s *scene) fresh() Config {
	c := s.config
	c.Traffic = s.traffic.again()
	for range s.count {
		c.Batching = append(c.Batching, s.policy())
	}
	return c
}

func TestInvariants(t *testing.T) {
	for range 20 { // what storms of preemption hide shows once in a thousand scenes
		rapid.Check(t, func(t *rapid.T) { drawScene(t).check(t) })
	}
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
		if r := &rec.Requests[id]; r.First != first {
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
	if n := len(s.traffic.requests); len(rec.Requests) > n || len(rec.Requests) < n && s.config.MaxTime == 0 {
		t.Errorf("%d of %d requests are recorded", len(rec.Requests), n)
	}
	for id := range rec.Requests {
		r, sent := &rec.Requests[id], s.traffic.requests[id]
		fits := s.config.Fits(sent)
		if r.State == metrics.Unfinished && !s.cut() {
			t.Errorf("request %d is unfinished in a drained run", id)
		}
		served := fits || s.config.TooLong == Truncate && s.config.limit() >= 2
		if rejected := r.State == metrics.Rejected; served == rejected {
			t.Errorf("request %d fits (%t) and is %v", id, fits, r.State)
		}
		if fits && (r.Input != int32(sent.Input) || r.Output != int32(sent.Output)) {
			t.Errorf("request %d: %d and %d tokens became %d and %d", id, sent.Input, sent.Output, r.Input, r.Output)
		}
		if r.State != metrics.Rejected && (r.Input < 1 || r.Output < 1 || int(r.Input+r.Output) > s.config.limit()) {
			t.Errorf("request %d was let in with %d and %d tokens, the limit is %d", id, r.Input, r.Output, s.config.limit())
		}
		if want := r.Arrival - sent.Planned; r.ClientQueue != want {
			t.Errorf("request %d waited for %v at the client, recorded %v", id, want, r.ClientQueue)
		}
	}
}

// checkWork checks that every token was computed once, and again after a
// preemption only, and sampled once.
func (s *scene) checkWork(t *rapid.T, rec *metrics.Record, w *watcher) {
	var generated, needed int
	for id := range rec.Requests {
		r := &rec.Requests[id]
		generated += int(r.Generated)
		if r.State == metrics.Completed {
			needed += int(r.Input + r.Output - 1)
		}
	}
	recomputed := int(rec.Totals.RecomputedTokens)
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
