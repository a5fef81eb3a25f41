package sim

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/policies"
	"kneepoint/policies/scaling"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// newScaler makes a scaler of the catalog.
func newScaler(name string, p scaling.Parameters) func() scaling.Scaler {
	entry, ok := policies.Find(scaling.Scalers, name)
	if !ok {
		panic(name)
	}
	return func() scaling.Scaler { return entry.New(p) }
}

// asleepWhenIdle has the pool's single replica go after a time without requests, and
// start anew with the next one.
func asleepWhenIdle(timeout units.Seconds, startup Startup) func(*Pool) {
	return func(p *Pool) {
		p.Startup = startup
		p.Scaling = &Scaling{Scaler: newScaler("fixed", scaling.Parameters{Replicas: 1}), Bounds: scaling.Bounds{Max: 1, IdleTimeout: timeout}}
	}
}

// exponentially is a factor with a mean of 1.
func exponentially(seed uint64) func(int) float64 {
	random := rand.New(rand.NewPCG(seed, 1))
	return func(int) float64 { return random.ExpFloat64() }
}

// TestSetUp: an M/M/1 queue, whose server is off after an idle time of b, has a set-up of
// length U with probability p = e^(-λb) when a request ends an idle time:
//
//	E[T] = 1/(μ-λ) + p·(2E[U] + λE[U²]) / (2(1 + p·λE[U]))
//
// Off at once and with exponential set-ups, that is 1/(μ-λ) + E[U].
func TestSetUp(t *testing.T) {
	effort.Whole(t)
	for _, c := range []struct {
		rho, idle, mean float64
		varies          bool
	}{{.5, 10, 10, false}, {.5, .25, 10, true}, {.5, .25, 10, false}, {.8, .25, 3, true}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			s := singleServer(c.rho, 20000, exponential(100000), 100000)
			s.change = func(p *Pool, seed uint64) {
				startup := Startup{Cold: units.Seconds(c.mean)}
				if c.varies {
					startup.Factor = exponentially(seed)
				}
				asleepWhenIdle(units.Seconds(c.idle), startup)(p)
			}
			square := c.mean * c.mean
			if c.varies {
				square *= 2
			}
			p := math.Exp(-c.rho * c.idle)
			s.replicate(t, sojourn).check(t, "E[T]", 1/(1-c.rho)+p*(2*c.mean+c.rho*square)/(2*(1+p*c.rho*c.mean)))
		})
	}
}

// asManyAsRequests wants a replica for each request.
type asManyAsRequests struct{ interval units.Seconds }

// Wanted implements scaling.Scaler.
func (asManyAsRequests) Wanted(s *scaling.Signals) int { return s.Requests() }

// Next implements scaling.Scaler.
func (a asManyAsRequests) Next(now units.Seconds) units.Seconds { return now + a.interval }

// TestManyServersWithSetUp: an M/M/k queue whose servers are off as soon as they are idle,
// and of which as many start as requests wait. The values are those of its Markov chain.
func TestManyServersWithSetUp(t *testing.T) {
	effort.Whole(t)
	const interval = 0.05
	for _, c := range []struct {
		k               int
		rho, mean, want float64
	}{{4, .5, 1, 1.6293}, {4, .5, 10, 4.4621}, {10, .5, 10, 2.6633}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			s := singleServer(float64(c.k)*c.rho, 10000, exponential(100000), 100000)
			s.queue = &RouterQueue{MaxInFlight: 1}
			s.change = func(p *Pool, seed uint64) {
				p.Replicas, p.Startup = 0, Startup{Cold: units.Seconds(c.mean), Factor: exponentially(seed)}
				p.Scaling = &Scaling{Scaler: func() scaling.Scaler { return asManyAsRequests{interval} }, Bounds: scaling.Bounds{Max: c.k}}
			}
			s.replicate(t, sojourn).check(t, "E[T]", c.want)
		})
	}
}

