package sim

import (
	"math"
	"math/rand/v2"
	"testing"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/policies"
	"kneepoint/units"
)

// orcaRequest is a request of algorithm 1 of Orca (Yu et al., OSDI 2022).
type orcaRequest struct {
	arrival        float64
	input, output  int
	made           int
	running, began bool
	end            float64
}

// orcaEngine is the rest of the algorithm's state: n_workers stages that every iteration
// passes for an equal part of its time, max_bs requests of an iteration, and the K/V slots
// of a worker, of which a request reserves one for each token that it may come to.
type orcaEngine struct {
	workers, batch, slots int
	fixed, row, token     float64 // seconds of an iteration, of a request in it that decodes, of a prompt's token

	requests []*orcaRequest
	reserved int
	free     []float64 // by worker: when its last iteration ends
	flights  []orcaFlight
}

type orcaFlight struct {
	end      float64
	requests []*orcaRequest
}

// choose is Select: requests that no worker has, in order of arrival.
func (e *orcaEngine) choose(now float64) (chosen []*orcaRequest) {
	for _, r := range e.requests {
		if len(chosen) == e.batch || r.arrival > now {
			break
		}
		if r.running || r.end > 0 {
			continue
		}
		if !r.began {
			if e.reserved+r.input+r.output > e.slots {
				break
			}
			e.reserved += r.input + r.output
		}
		chosen = append(chosen, r)
	}
	return chosen
}

// schedule sends an iteration through the workers; false where nobody can go on.
func (e *orcaEngine) schedule(now float64) bool {
	chosen := e.choose(now)
	if len(chosen) == 0 {
		return false
	}
	time := e.fixed
	for _, r := range chosen {
		if r.began {
			time += e.row
		} else {
			time += e.token * float64(r.input)
		}
		r.running, r.began = true, true
	}
	for i := range e.free {
		now = max(now, e.free[i]) + time/float64(e.workers)
		e.free[i] = now
	}
	e.flights = append(e.flights, orcaFlight{now, chosen})
	return true
}

// finish takes back the iterations that have ended.
func (e *orcaEngine) finish(now float64) {
	for len(e.flights) > 0 && e.flights[0].end <= now {
		for _, r := range e.flights[0].requests {
			r.running = false
			if r.made++; r.made == r.output {
				r.end = e.flights[0].end
				e.reserved -= r.input + r.output
			}
		}
		e.flights = e.flights[1:]
	}
}

// run serves all requests.
func (e *orcaEngine) run() {
	e.free = make([]float64, e.workers)
	for now := 0.0; !math.IsInf(now, 1); {
		e.finish(now)
		for len(e.flights) < e.workers && e.free[0] <= now && e.schedule(now) {
		}
		next := math.Inf(1)
		if len(e.flights) > 0 {
			next = e.flights[0].end
		}
		if len(e.flights) < e.workers && e.free[0] > now {
			next = min(next, e.free[0])
		}
		for _, r := range e.requests {
			if r.arrival > now {
				next = min(next, r.arrival)
				break
			}
		}
		now = next
	}
}

// TestOrcaStages: in a pipeline as many iterations are under way as there are stages, each
// with a batch of its own, as the paper's algorithm has it; every request ends when it does
// there.
func TestOrcaStages(t *testing.T) {
	for i := range effort.Times(t, 300) {
		u := rand.New(rand.NewPCG(uint64(i), 7))
		e := &orcaEngine{workers: 1 + u.IntN(4), batch: 1 + u.IntN(6), fixed: u.Float64(), row: 0.1 * u.Float64(), token: 0.01 * u.Float64()}
		blocks := 12 + u.IntN(60)
		e.slots = 16 * blocks
		traffic, at := &scripted{}, 0.0
		for range 40 {
			at += u.ExpFloat64() * u.Float64() * 2
			r := &orcaRequest{arrival: at, input: 1 + u.IntN(100), output: 1 + u.IntN(20)}
			r.input += 15 - (r.input+r.output+15)%16 // whole blocks, as the paper has no others
			e.requests = append(e.requests, r)
			traffic.add(units.Seconds(at), r.input, r.output)
		}
		c := written(traffic, blocks, &policies.Orca{MaxNumSeqs: e.batch})
		c.Pools[0].BlockSize, c.Pools[0].Reserve = 16, policies.ReserveDeclared
		c.Pools[0].Cost = hardware.InStages(&hardware.Synthetic{StepFixed: units.Seconds(e.fixed), PerDecodeRow: units.Seconds(e.row), PerPrefillToken: units.Seconds(e.token)}, e.workers)
		rec, err := Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		e.run()
		for k, r := range e.requests {
			got := float64(rec.Requests[k].Last)
			if math.Abs(got-r.end) > 1e-9*r.end {
				t.Fatalf("case %d, %d workers, batches of %d: request %d ends at %v, by the algorithm at %v", i, e.workers, e.batch, k, got, r.end)
			}
		}
	}
}
