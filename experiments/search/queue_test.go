package search

import (
	"context"
	"math/rand/v2"

	"kneepoint/workloads"
)

// queue is a single server with Poisson arrivals as a sampler, by Lindley's recursion:
// the wait of a request is that of the one before it, plus its service, less the gap
// between them.
type queue struct {
	seed    uint64
	service func(*rand.Rand) float64 // seconds
	bound   float64                  // seconds, of what must be met: the wait
	sojourn bool                     // or the wait and the service
	square  float64                  // of a service, in the mean; 0: nothing is known of the traffic
}

func exponential(r *rand.Rand) float64 { return r.ExpFloat64() }
func constant(*rand.Rand) float64      { return 1 }

func (q *queue) sample(_ context.Context, rate float64, requests, first, count int) ([]sample, error) {
	runs := make([]sample, count)
	for r := range runs {
		arrivals := rand.New(rand.NewPCG(q.seed, uint64(2*(first+r))))
		services := rand.New(rand.NewPCG(q.seed, uint64(2*(first+r)+1)))
		runs[r].offered = q.offered(rate)
		wait, service := 0.0, 0.0
		for range requests {
			gap := arrivals.ExpFloat64() / rate
			wait = max(0, wait+service-gap)
			service = q.service(services)
			runs[r].offered.add(gap, service, wait+service, requests)
			time, met := wait, 0.0
			if q.sojourn {
				time += service
			}
			if time <= q.bound {
				met = 1
			}
			runs[r].attained, runs[r].ttft = append(runs[r].attained, met), append(runs[r].ttft, time)
		}
	}
	return runs, nil
}

// offered is what is known beforehand of the traffic, of which nothing came yet; nil where nothing is.
func (q *queue) offered(rate float64) *offered {
	if q.square == 0 {
		return nil
	}
	decayed := func(s float64) float64 { return rate / (rate + s) }
	return &offered{moments: &workloads.Moments{Decayed: decayed, Output: 1, OutputSquare: q.square}}
}

// add adds a request of so many, which brings as many outputs as seconds of service.
func (o *offered) add(gap, service, stay float64, requests int) {
	if o == nil {
		return
	}
	o.gaps, o.outputs, o.inputs = append(o.gaps, gap), append(o.outputs, service), append(o.inputs, 0)
	o.stay += stay / float64(requests)
}
