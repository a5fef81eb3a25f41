package experiments

import (
	"slices"
	"strings"
	"testing"

	"kneepoint/internal/effort"
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