// TestSecondReplicaComesLate: 16 requests/s on a replica that serves 10/s, until a second
// one is there 120 s after it was ordered. The backlog is 720 then, and gone 180 s later;
// the request that comes after 75 s waits longest, 45 s.
func TestSecondReplicaComesLate(t *testing.T) {
	const rate, begin = 16, 1
	traffic := &scripted{}
	for i := range 16 * 320 {
		traffic.add(begin+units.Seconds(i)/rate, 1, 1)
	}
	config := written(traffic, 10, nil)
	p := &config.Pools[0]
	p.Batching, p.Cost = continuous(1, 8), &hardware.Synthetic{StepFixed: 0.1}
	p.Startup.Cold = 120
	p.Scaling = &Scaling{Scaler: newScaler("schedule", scaling.Parameters{Steps: []scaling.Step{{At: 0, Replicas: 1}, {At: begin, Replicas: 2}}})}
	config.Queue = &RouterQueue{MaxInFlight: 1}
	rec, err := Run(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	checkRecord(t, rec)
	longest := slices.MaxFunc(rec.Requests, func(a, b metrics.Request) int { return int(1e6 * (a.E2EL() - b.E2EL())) })
	backlog := 0
	var gone units.Seconds
	for _, r := range rec.Requests {
		if r.Arrival <= begin+120 && r.Last > begin+120+0.1 {
			backlog++
		}
		if r.E2EL() > 0.3 {
			gone = r.Arrival - begin
		}
	}
	for what, c := range map[string]struct{ got, want, band float64 }{
		"the longest wait":   {float64(longest.E2EL()), 45, 0.2},
		"of the request at":  {float64(longest.Arrival) - begin, 75, 0.2},
		"backlog":            {float64(backlog), 720, 4},
		"seconds until gone": {float64(gone), 300, 2},
	} {
		if math.Abs(c.got-c.want) > c.band {
			t.Errorf("%s: %v, not %v", what, c.got, c.want)
		}
	}
}

// course runs requests that arrive at these times and take a replica a second each, on a
// pool that is changed, in both engines.
func course(t *testing.T, change func(*Config), times ...units.Seconds) *metrics.Record {
	t.Helper()
	var rec *metrics.Record
	for _, reference := range []bool{false, true} {
		config := written(&scripted{requests: come(times...)}, 10, nil)
		config.Pools[0].Batching = continuous(1, 8)
		config.Reference = reference
		change(&config)
		var err error
		if rec, err = Run(context.Background(), config); err != nil {
			t.Fatal(err)
		}
		checkRecord(t, rec)
	}
	return rec
}

// ends are when the requests ended.
func ends(rec *metrics.Record) (at []units.Seconds) {
	for i := range rec.Requests {
		at = append(at, rec.Requests[i].Last)
	}
	return at
}

// steps is a scaler that wants these numbers of replicas from these times on.
func steps(s ...scaling.Step) *Scaling {
	return &Scaling{Scaler: newScaler("schedule", scaling.Parameters{Steps: s})}
}

func TestLives(t *testing.T) {
	for name, c := range map[string]struct {
		arrivals         []units.Seconds
		change           func(*Config)
		ends             []units.Seconds
		ordered, serving units.Seconds // from the first arrival on
	}{
		"cold at the start": {
			arrivals: []units.Seconds{1, 2, 9},
			change: func(c *Config) {
				c.Pools[0].Startup = Startup{Cold: 5, FirstRequest: 0.5, AtStart: true}
			},
			ends: []units.Seconds{6.5, 7.5, 10}, ordered: 9, serving: 5,
		},
		"a second one is ordered at 2 s, and takes every other request from 5 s on": {
			arrivals: []units.Seconds{0, 1, 2, 5, 5},
			change: func(c *Config) {
				c.Pools[0].Startup.Cold = 3
				c.Pools[0].Scaling = steps(scaling.Step{At: 0, Replicas: 1}, scaling.Step{At: 2, Replicas: 2})
			},
			ends: []units.Seconds{1, 2, 3, 6, 6}, ordered: 10, serving: 7,
		},
		"one leaves at 2 s, and ends what it has": {
			arrivals: []units.Seconds{0, 0, 0, 0, 0, 0, 2},
			change: func(c *Config) {
				c.Pools[0].Replicas = 2
				c.Pools[0].Scaling = steps(scaling.Step{At: 0, Replicas: 2}, scaling.Step{At: 2, Replicas: 1})
			},
			ends: []units.Seconds{1, 1, 2, 2, 3, 3, 4}, ordered: 7, serving: 7,
		},
		"one that starts goes first": {
			arrivals: []units.Seconds{0, 4},
			change: func(c *Config) {
				c.Pools[0].Startup.Cold = 3
				c.Pools[0].Scaling = steps(scaling.Step{At: 0, Replicas: 1}, scaling.Step{At: 1, Replicas: 2}, scaling.Step{At: 3, Replicas: 1})
			},
			ends: []units.Seconds{1, 5}, ordered: 7, serving: 5,
		},
		"one wakes up from the warm pool, the next one starts": {
			arrivals: []units.Seconds{0, 2, 2, 4, 4, 4},
			change: func(c *Config) {
				c.Pools[0].Startup = Startup{Cold: 3, FirstRequest: 0.25, WarmPool: 1, Warm: 1}
				c.Pools[0].Scaling = steps(scaling.Step{At: 0, Replicas: 1}, scaling.Step{At: 1, Replicas: 3})
			},
			ends: []units.Seconds{1, 3, 3, 5, 5, 5.25}, ordered: 2 + 3*4.25, serving: 1 + 1 + 2*2 + 3*1.25,
		},
		"idle for 2 s, and called again": {
			arrivals: []units.Seconds{0, 3.5, 5, 7},
			change: func(c *Config) {
				asleepWhenIdle(2, Startup{Cold: 4})(&c.Pools[0])
			},
			ends: []units.Seconds{1, 8.5, 9.5, 10.5}, ordered: 3 + 7, serving: 3 + 3,
		},
		"nobody is ready before the run ends": {
			arrivals: []units.Seconds{1, 2},
			change: func(c *Config) {
				c.Pools[0].Startup = Startup{Cold: 5, AtStart: true}
				c.MaxTime = 4
			},
			ends: []units.Seconds{0, 0}, ordered: 3, serving: 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			rec := course(t, c.change, c.arrivals...)
			if got := ends(rec); !slices.Equal(got, c.ends) {
				t.Errorf("requests end at %v, not %v", got, c.ends)
			}
			var ordered, serving units.Seconds
			for _, r := range rec.Pools[0].Replicas {
				released := rec.Ended
				if r.Released > 0 {
					released = r.Released
				}
				ordered += released - max(rec.Started, r.Ordered)
				if r.Ready < forever {
					serving += released - max(rec.Started, r.Ready)
				}
			}
			if ordered != c.ordered || serving != c.serving {
				t.Errorf("replicas are there for %v and serve for %v, not %v and %v", ordered, serving, c.ordered, c.serving)
			}
		})
	}
}
