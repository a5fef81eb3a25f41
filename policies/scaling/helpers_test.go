package scaling

import (
	"testing"

	"kneepoint/policies"
	"kneepoint/units"
)

// pool is a pool that does what its scaler wants, at once or after a delay.
type pool struct {
	*testing.T
	scaler Scaler
	s      Signals
}

func newPool(t *testing.T, name string, replicas int, change func(*Parameters)) *pool {
	t.Helper()
	e, ok := policies.Find(Scalers, name)
	if !ok {
		t.Fatalf("there is no %s", name)
	}
	p := e.Defaults
	p.Replicas = replicas
	if change != nil {
		change(&p)
	}
	return &pool{T: t, scaler: e.New(p), s: Signals{Ready: replicas}}
}

// ask asks at a time, and is what the scaler wants.
func (p *pool) ask(at units.Seconds) int {
	p.s.Now = at
	wanted := p.scaler.Wanted(&p.s)
	p.s.Since = at
	return wanted
}

// wants asks at a time and checks the answer, which the pool then follows: replicas
// are ready at once.
func (p *pool) wants(at units.Seconds, want int) {
	p.Helper()
	if got := p.ask(at); got != want {
		p.Errorf("at %v s with %d replicas: wants %d, not %d", float64(at), p.s.Replicas(), got, want)
	}
	p.s.Ready, p.s.Starting = want, 0
}

// load is as many requests from the last question on.
func (p *pool) load(requests int) { p.s.Running, p.s.MeanRequests = requests, float64(requests) }
