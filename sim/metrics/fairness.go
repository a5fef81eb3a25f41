package metrics

import (
	"math"

	"kneepoint/units"
)

// Service is what a client gets: a token of a prompt counts once and one that is generated twice, all alike from a request's
// first token to its last. It is held against that of others in windows over a run.
//
// Source: Sheng et al. 2024, "Fairness in Serving Large Language Models", arXiv 2401.00588, section 5.1, and
// fair_bench/plot/visualize.py at Ying1123/VTC-artifact.
const (
	serviceWindow  = units.Seconds(60)
	serviceWindows = 20 // into which a run is divided; at each division one begins
	outputService  = 2  // of a token, over one of a prompt
)

// clientWindow is what one client asked for and got in a window.
type clientWindow struct{ asked, served float64 }

// setServiceDifference stores the largest and the mean difference in service over the windows of a run; nothing where
// that has fewer than two clients, is shorter than a window, or does not keep its requests.
func (v Values) setServiceDifference(rec *Record) {
	if len(rec.Classes) < 2 || len(rec.Requests) == 0 {
		return
	}
	first, last := units.Seconds(math.Inf(1)), units.Seconds(math.Inf(-1))
	for i := range rec.Requests {
		first, last = min(first, rec.Requests[i].Arrival), max(last, rec.Requests[i].Arrival)
	}
	if last-first < serviceWindow {
		return
	}
	most, sum := 0.0, 0.0
	for i := 1; i < serviceWindows; i++ {
		from := first + (last-first-serviceWindow/2)*units.Seconds(i)/serviceWindows
		difference := serviceDifference(rec.clientsIn(from, from+serviceWindow))
		most, sum = max(most, difference), sum+difference
	}
	v.Set(MaxServiceDifference, most)
	v.Set(MeanServiceDifference, sum/(serviceWindows-1))
}

// clientsIn is what each client asked for and got between two times, in tokens a second.
func (rec *Record) clientsIn(from, to units.Seconds) []clientWindow {
	clients := make([]clientWindow, len(rec.Classes))
	for i := range rec.Requests {
		r := &rec.Requests[i]
		c := &clients[r.Class]
		if r.Arrival >= from && r.Arrival <= to {
			c.asked += float64(r.Input+outputService*r.Output) / float64(to-from)
		}
		if r.State != Completed || r.Last <= r.First {
			continue
		}
		if overlap := min(to, r.Last) - max(from, r.First); overlap > 0 {
			c.served += float64(r.Input+outputService*r.Generated) * float64(overlap/(r.Last-r.First)) / float64(to-from)
		}
	}
	return clients
}

// serviceDifference is by how much less clients got than the one that got most, or than they asked for where that is
// nearer, added up over them.
func serviceDifference(clients []clientWindow) (sum float64) {
	most := 0.0
	for _, c := range clients {
		most = max(most, c.served)
	}
	for _, c := range clients {
		sum += min(most-c.served, math.Abs(c.asked-c.served))
	}
	return sum
}
