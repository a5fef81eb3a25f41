package metrics

import (
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat"

	"kneepoint/units"
)

// exactValues keeps every value, so that percentiles are exact. They are put in order only as far as it takes to find those that
// are asked for, which is a fraction of sorting them.
type exactValues struct {
	values []float64
	bounds []int // in ascending order; no value before one of these indices is larger than one from it on

	known           bool // the mean and the standard deviation are
	average, spread float64
}

// newExactValues has room for n values.
func newExactValues(n int) distribution { return &exactValues{values: make([]float64, 0, n)} }

func (e *exactValues) add(d units.Seconds) { e.values = append(e.values, float64(d)) }

func (e *exactValues) mean() float64 {
	mean, _ := e.moments()
	return mean
}

// moments is the mean and the standard deviation, of the values in the order in which they came: their last digits depend on it.
func (e *exactValues) moments() (mean, std float64) {
	if !e.known {
		e.average, e.spread = stat.PopMeanStdDev(e.values, nil)
		e.known = true
	}
	return e.average, e.spread
}

func (e *exactValues) store(v Values, name string) {
	if len(e.values) == 0 {
		return
	}
	mean, std := e.moments()
	v.setStatistics(name, len(e.values), mean, std, e.quantile)
}

func (e *exactValues) quantile(p float64) float64 { return interpolate(len(e.values), p, e.at) }

const (
	fewValues  = 16 // that are sorted at once
	mostRounds = 64 // in which values are split; the rest is sorted: only bad luck without end takes as many
)

// at is the value of a rank, counted from 0, when no value is added any more: quickselect, which goes on from where it was for other ranks.
func (e *exactValues) at(rank int) float64 {
	e.moments() // before the order changes
	i := sort.SearchInts(e.bounds, rank+1)
	from, to := 0, len(e.values)
	if i > 0 {
		from = e.bounds[i-1]
	}
	if i < len(e.bounds) {
		to = e.bounds[i]
	}
	for rounds := 0; to-from > fewValues && rounds < mostRounds; rounds++ {
		bound := from + split(e.values[from:to])
		e.bounds = slices.Insert(e.bounds, i, bound)
		if bound > rank {
			to = bound
		} else {
			from = bound
			i++
		}
	}
	slices.Sort(e.values[from:to])
	return e.values[rank]
}

// split puts three values or more in two parts, none of which is empty, and returns where the second begins: no value of the first
// is larger than one of the second. Values like the one between them are in both, so that many alike are split evenly.
func split(values []float64) int {
	first, middle, last := values[0], values[len(values)/2], values[len(values)-1]
	between := max(min(first, middle), min(max(first, middle), last))
	for i, j := 0, len(values)-1; ; i, j = i+1, j-1 {
		for values[i] < between {
			i++
		}
		for values[j] > between {
			j--
		}
		if i >= j {
			return j + 1
		}
		values[i], values[j] = values[j], values[i]
	}
}
