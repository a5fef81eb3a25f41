package sim

import (
	"fmt"
	"strings"
	"testing"
)

// TestRoutersOverSizes: the mean time in system of ten servers at loads of .8 and .9, for services
// that are all the same, exponential, or with C² = 10. Least work is what M/G/k does; a server that is
// shared does not care about the law of services where they come to it at random, 1/(1-ρ), and hardly
// where to the shortest queue. There counts are the better signal of long services, and work is
// where one service waits for the other.
//
// The means at random are those of Pollaczek and Khinchine; the others were simulated, of
// 10 seeds, to 1.1 %.
func TestRoutersOverSizes(t *testing.T) {
	const queues = "random, round-robin, least-requests, least-pending-tokens, power-of-two"
	const shared = "random, round-robin, least-requests, power-of-two" // no router knows the work of answers
	for _, row := range []struct {
		law       law
		sharing   bool
		routers   string
		want      string // at .8
		wantAbove string // at .9
	}{
		{constant, false, queues, "3 1.110(12) 1.176(13) 1.110(12) 1.519(17)", "5.5 1.345(15) 1.451(16) 1.343(15) 1.946(21)"},
		{memoryless, false, queues, "5 2.9223 1.356(15) 1.2046 2.072(23)", "10 5.6603 1.918(21) 1.6687 2.991(33)"},
		{heavyTailed, false, queues, "23 20.8(3) 2.399(34) 1.860(26) 5.229(73)", "- - 4.95(7) 4.24(6) 8.92(12)"},
		{constant, true, shared, "5 1.220(13) 1.340(15) 2.069(23)", "10 1.689(19) 1.887(21) 2.978(33)"},
		{memoryless, true, shared, "5 2.926(32) 1.355(15) 2.076(23)", "10 5.67(6) 1.916(21) 2.983(33)"},
		{heavyTailed, true, shared, "5 4.381(48) 1.376(15) 2.076(23)", "- 8.76(10) 1.944(21) 2.988(33)"},
	} {
		for load, want := range map[float64]string{0.8: row.want, 0.9: row.wantAbove} {
			means := strings.Fields(want)
			for i, router := range strings.Split(row.routers, ", ") {
				if means[i] == "-" { // would take hours
					continue
				}
				t.Run(fmt.Sprintf("%s, %s, %s at %v", row.law.name, map[bool]string{false: "FCFS", true: "PS"}[row.sharing], router, load), func(t *testing.T) {
					q := servers{n: 10, load: load, law: row.law, sharing: row.sharing, router: router}
					if router == "least-pending-tokens" {
						q.chunks = 50
					}
					q.check(t, parseKnown(t, means[i]))
				})
			}
		}
	}
}
