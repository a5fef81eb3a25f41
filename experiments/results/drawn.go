package results

import (
	"fmt"
	"math"
	"slices"

	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
)

// DrawnTraffic is the requests of the first replication at a point, which are the same for
// every strategy: how long they are, and when they come.
type DrawnTraffic struct {
	Point   Setting      `json:"point"`
	Classes []DrawnClass `json:"classes"` // one without a name where there are none, or more than MostDrawnClasses

	// Arrivals are the numbers of requests in equal buckets of so many seconds, from the first
	// arrival on; none where they wait for answers, and depend on the service.
	Bucket   float64   `json:"bucket,omitempty"`
	Arrivals []float64 `json:"arrivals,omitempty"`
}

// DrawnClass is the requests of one class. Input and Output are quantiles of their tokens at
// 0, 1, 2, … 100 %.
type DrawnClass struct {
	Name     string    `json:"name"`
	Requests int       `json:"requests"`
	Input    []float64 `json:"input"`
	Output   []float64 `json:"output"`
}

const (
	// MostDrawn is how many requests are looked at, and MostDrawnClasses how many classes are
	// told apart: as many as a figure has room for.
	MostDrawn        = 1_000_000
	MostDrawnClasses = 6

	drawnSteps    = 100 // quantiles
	mostBuckets   = 100
	bucketedLeast = 25 // requests in a bucket, on average
)

// NewDrawnClass sums the tokens of a class's requests up. It sorts them.
func NewDrawnClass(name string, input, output []float64) DrawnClass {
	return DrawnClass{name, len(input), drawnQuantiles(input), drawnQuantiles(output)}
}

func drawnQuantiles(values []float64) []float64 {
	slices.Sort(values)
	quantiles := make([]float64, drawnSteps+1)
	for i := range quantiles {
		quantiles[i] = sixDigits(metrics.Quantile(values, float64(i)/drawnSteps))
	}
	return quantiles
}

// Bucketed counts arrivals, in ascending order, in buckets of which each has some of them on
// average. Where all come at once there are no buckets.
func (t *DrawnTraffic) Bucketed(arrivals []float64) {
	n := min(max(len(arrivals)/bucketedLeast, 1), mostBuckets)
	first, last := arrivals[0], arrivals[len(arrivals)-1]
	if !(last > first) {
		return
	}
	t.Bucket, t.Arrivals = (last-first)/float64(n), make([]float64, n)
	for _, at := range arrivals {
		t.Arrivals[min(int((at-first)/t.Bucket), n-1)]++
	}
}

// ToDraw are the points, as numbers of the plan, of which figures show the requests: those at
// the figures' places on the curve of the first strategy.
func (r *Results) ToDraw() []int {
	var all []int
	for i := range r.Plots {
		if r.Plots[i].Kind != PlotTraffic || len(r.Series) == 0 {
			continue
		}
		if point := r.PointShown(&r.Series[0], r.Plots[i].At); point != nil && point.group != nil {
			all = append(all, point.group.point)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// checkDrawn refuses requests that were edited: without classes, or of lengths that are none.
func (p *Plan) checkDrawn() error {
	for i := range p.Drawn {
		t := &p.Drawn[i]
		whole := len(t.Classes) > 0 && (len(t.Arrivals) == 0 || t.Bucket > 0)
		for _, c := range t.Classes {
			whole = whole && c.Requests > 0 && len(c.Input) == drawnSteps+1 && len(c.Output) == drawnSteps+1
			whole = whole && !slices.ContainsFunc(slices.Concat(c.Input, c.Output), func(v float64) bool { return !(v > 0) || math.IsInf(v, 0) })
		}
		if !whole {
			return &badinput.Error{Key: fmt.Sprintf("drawn[%d]", i), Problem: "is no whole summary of requests"}
		}
	}
	return nil
}
