package search

const (
	// fewPilots is how many replications a look has at first: what is far from the target is told by as many.
	fewPilots         = 4
	pilotReplications = 10

	// mostLonger is by how much runs are made longer at a time: what was seen of the attainment may be off.
	mostLonger = 4
)

// inStages looks at a few replications of a load, and at all where the few are not enough: where they do not tell, and the others may.
func inStages(
	enough func(*look) bool,
	observe func(first, count int) ([]sample, error),
	of func([]sample) look,
) (runs []sample, l look, err error) {
	if runs, err = observe(firstReplication, fewPilots); err != nil {
		return nil, look{}, err
	}
	if l = of(runs); enough(&l) {
		return runs, l, nil
	}
	rest, err := observe(firstReplication+fewPilots, pilotReplications-fewPilots)
	if err != nil {
		return nil, look{}, err
	}
	runs = append(runs, rest...)
	return runs, of(runs), nil
}

// foretold is half the interval that all replications are thought to have, of runs so many times as long.
func (l *look) foretold(sureness, times float64) float64 {
	return l.halfOf(pilotReplications, pilotReplications*float64(l.requests)/float64(len(l.shares))*times, sureness)
}

// longer is the length, doubled at least once, with which half the interval of all replications is thought to be within a bound. It
// is the longest where that is not enough.
func (l *look) longer(half, sureness float64, length, longest int) int {
	next := 2 * length
	for 2*next <= min(longest, mostLonger*length) && l.foretold(sureness, float64(next)/float64(length)) > half {
		next *= 2
	}
	return next
}
