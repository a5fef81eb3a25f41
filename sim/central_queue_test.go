package sim

import (
	"fmt"
	"strings"
	"testing"

	"kneepoint/internal/effort"
)

// TestCentralQueue: requests that wait at the router for the first server that is free are one
// queue, whoever then chooses among the free ones: M/M/k, 1 + C/(k(1-ρ)) with Erlang's C, and
// M/D/k (Crommelin, Post Office Electrical Engineers' Journal 25, 1932; computed anew).
func TestCentralQueue(t *testing.T) {
	effort.Whole(t)
	loads := []float64{0.5, 0.7, 0.8, 0.9, 0.95, 0.99}
	for _, row := range []struct {
		n     int
		exact string // of constant services; those of exponential ones have a formula
	}{
		{2, "1.1767 1.4936 1.9033 3.1469 5.6439"},
		{4, "1.0497 1.1897 1.3861 2.0000 3.2447"},
		{8, "1.0093 1.0627 1.1520 1.4500 2.0679"},
		{10, ""},
		{100, ""},
	} {
		constants := strings.Fields(row.exact)
		for i, load := range loads {
			q := servers{n: row.n, load: load, law: memoryless, central: true, router: "random"}
			t.Run(fmt.Sprintf("M/M/%d at %v", q.n, load), func(t *testing.T) {
				q.check(t, known{1 + erlangC(q.n, load*float64(q.n))/(float64(q.n)*(1-load)), 0})
			})
			if i < len(constants) {
				q.law = constant
				t.Run(fmt.Sprintf("M/D/%d at %v", q.n, load), func(t *testing.T) { q.check(t, parseKnown(t, constants[i])) })
			}
		}
	}
}
