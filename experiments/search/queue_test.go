package search

import (
	"context"
	"math/rand/v2"
)

// queue is a single server with Poisson arrivals as a sampler, by Lindley's recursion:
// the wait of a request is that of the one before it, plus its service, less the gap
// between them.
type queue struct {
	seed    uint64
	service func(*rand.Rand) float64 // seconds
	bound   float64                  // seconds, of what must be met: the wait
	sojourn bool                     // or the wait and the service
}

func exponential(r *rand.Rand) float64 { return r.ExpFloat64() }
func constant(*rand.Rand) float64      { return 1 }

func (q *queue) sample(_ context.Context, rate float64, requests, first, count int) ([]sample, error) {
	runs := make([]sample, count)
	for r := range runs {
		arrivals := rand.New(rand.NewPCG(q.seed, uint64(2*(first+r))))
		services := rand.New(rand.NewPCG(q.seed, uint64(2*(first+r)+1)))
		time, wait, service := 0.0, 0.0, 0.0
		var s stays
		for range requests {
			gap := arrivals.ExpFloat64() / rate
			wait = max(0, wait+service-gap)
			service = q.service(services)
			time += gap
			s.came, s.left = append(s.came, time), append(s.left, time+wait+service)
			late, met := wait, 0.0
			if q.sojourn {
				late += service
			}
			if late <= q.bound {
				met = 1
			}
			runs[r].attained, runs[r].ttft = append(runs[r].attained, met), append(runs[r].ttft, late)
		}
		runs[r].found = func() []float64 { return s.found(requests) }
	}
	return runs, nil
}
