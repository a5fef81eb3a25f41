package metrics

import "math"

// SaturationRequests is how many requests a run has at least of which is told whether it is saturated.
const SaturationRequests = 100

const (
	saturationEnds    = 5    // groups of the second half in which something ended, to know the noise
	saturationBacklog = 2.33 // standard deviations: 98 % of |z|, where a reflected walk is
	saturationDeficit = 0.67 // standard errors: 75 % one-sided
	saturationParts   = 8    // of the second half, each of which sees the queue empty in a stable run
	saturationReverts = 0.75
)

// Saturated tells whether the offered load is beyond what the replicas can serve, and
// whether the run is long enough to know. A queue is judged against one at exactly its
// capacity, which is the hardest case: the number in the system is then a random
// walk, reflected at the bottom. With n arrivals, of each of which the net input
// (one arrival less the requests that ended since the last) has a variance of σ²,
// it has wandered to σ·√n·|z| with a standard normal z in the end.
//
// The run is saturated when
//
//   - more requests wait at the last arrivals than 2.33·σ·√n, which such a walk
//     exceeds in 2 % of all runs, and
//   - fewer requests end than arrive over the second half of the arrivals: the
//     deficit of a group of arrivals is positive at 75 % (one-sided).
//
// It is known not to be when
//
//   - the number in the system returns to its mean over the second half: von
//     Neumann's ratio of its successive differences is at least 0.75, of a random
//     walk hardly ever, of independent values 2, and
//   - in each eighth of the second half an arrival finds nobody waiting.
//
// Everything between is too short to tell. How long a run must be follows from the
// relaxation time of the queue, about 1/(1-√ρ)² services at a load of ρ: the
// number in the system forgets its past only after several of these.
//
// The waiting are counted where requests go, times the number of replicas.
// Sequences that fill an empty batch are in the system and do not wait: a run in
// which the batch only ever filled is neither.
func (t *Trend) Saturated(replicas float64) (saturated, known bool) {
	half := t.secondHalf()
	if t.arrivals() < SaturationRequests || half[len(half)-1].first <= t.groups[0].first {
		return false, false
	}
	inSystem := t.inSystem(half)
	noise := netInput(inSystem)
	waiting := t.waitingAtTheEnd() * replicas
	walk := saturationBacklog * math.Sqrt(noise.variance/float64(t.size)*float64(t.arrivals()))
	if ends(half) >= saturationEnds && waiting > walk && noise.mean > saturationDeficit*noise.standardError() {
		return true, true
	}
	return false, sometimesIdle(half) && reverts(inSystem)
}

// inSystem is the number of requests in the system at the first arrival of each group of
// the second half.
func (t *Trend) inSystem(half []trendGroup) []float64 {
	n := 0
	for i := range t.groups[:len(t.groups)-len(half)] {
		n += t.groups[i].arrivals - t.groups[i].left
	}
	numbers := make([]float64, len(half))
	for i := range half {
		numbers[i] = float64(n)
		n += half[i].arrivals - half[i].left
	}
	return numbers
}

// waitingAtTheEnd is the mean number that the latest arrivals found waiting, of a group
// that is at least half full.
func (t *Trend) waitingAtTheEnd() float64 {
	var arrivals int
	var waiting float64
	for i := len(t.groups) - 1; i >= 0 && 2*arrivals < t.size; i-- {
		arrivals += t.groups[i].arrivals
		waiting += t.groups[i].waiting
	}
	return waiting / float64(arrivals)
}

// ends is the number of groups in which a request ended.
func ends(groups []trendGroup) int {
	n := 0
	for i := range groups {
		if groups[i].left > 0 {
			n++
		}
	}
	return n
}

// flow is what a group of arrivals adds to the number in the system.
type flow struct {
	mean, variance float64
	groups         int
}

// standardError is that of the mean.
func (f *flow) standardError() float64 { return math.Sqrt(f.variance / float64(f.groups)) }

// netInput is the mean and the variance of the differences between neighbours. Arrivals
// come in bursts and ends in batches, so that neighbours depend on each other: the
// variance is the largest per group of the differences over one, two and four groups.
func netInput(numbers []float64) flow {
	k := len(numbers) - 1
	f := flow{mean: (numbers[k] - numbers[0]) / float64(k), groups: k}
	for lag := 1; lag <= 4; lag *= 2 {
		sum := 0.0
		for i := range numbers[lag:] {
			d := numbers[i+lag] - numbers[i] - float64(lag)*f.mean
			sum += d * d
		}
		perGroup := sum / float64(k+1-lag) / float64(lag)
		f.variance = max(f.variance, perGroup*float64(k)/float64(k-1))
	}
	return f
}

// sometimesIdle tells whether in each part of the groups some arrival found nobody
// waiting.
func sometimesIdle(groups []trendGroup) bool {
	var idle [saturationParts]bool
	for i := range groups {
		part := i * saturationParts / len(groups)
		idle[part] = idle[part] || groups[i].idle
	}
	return idle == [saturationParts]bool{true, true, true, true, true, true, true, true}
}

// reverts tells whether numbers return to their mean: von Neumann's ratio, the mean
// squared successive difference over the variance (Annals of Mathematical
// Statistics 12, 1941), is 2 for independent values and near 0 for a random walk. Equal
// numbers have nothing to return from.
func reverts(numbers []float64) bool {
	mean := 0.0
	for _, x := range numbers {
		mean += x / float64(len(numbers))
	}
	var squares, differences float64
	for i, x := range numbers {
		squares += (x - mean) * (x - mean)
		if i > 0 {
			d := x - numbers[i-1]
			differences += d * d
		}
	}
	n := float64(len(numbers))
	return differences/(n-1) >= saturationReverts*squares/n
}
