package sim

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/internal/effort"

	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// eventSums is an observer that adds up what it sees.
type eventSums struct {
	t       *rapid.T
	steps   int64
	context float64               // of decoded tokens, over all steps
	ends    map[int]units.Seconds // of steps, by replica
	moved   units.Bytes
	exposed units.Seconds
	phases  map[int]units.Seconds // by request: of its phases together
	until   map[int]units.Seconds // by request: the end of the last one
}

// Steps implements Observer.
func (o *eventSums) Steps(e StepsEvent) {
	o.steps += int64(e.Steps)
	n := float64(e.Steps)
	o.context += n*float64(e.Work.DecodeContext) + n*(n-1)/2*float64(e.Work.DecodeRows)
	if e.End < o.ends[e.Replica] {
		o.t.Errorf("steps end at %v after others that end at %v", e.End, o.ends[e.Replica])
	}
	o.ends[e.Replica] = e.End
}

// Move implements Observer.
func (o *eventSums) Move(e MoveEvent) {
	o.moved += e.Bytes
	o.exposed += e.Exposed
}

// Phase implements Observer.
func (o *eventSums) Phase(e PhaseEvent) {
	if last, known := o.until[e.Request]; known && !near(float64(last), float64(e.Start)) {
		o.t.Errorf("request %d: %s begins at %v, the phase before it ended at %v", e.Request, e.Phase, e.Start, last)
	}
	o.phases[e.Request] += e.End - e.Start
	o.until[e.Request] = e.End
}

// TestObserverSeesEverything: events add up to the totals, and the phases of a
// request to its latency, in both engines; who looks changes nothing.
func TestObserverSeesEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t)
		config := s.fresh()
		config.Reference = rapid.Bool().Draw(t, "reference")
		unseen := config
		unseen.Traffic = s.traffic.again()
		want, err := Run(context.Background(), unseen)
		if err != nil {
			t.Fatal(err)
		}
		o := &eventSums{t: t, ends: map[int]units.Seconds{}, phases: map[int]units.Seconds{}, until: map[int]units.Seconds{}}
		config.Observer = o
		rec, err := Run(context.Background(), config)
		if err != nil {
			t.Fatal(err)
		}
		if rec.Ended != want.Ended || rec.Totals != want.Totals {
			t.Errorf("observed: %+v; otherwise: %+v", rec.Totals, want.Totals)
		}
		if o.steps != rec.Totals.Steps {
			t.Errorf("%d steps were seen, of %d", o.steps, rec.Totals.Steps)
		}
		context := rec.Pools[0].Steps.Decodes.DecodeContext + rec.Pools[0].Steps.Prompts.DecodeContext
		if lost := len(s.config.Pools[0].Failures) > 0 || s.config.MaxTime > 0 || !s.config.Drain; o.context > context || !lost && o.context != context {
			t.Errorf("steps over %v tokens of context were seen, of %v", o.context, context)
		}
		if !near(float64(o.moved), float64(rec.Totals.MovedBytes)) || !near(float64(o.exposed), float64(rec.Totals.Exposed)) {
			t.Errorf("moves of %v were seen, of %v", o.moved, rec.Totals.MovedBytes)
		}
		for id := range rec.Requests {
			r := &rec.Requests[id]
			if r.State == metrics.Completed && math.Abs(float64(o.phases[id]-r.E2EL())) > 1e-9*math.Max(1, float64(r.Last)) {
				t.Errorf("request %d: phases of %v in a latency of %v", id, o.phases[id], r.E2EL())
			}
		}
	})
}

// fullness is an observer that keeps how many blocks are in use in steps, by replica and end of the last of them.
type fullness struct {
	Observer
	blocks map[stepEnd]int
}

type stepEnd struct {
	replica int
	end     units.Seconds
}

func (o *fullness) Steps(e StepsEvent) { o.blocks[stepEnd{e.Replica, e.End}] = e.Blocks }
func (o *fullness) Move(MoveEvent)     {}
func (o *fullness) Phase(PhaseEvent)   {}

// TestObserverSeesMemoryAlike: in steps that are taken together as many blocks are in use, in the last of them, as in the same
// step of the reference.
func TestObserverSeesMemoryAlike(t *testing.T) {
	effort.Check(t, 10, func(t *rapid.T) {
		s := drawScene(t)
		var seen [2]fullness
		for i := range seen {
			seen[i].blocks = map[stepEnd]int{}
			config := s.fresh()
			config.Reference, config.Observer = i == 0, &seen[i]
			if _, err := Run(context.Background(), config); err != nil {
				t.Fatal(err)
			}
		}
		for at, blocks := range seen[1].blocks {
			if want, found := seen[0].blocks[at]; !found || blocks != want {
				t.Errorf("in the step of replica %d that ends at %v %d blocks are in use, in that of the reference %d (there: %t)", at.replica, at.end, blocks, want, found)
			}
		}
	})
}

// TestObserverSeesMemoryOfEnded: a step is planned while one before it runs in which a sequence ends, whose blocks are in use until the
// step behind is over. It is taken by itself, since another request waits for the place.
func TestObserverSeesMemoryOfEnded(t *testing.T) {
	var seen [2]fullness
	for i := range seen {
		traffic := &scripted{}
		traffic.add(0, 1, 4)
		traffic.add(0, 1, 12)
		traffic.add(0, 1, 1)
		config := written(traffic, 100, continuous(2, 64)())
		seen[i].blocks = map[stepEnd]int{}
		config.Pools[0].AsyncScheduling, config.Reference, config.Observer = true, i == 0, &seen[i]
		if _, err := Run(context.Background(), config); err != nil {
			t.Fatal(err)
		}
	}
	if blocks := seen[0].blocks[stepEnd{0, 5}]; blocks != 5 {
		t.Errorf("%d blocks are in use in the step behind the end, want 5", blocks)
	}
	for at, blocks := range seen[1].blocks {
		if want := seen[0].blocks[at]; blocks != want {
			t.Errorf("in the step that ends at %v %d blocks are in use, in that of the reference %d", at.end, blocks, want)
		}
	}
}
