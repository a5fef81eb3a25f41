package sim

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// TestTimelineAddsUp: over the whole run the buckets of a timeline sum to the totals of the
// run, however long they are; both engines have the same, and who records changes nothing.
func TestTimelineAddsUp(t *testing.T) {
	for name, draw := range map[string]func(t *rapid.T) func() Config{
		"whole":    func(t *rapid.T) func() Config { s := drawScene(t); return s.fresh },
		"apart":    drawApart,
		"together": drawTogether,
		"chunks":   drawChunks,
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { timelinesAddUp(t, draw(t)) })
		})
	}
}

func timelinesAddUp(t *rapid.T, fresh func() Config) {
	want, err := Run(context.Background(), fresh())
	if err != nil {
		t.Fatal(err)
	}
	buckets := rapid.IntRange(1, 40).Draw(t, "buckets")
	end := 2*(want.Ended-want.Started) + 1
	if hardware.PipelineOf(fresh().Pools[0].Cost).Stages() > 1 {
		end += 1000 // steps under way when the run is cut count as begun
	}
	var timelines [2]*metrics.Timeline
	for i := range timelines {
		config := fresh()
		config.Reference, config.Timeline = i == 1, metrics.NewTimeline(0, end, buckets)
		rec, err := Run(context.Background(), config)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 && (rec.Ended != want.Ended || rec.Totals != want.Totals) {
			t.Errorf("recorded: %+v; otherwise: %+v", rec.Totals, want.Totals)
		}
		checkTimeline(t, rec, &config)
		timelines[i] = config.Timeline
	}
	whole := timelines[1].Whole()
	for i, a := range timelines[0].Whole() {
		b := whole[i]
		if !sameBucket(a, b) {
			t.Errorf("bucket %d is %+v, with the reference %+v", i, a, b)
		}
	}
}

// TestTimelineBehindAnEnd: with asynchronous scheduling a sequence that has ended keeps its memory during the step behind, in which
// requests come to a front end, and leave it, or do so in the next step. Time is counted in order, whether the replica runs
// ahead to the next arrival alone, or as far as it knows.
func TestTimelineBehindAnEnd(t *testing.T) {
	for name, at := range map[string][]units.Seconds{"to the next arrival": {2.5, 3.6}, "followed": {3.6}} {
		t.Run(name, func(t *testing.T) {
			var timelines [2]*metrics.Timeline
			for i := range timelines {
				traffic := &scripted{}
				traffic.add(0, 1, 2)
				traffic.add(0, 40, 9)
				for _, at := range at {
					traffic.add(at, 1, 2)
				}
				config := written(traffic, 100, continuous(4, 64)())
				config.Pools[0].FrontEnd = func(int) units.Seconds { return 1 }
				config.Pools[0].AsyncScheduling, config.Reference, config.Timeline = true, i == 1, metrics.NewTimeline(0, 20, 100)
				if name == "followed" {
					config.Signals = Signals{Delay: 1} // which has the fleet follow its replicas
				}
				rec, err := Run(context.Background(), config)
				if err != nil {
					t.Fatal(err)
				}
				checkTimeline(t, rec, &config)
				timelines[i] = config.Timeline
			}
			whole := timelines[1].Whole()
			for i, a := range timelines[0].Whole() {
				if b := whole[i]; !sameBucket(a, b) {
					t.Errorf("bucket %d is %+v, with the reference %+v", i, a, b)
				}
			}
		})
	}
}

