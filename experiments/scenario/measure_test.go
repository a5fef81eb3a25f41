package scenario_test

import (
	"slices"
	"testing"

	"kneepoint/experiments/scenario"
	"kneepoint/sim"
	"kneepoint/workloads"
)

// TestMeasuredRequests: of ten requests, the first after a second, the others one a second, a warm-up and a
// cool-down leave those that arrive from the one time to the other, both included, or
// as many as are left by shares of their number, rounded up. Where both are given what
// is cut off by either is.
func TestMeasuredRequests(t *testing.T) {
	type trim = scenario.Trim
	for name, c := range map[string]struct {
		warmup, cooldown trim
		first, last      int
	}{
		"a time":                    {trim{Time: 4}, trim{}, 3, 9},
		"a time between requests":   {trim{Time: 4.5}, trim{}, 4, 9},
		"a time at the end":         {trim{}, trim{Time: 2}, 0, 7},
		"between them at the end":   {trim{}, trim{Time: 2.5}, 0, 6},
		"both times":                {trim{Time: 4}, trim{Time: 2}, 3, 7},
		"up to the same request":    {trim{Time: 5}, trim{Time: 5}, 4, 4},
		"a share":                   {trim{Fraction: 0.2}, trim{}, 2, 9},
		"a share, rounded up":       {trim{Fraction: 0.21}, trim{}, 3, 9},
		"a share at the end":        {trim{}, trim{Fraction: 0.3}, 0, 6},
		"rounded up at the end":     {trim{}, trim{Fraction: 0.31}, 0, 5},
		"shares that leave one":     {trim{Fraction: 0.5}, trim{Fraction: 0.4}, 5, 5},
		"a time and a share":        {trim{Time: 4}, trim{Fraction: 0.3}, 3, 6},
		"a share and a time":        {trim{Fraction: 0.2}, trim{Time: 4}, 2, 5},
		"a time beyond all but one": {trim{Time: 10}, trim{}, 9, 9},
	} {
		t.Run(name, func(t *testing.T) {
			s := everySecond(10)
			s.Measure.Warmup, s.Measure.Cooldown = c.warmup, c.cooldown
			var want []int
			for id := c.first; id <= c.last; id++ {
				want = append(want, id)
			}
			if got := measured(t, s); !slices.Equal(got, want) {
				t.Errorf("measured are %v, want %v", got, want)
			}
		})
	}
}

// TestNothingMeasured: a window that no request is in is refused, however little is missing.
func TestNothingMeasured(t *testing.T) {
	type trim = scenario.Trim
	for name, c := range map[string]struct{ warmup, cooldown trim }{
		"shares that leave none":  {trim{Fraction: 0.5}, trim{Fraction: 0.5}},
		"overlapping shares":      {trim{Fraction: 0.7}, trim{Fraction: 0.7}},
		"overlapping times":       {trim{Time: 5.5}, trim{Time: 5}},
		"times between requests":  {trim{Time: 5.2}, trim{Time: 4.5}},
		"a time and a share":      {trim{Time: 5.5}, trim{Fraction: 0.5}},
		"a time behind the last":  {trim{Time: 10.5}, trim{}},
		"a time before the first": {trim{}, trim{Time: 11}},
	} {
		t.Run(name, func(t *testing.T) {
			s := everySecond(10)
			s.Measure.Warmup, s.Measure.Cooldown = c.warmup, c.cooldown
			if _, err := scenario.NewBuilder(&scenario.Traces{}).Build(s); err == nil {
				t.Errorf("it is measured")
			}
		})
	}
}

// TestMeasuredInAClosedLoop: only a time at the start can be cut off one.
func TestMeasuredInAClosedLoop(t *testing.T) {
	closed := func(warmup, cooldown scenario.Trim) scenario.Scenario {
		s := everySecond(10)
		s.Traffic.Arrival = &workloads.ArrivalSpec{Process: "closed", Concurrency: 1}
		s.Measure.Warmup, s.Measure.Cooldown = warmup, cooldown
		return s
	}
	// Answers of 10 tokens, one behind the other, in steps of a tenth of a second.
	if got := measured(t, closed(scenario.Trim{Time: 3.5}, scenario.Trim{})); !slices.Equal(got, []int{4, 5, 6, 7, 8, 9}) {
		t.Errorf("measured are %v", got)
	}
	for _, s := range []scenario.Scenario{
		closed(scenario.Trim{Fraction: 0.1}, scenario.Trim{}),
		closed(scenario.Trim{}, scenario.Trim{Time: 1}),
		closed(scenario.Trim{Time: 1}, scenario.Trim{Fraction: 0.1}),
	} {
		if _, err := scenario.NewBuilder(&scenario.Traces{}).Build(s); err == nil {
			t.Errorf("a closed loop is trimmed by %+v", s.Measure)
		}
	}
}

// everySecond has a request every second, each of which is served in one.
func everySecond(n int) scenario.Scenario {
	s := of(replicas("", 1, 0.1))
	s.Traffic.NumRequests = n
	s.Traffic.Arrival = &workloads.ArrivalSpec{Process: "constant", Rate: 1}
	return s
}

// measured are the indices of the requests that count.
func measured(t *testing.T, s scenario.Scenario) []int {
	t.Helper()
	built, err := scenario.NewBuilder(&scenario.Traces{}).Build(s)
	if err != nil {
		t.Fatal(err)
	}
	record, err := sim.Run(t.Context(), built.Config)
	if err != nil {
		t.Fatal(err)
	}
	var in []int
	for i := range record.Requests {
		if record.Requests[i].InWindow {
			in = append(in, i)
		}
	}
	return in
}
