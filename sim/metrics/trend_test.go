package metrics

import (
	"math"
	"testing"

	"kneepoint/units"
)

// TestJoinedGroupsLoseNothing: however often neighbours are joined, groups hold all arrivals
// in order, what these found waiting, and who found nobody.
func TestJoinedGroupsLoseNothing(t *testing.T) {
	for _, n := range []int{1, 79, 80, 81, 160, 161, 1000, 5000} {
		trend := &Trend{}
		waiting := func(i int) int {
			if i%97 == 5 {
				return 0
			}
			return 1 + i%7
		}
		for i := range n {
			trend.Arrive(i, units.Seconds(i))
			trend.Wait(i, waiting(i))
		}
		at := 0
		for g, group := range trend.groups {
			sum, idle, first := 0.0, false, at
			for ; at < first+group.arrivals; at++ {
				sum += float64(waiting(at))
				idle = idle || waiting(at) == 0
			}
			if group.first != units.Seconds(first) || group.waiting != sum || group.idle != idle {
				t.Errorf("%d arrivals, group %d: %+v, want %v waiting, idle %t, from %d on", n, g, group, sum, idle, first)
			}
		}
		if at != n || len(trend.groups) > 4*trendGroups {
			t.Errorf("%d arrivals in %d groups of %d", at, len(trend.groups), n)
		}
	}
}

// TestNetInput: the variance of what a group adds is the largest per group over one, two and
// four groups, about the mean, with one degree of freedom less.
func TestNetInput(t *testing.T) {
	for _, c := range []struct {
		numbers        []float64
		mean, variance float64
	}{
		{[]float64{0, 1, 0, 1, 0}, 0, 4.0 / 4 * 4 / 3},
		{[]float64{5, 7, 9, 11, 13}, 2, 0},
		{[]float64{0, 1, 2, 1, 0}, 0, 8.0 / 3 / 2 * 4 / 3}, // 2, 0 and -2 over two groups
	} {
		got := netInput(c.numbers)
		if got.mean != c.mean || math.Abs(got.variance-c.variance) > 1e-12 || got.groups != 4 {
			t.Errorf("%v: %+v, want a mean of %v and a variance of %v", c.numbers, got, c.mean, c.variance)
		}
	}
}

// TestWaitingAtTheEnd: where the last group has less than half of its arrivals the one before counts, too.
func TestWaitingAtTheEnd(t *testing.T) {
	for arrivals, want := range map[int]float64{1: 42.0 / 5, 2: 1, 4: 0.5} {
		trend := Trend{size: 4, groups: []trendGroup{{arrivals: 4, waiting: 99}, {arrivals: 4, waiting: 40}, {arrivals: arrivals, waiting: 2}}}
		if got := trend.waitingAtTheEnd(); got != want {
			t.Errorf("%d arrivals in the last group: %v wait, want %v", arrivals, got, want)
		}
	}
}

// TestReverts: numbers that go back and forth return to their mean, wherever that is; those
// that drift do not.
func TestReverts(t *testing.T) {
	for _, level := range []float64{0, 1000, -1000} {
		var alternating, ramp, equal []float64
		for i := range 20 {
			alternating = append(alternating, level+float64(i%2))
			ramp = append(ramp, level+float64(i))
			equal = append(equal, level)
		}
		near := []float64{level, level, level + 1, level + 2} // a ratio of 2/3 over 11/16, 0.97; with one value too many 0.73
		if !reverts(near) {
			t.Errorf("around %v: %v do not return", level, near)
		}
		if !reverts(alternating) || reverts(ramp) || !reverts(equal) {
			t.Errorf("around %v: back and forth %t, a ramp %t, equal ones %t", level, reverts(alternating), reverts(ramp), reverts(equal))
		}
	}
}

// TestRatesOfAResample: drawn once each, requests have the rates of the run, over the gaps
// and what comes after the last arrival.
func TestRatesOfAResample(t *testing.T) {
	rec := fixture()
	b := newBootstrap(rec, Objective{TTFT: 2})
	b.times = make([]times, len(rec.Requests))
	for i := range b.times {
		b.times[i][1] = 1
	}
	all := noValues()
	b.setRates(&all)
	v := all[1]
	// Four gaps of a second, and their mean once more; the last request ends 5 s after the last arrival.
	checkValues(t, v, map[string]float64{OfferedRate: 5 / 5.0, RequestThroughput: 3 / 10.0, OutputThroughput: 10 / 10.0,
		TokenThroughput: 70 / 10.0, Goodput: 2 / 10.0, Attainment: 2 / 5.0})
}
