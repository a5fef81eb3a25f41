package experiments

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"kneepoint/internal/effort"
	"kneepoint/units/badinput"
)

// TestMoreRequestsTellMore: one server under half of what it can do lets .3894 of the requests wait longer than half a second,
// which is what may: a plan simulates as many as it may to tell.
func TestMoreRequestsTellMore(t *testing.T) {
	effort.Whole(t)
	before := 0
	for _, most := range []string{"10_000", "800_000"} {
		text := centralQueue(2, .5, 1, .5, .3894)
		a := planned(t, strings.Replace(text, "[plan]", "[plan]\nmax_accelerators = 1\nmax_requests = "+most, 1), PlanOptions{})
		one := slices.Concat(a.Options, a.Pruned)[0].Judged
		if one.Requests <= before {
			t.Errorf("%s: %d requests of one server, before %d", most, one.Requests, before)
		}
		before = one.Requests
	}
}

// A demand that keeps so many requests in service at once that memory could not hold the runs which tell is refused.
func TestPlansOfTooManyAtOnce(t *testing.T) {
	f, err := Parse("plan.toml", serving(`[workload]
arrival = { process = "poisson", rate = 1e6 }
input = { type = "fixed", mean = 1 }
output = { type = "fixed", mean = 10 }`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := f.Planning()
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Run(t.Context(), PlanOptions{})
	const want = "plan.toml: workload: some 1e+06 requests are in service at once"
	var bad *badinput.Error
	if !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v, want %s", err, want)
	}
}
