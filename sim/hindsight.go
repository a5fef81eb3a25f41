package sim

import (
	"context"
	"math"

	"kneepoint/policies/routing"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// LookBack finds how long a request of a run takes, and how long it would take at each other replica that
// its router could have chosen: the run is repeated up to the end of the request, with that choice alone
// changed. fresh makes the run's configuration, whose traffic is used up by each repetition. Where
// a request is routed several times, the first is meant. It is false where the request does not
// complete.
//
// What the router remembers of its choices is that it has sent the request where it would have.
func LookBack(ctx context.Context, fresh func() (Config, error), request int) (h metrics.Hindsight, ok bool, err error) {
	asRouted := detour{request: request, to: -1}
	if h.Chosen, err = asRouted.latency(ctx, fresh); err != nil || h.Chosen == forever {
		return h, false, err
	}
	h.Best = h.Chosen
	for _, other := range asRouted.others {
		instead := detour{request: request, to: other}
		latency, err := instead.latency(ctx, fresh)
		if err != nil {
			return h, false, err
		}
		h.Best = min(h.Best, latency)
	}
	return h, true, nil
}

// detour sends one request of a run to a replica, instead of the one that its router chooses.
type detour struct {
	request int
	to      int   // number of the replica; -1: as the router chooses
	routed  bool  // the request has been sent
	others  []int // replicas that it could have been sent to
}

// latency is how long the request takes; forever where it does not complete.
func (d *detour) latency(ctx context.Context, fresh func() (Config, error)) (units.Seconds, error) {
	c, err := fresh()
	if err != nil {
		return 0, err
	}
	router := c.Router
	if router == nil {
		router = func() routing.Router { return &routing.RoundRobin{} }
	}
	c.Router = func() routing.Router { return &detouring{router(), d} }
	c.Traffic = &trafficUntil{Traffic: c.Traffic, request: d.request}
	c.Stream, c.Requests = nil, 0
	record, err := Run(ctx, c)
	if err != nil {
		return 0, err
	}
	if d.request >= len(record.Requests) || record.Requests[d.request].State != metrics.Completed {
		return forever, nil
	}
	return record.Requests[d.request].E2EL(), nil
}

// detouring is a router beside which one request makes a detour.
type detouring struct {
	routing.Router
	detour *detour
}

// Route implements routing.Router.
func (r *detouring) Route(request *routing.Request, replicas routing.Replicas) int {
	chosen, d := r.Router.Route(request, replicas), r.detour
	if request.ID != d.request || d.routed || chosen < 0 || chosen >= replicas.Len() {
		return chosen
	}
	d.routed = true
	own := replicas.Number(chosen)
	for i := range replicas.Len() {
		switch number := replicas.Number(i); {
		case number == d.to:
			return i
		case number != own:
			d.others = append(d.others, number)
		}
	}
	return chosen
}

// Forget implements routing.Forgetter.
func (r *detouring) Forget(number int) {
	if f, remembers := r.Router.(routing.Forgetter); remembers {
		f.Forget(number)
	}
}

// trafficUntil ends with a request: what comes later does not concern it.
type trafficUntil struct {
	workloads.Traffic
	request int
	ended   bool
}

// Peek implements workloads.Traffic.
func (t *trafficUntil) Peek() (units.Seconds, bool) {
	if t.ended {
		return units.Seconds(math.Inf(1)), false
	}
	return t.Traffic.Peek()
}

// Pop implements workloads.Traffic.
func (t *trafficUntil) Pop() (workloads.Request, bool) {
	if t.ended {
		return workloads.Request{}, false
	}
	return t.Traffic.Pop()
}

// Done implements workloads.Traffic.
func (t *trafficUntil) Done(id int, at units.Seconds) {
	t.ended = t.ended || id == t.request
	t.Traffic.Done(id, at)
}
