package sim

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
	"kneepoint/workloads"
)

// vanishing is traffic that stops before all of its requests came.
type vanishing struct {
	workloads.Traffic
	left int
}

func (v *vanishing) Peek() (units.Seconds, bool) {
	if v.left == 0 {
		return forever, false
	}
	return v.Traffic.Peek()
}

func (v *vanishing) Pop() (workloads.Request, bool) {
	v.left--
	return v.Traffic.Pop()
}

// losing is a policy that forgets the head of the queue once.
type losing struct {
	policies.Continuous
	lost bool
}

func (l *losing) Plan(v *policies.View, d *policies.Decision) {
	if queue, ok := v.Waiting.(*queue); ok && queue.Len() > 1 && !l.lost {
		l.lost = true
		queue.popFront()
	}
	l.Continuous.Plan(v, d)
}

func (l *losing) Totals() policies.Aggregating { return nil }

// TestConservation: a run in which a request is lost, in the traffic or in a replica, is no
// result.
func TestConservation(t *testing.T) {
	plain := setup{workload: poisson(50, 40, fixed(10), fixed(10)), cost: &hardware.Synthetic{StepFixed: 0.1}, batching: continuous(2, 64)}
	for name, c := range map[string]struct {
		change func(*Config)
		want   string
	}{
		"as it should be": {func(*Config) {}, ""},
		"stopped early":   {func(c *Config) { c.Traffic = &vanishing{c.Traffic, 39} }, "40 requests were to come: 39 came, 39 completed"},
		"cut short":       {func(c *Config) { c.Traffic, c.MaxTime = &vanishing{c.Traffic, 39}, 1 }, ""},
		"lost in a queue": {func(c *Config) {
			c.Pools[0].Batching = func() policies.Batching {
				return &losing{Continuous: policies.Continuous{MaxNumSeqs: 2, MaxNumBatchedTokens: 64}}
			}
		}, "requests were lost: 40 came, 39 completed"},
		"never served": {func(c *Config) { c.Pools[0].Batching = func() policies.Batching { return idle{} } }, "requests were left over: 40 came, 0 completed"},
	} {
		t.Run(name, func(t *testing.T) {
			config := plain.config(t, 1, 0)
			config.Requests = 40
			c.change(&config)
			defer func() {
				if got := fmt.Sprint(recover()); c.want == "" && got != "<nil>" || !strings.Contains(got, c.want) {
					t.Errorf("panics with %q, want %q", got, c.want)
				}
			}()
			if _, err := Run(context.Background(), config); err != nil {
				t.Error(err)
			}
		})
	}
}

// idle is a policy that serves nobody.
type idle struct{}

func (idle) Plan(*policies.View, *policies.Decision) {}
func (idle) Totals() policies.Aggregating            { return nil }

// TestClock: a run that goes on after the time up to which the clock is exact fails, whether
// requests arrive after it or steps end then.
func TestClock(t *testing.T) {
	late := workloads.Spec{NumRequests: 2, Input: &workloads.LengthSpec{Type: "fixed", Mean: 1, Min: 1}, Output: &workloads.LengthSpec{Type: "fixed", Mean: 1, Min: 1},
		Arrival: &workloads.ArrivalSpec{Process: "closed", Concurrency: 1, ThinkTime: workloads.Thinking(units.Longest - 2)}}
	for name, c := range map[string]struct {
		step units.Seconds
		cut  bool // before any of that
		want bool
	}{
		"in time": {step: 0.5, want: true}, "too late": {step: 1.5}, "a slow step": {step: units.Longest + 1},
		"a slow step, cut": {step: units.Longest + 1, cut: true, want: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := setup{workload: late, cost: &hardware.Synthetic{StepFixed: c.step}, batching: continuous(2, 64)}
			config := s.config(t, 1, 0)
			config.MaxTime = 10 * units.Longest
			if c.cut {
				config.MaxTime = 10
			}
			_, err := Run(context.Background(), config)
			if (err == nil) != c.want || !c.want && !errors.Is(err, ErrClock) {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestRunThatGetsNowhereEnds: of a run that would go on for many years no more than one is
// simulated, with other replicas or clients beside it or without.
func TestRunThatGetsNowhereEnds(t *testing.T) {
	const hour = 3600
	for name, arrival := range map[string]workloads.ArrivalSpec{
		"open loop":   {Process: "poisson", Rate: 1},
		"closed loop": {Process: "closed", Concurrency: 2, ThinkTime: workloads.Thinking(1)},
	} {
		t.Run(name, func(t *testing.T) {
			endless := workloads.Spec{NumRequests: 4, Input: &workloads.LengthSpec{Type: "fixed", Mean: 1}, Output: &workloads.LengthSpec{Type: "fixed", Mean: 5e6},
				Arrival: &arrival}
			s := setup{workload: endless, cost: &hardware.Synthetic{StepFixed: hour}, batching: continuous(2, 64), blocks: 1 << 21, replicas: 2}
			c := s.config(t, 1, 0)
			c.Reference = true
			var counted stepCounter
			c.Observer = &counted
			if _, err := Run(context.Background(), c); !errors.Is(err, ErrClock) {
				t.Fatalf("%v", err)
			}
			if most := 2 * (365*24 + 1); int(counted) > most {
				t.Errorf("%d steps, want at most %d of an hour each", counted, most)
			}
		})
	}
}

// stepCounter counts the steps of a run.
type stepCounter int

func (c *stepCounter) Steps(e StepsEvent) { *c += stepCounter(e.Steps) }
func (c *stepCounter) Move(MoveEvent)     {}
func (c *stepCounter) Phase(PhaseEvent)   {}