// TestTimelineOfPreemptions: they count where memory is short, with what they compute again.
func TestTimelineOfPreemptions(t *testing.T) {
	s := setup{
		workload: poisson(2, 400, exponential(40), exponential(30)),
		cost:     &hardware.Synthetic{StepFixed: 0.01, PerDecodeRow: 0.001, PerPrefillToken: 2e-4},
		batching: continuous(8, 64),
		blocks:   24,
		replicas: 2,
	}
	config := s.config(t, 1, 0)
	config.Timeline = metrics.NewTimeline(0, 1000, 100)
	rec, err := Run(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	if rec.Totals.Preemptions == 0 || rec.Ended-rec.Started > 1000 {
		t.Fatalf("%d preemptions in %v", rec.Totals.Preemptions, rec.Ended)
	}
	checkTimeline(t, rec, &config)
}

// TestTimelineOfTransfers: requests between replicas count in no pool.
func TestTimelineOfTransfers(t *testing.T) {
	traffic := &scripted{}
	traffic.add(0, 4, 3)
	traffic.add(0, 2, 3)
	config := apart(traffic, Transfer{Bandwidth: 2})
	config.Timeline = metrics.NewTimeline(0, 20, 40)
	rec, err := Run(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	if rec.Totals.InTransfer == 0 {
		t.Error("nothing is transferred")
	}
	checkTimeline(t, rec, &config)
}

// checkTimeline compares a timeline of a whole run with what else is known of it.
func checkTimeline(t reporter, rec *metrics.Record, config *Config) {
	timeline := config.Timeline
	timeline.AddReplicas(rec)
	var sum metrics.Bucket
	for _, b := range timeline.Whole() {
		sum.FrontEnd += b.FrontEnd
		sum.Waiting += b.Waiting
		sum.Running += b.Running
		sum.KVTokens += b.KVTokens
		sum.Serving += b.Serving + b.Starting
		sum.AtRouter += b.AtRouter
		sum.InTransfer += b.InTransfer
		sum.Arrivals += b.Arrivals
		sum.Met += b.Met
		sum.Preemptions += b.Preemptions
		sum.PromptTokens += b.PromptTokens
		sum.OutputTokens += b.OutputTokens
	}
	want := metrics.Bucket{FrontEnd: rec.Totals.InFrontEnd, Waiting: rec.Totals.Waiting, Running: rec.Totals.Running,
		AtRouter: rec.Totals.AtRouter, InTransfer: rec.Totals.InTransfer, Arrivals: float64(len(rec.Requests)), Preemptions: float64(rec.Totals.Preemptions)}
	want.Serving = rec.Replicas() * float64(rec.Ended-rec.Started)
	for i := range rec.Pools {
		p := &rec.Pools[i]
		for _, r := range p.Replicas {
			if r.Failed > 0 && r.Failed < rec.Ended { // and hangs until it is released
				released := rec.Ended
				if r.Released > 0 {
					released = min(released, r.Released)
				}
				want.Serving -= max(0, float64(released-max(r.Failed, rec.Started)))
			}
		}
		want.KVTokens += p.Totals.KVBlocks * float64(p.BlockSize)
		want.PromptTokens += p.Steps.Prompts.PromptTokens
	}
	for i := range rec.Requests {
		want.OutputTokens += float64(rec.Requests[i].Generated)
		if rec.Requests[i].State == metrics.Completed {
			want.Met++ // there is no objective
		}
	}
	if p := &config.Pools[0]; p.WholeBatches && len(p.Failures) > 0 { // last tokens that wait for their batch are generated again
		want.OutputTokens = max(want.OutputTokens, sum.OutputTokens)
	}
	if !sameBucket(sum, want) {
		t.Errorf("the buckets sum to %+v, want %+v", sum, want)
	}
}

// sameBucket tells whether two buckets are the same but for rounding.
func sameBucket(a, b metrics.Bucket) bool {
	for _, pair := range [][2]float64{{a.FrontEnd, b.FrontEnd}, {a.Waiting, b.Waiting}, {a.Running, b.Running}, {a.KVTokens, b.KVTokens},
		{a.Arrivals, b.Arrivals}, {a.Preemptions, b.Preemptions}, {a.AtRouter, b.AtRouter}, {a.InTransfer, b.InTransfer}, {a.Met, b.Met}, {a.Serving, b.Serving}, {a.PromptTokens, b.PromptTokens}, {a.OutputTokens, b.OutputTokens}} {
		if math.Abs(pair[0]-pair[1]) > 1e-9*math.Max(1, math.Abs(pair[1])) {
			return false
		}
	}
	return true
}

// TestTimelineOfAWindow: what lies outside is not counted, and what lies across an edge as far
// as it is inside.
func TestTimelineOfAWindow(t *testing.T) {
	timeline := metrics.NewTimeline(10, 20, 5)
	timeline.Begin(100)
	for _, at := range []units.Seconds{99, 100, 109.9, 110, 111, 119.9, 120, 500} {
		timeline.At(timeline.Fleet, at).Arrivals++
	}
	for _, span := range [][2]units.Seconds{{0, 50}, {100, 112}, {111, 115}, {118, 140}, {113, 113}, {90, 90}} {
		timeline.Over(timeline.Fleet, span[0], span[1], func(b *metrics.Bucket, share float64) { b.OutputTokens += 24 * share })
	}
	for i, want := range []metrics.Bucket{
		{Arrivals: 2, OutputTokens: 4 + 6}, {OutputTokens: 12 + 24}, {OutputTokens: 6}, {}, {Arrivals: 1, OutputTokens: 24 / 11.0},
	} {
		if got := timeline.Fleet[i]; !sameBucket(got, want) {
			t.Errorf("bucket %d is %+v, want %+v", i, got, want)
		}
	}
}
