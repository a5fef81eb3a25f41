package routing

import "math"

// load is how the requests are spread over the replicas.
type load struct {
	of           []int // by index
	fewest, most int
	lightest     int // the first replica with the fewest
	total        int
}

// look takes over what replicas report.
func (l *load) look(replicas Replicas) {
	*l = load{of: l.of[:0]}
	for i := range replicas.Len() {
		n := replicas.At(i).Requests()
		if i == 0 || n < l.fewest {
			l.fewest, l.lightest = n, i
		}
		l.most = max(l.most, n)
		l.total += n
		l.of = append(l.of, n)
	}
}

// uneven tells whether the replicas with the most and the fewest requests differ by more
// than a number of requests and by more than a ratio.
func (l *load) uneven(requests int, ratio float64) bool {
	return l.most-l.fewest > requests && float64(l.most) > ratio*float64(l.fewest)
}

// mean is that of the requests of a replica.
func (l *load) mean() float64 { return float64(l.total) / float64(len(l.of)) }

// deviation is the standard deviation of the requests of a replica, those that there are
// being a sample; 0 of a single one.
func (l *load) deviation() float64 {
	if len(l.of) == 1 {
		return 0
	}
	squares, mean := 0.0, l.mean()
	for _, n := range l.of {
		squares += (float64(n) - mean) * (float64(n) - mean)
	}
	return math.Sqrt(squares / float64(len(l.of)-1))
}
