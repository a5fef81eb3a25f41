package metrics

import "kneepoint/units"

// Samples are the values of a number at moments that are equally far apart on the simulated
// clock, from 0 on. There are never more than mostSamples: when there would be, every
// second one is forgotten. So those of several numbers are of the same moments, or
// can be made so.
type Samples struct {
	every   units.Seconds // a power of two of seconds, so that moments are exact; 0: none yet
	due     units.Seconds // when the next one is taken
	numbers []int32
}

const (
	mostSamples  = 256
	leastBetween = units.Seconds(1.0 / 1024)
)

// Hold notes that the number was n since the last call, up to and including a time.
func (s *Samples) Hold(until units.Seconds, n int) {
	if until >= s.due {
		s.take(until, n)
	}
}

// take takes the samples that are due by a time. It is apart so that looking whether any is gets inlined.
func (s *Samples) take(until units.Seconds, n int) {
	s.every = max(s.every, leastBetween)
	for until >= s.every*mostSamples {
		s.halve()
	}
	for ; s.due <= until; s.due += s.every {
		s.numbers = append(s.numbers, int32(n))
	}
}

// halve forgets every second sample.
func (s *Samples) halve() {
	s.every *= 2
	kept := s.numbers[:0]
	for i := 0; i < len(s.numbers); i += 2 {
		kept = append(kept, s.numbers[i])
	}
	s.numbers = kept
	s.due = s.every * units.Seconds(len(kept))
}

// at is the number at a moment, which must be one of those of samples that are as far apart
// or further; 0 after the last one.
func (s *Samples) at(moment units.Seconds) float64 {
	if i := int(moment / max(s.every, leastBetween)); i < len(s.numbers) {
		return float64(s.numbers[i])
	}
	return 0
}

// imbalance is the highest load of a replica over the mean, at the same moment: the sum of the
// highest over that of the means, over the moments that are sampled. It is 1 where all
// have the same, and their number where one has everything, as load imbalance is defined
// in parallel computing (Pearce et al., ICS 2012, where 1 is taken off). NaN with less
// than two replicas at a time, or without load.
func (p *PoolRecord) imbalance(rec *Record) float64 {
	every := leastBetween
	for _, r := range p.Replicas {
		every = max(every, r.Load.every)
	}
	var highest, means float64
	for moment := every * units.Seconds(int(rec.Started/every)); moment <= rec.Ended; moment += every {
		var most, sum, n float64
		for _, r := range p.Replicas {
			if max(r.Ordered, r.Ready) < moment && (r.Released == 0 || moment <= r.Released) {
				load := r.Load.at(moment)
				most, sum, n = max(most, load), sum+load, n+1
			}
		}
		if n > 1 {
			highest, means = highest+most, means+sum/n
		}
	}
	return highest / means
}
