package sim

import (
	"fmt"
	"strings"
	"testing"

	"kneepoint/internal/effort"
	"kneepoint/units"
)

// TestStaleCounts: the mean time in system where servers at a load of .9 report how many requests
// they have all at once, every so often. The shortest queue of a report is soon the longest one,
// since all go there until the next report (Mitzenmacher, IEEE TPDS 11(1), 2000): worse than two at
// random from half a service on, and than any at random from three. A router that adds what it sent
// since does not herd. The means were simulated as jump chains of the numbers in system.
func TestStaleCounts(t *testing.T) {
	effort.Whole(t)
	intervals := []units.Seconds{0.1, 0.5, 1, 2, 5, 10, 20, 50}
	for _, row := range []struct {
		router     string
		n          int
		ignoreSent bool
		want       string
	}{
		{"least-requests", 10, true, "2.076(5) 2.921(4) 4.164(9) 6.70(1) 13.99(3) 25.8(1) 49.8(1) 123.3(3)"},
		{"least-requests", 100, true, "1.552(2) 2.820(4) 4.030(6) 6.13(1) 12.12(3) 23.4(1) 56.9(5) -"},
		{"least-requests", 10, false, "1.98(2) 2.18(2) 2.39(2) 2.62(3) 3.09(3) 3.51(4) 3.93(4) 4.50(5)"},
		{"least-requests", 100, false, "1.19(1) 1.59(2) 1.84(2) 2.14(2) 2.61(3) 3.08(3) 3.52(4) 4.08(4)"},
		{"power-of-two", 10, true, "3.02(3) 3.13(3) 3.31(3) 3.60(4) 4.41(4) 5.64(6) 7.87(8) 14.1(1)"},
		{"power-of-two", 100, true, "2.66(3) 2.81(3) 2.96(3) 3.26(3) 3.99(4) 5.08(5) 7.08(7) 12.5(1)"},
		{"power-of-two", 10, false, "3.00(3) 3.06(3) 3.14(3) 3.30(3) 3.59(4) 3.99(4) 4.38(4) 4.88(5)"},
		{"power-of-two", 100, false, "2.67(3) 2.74(3) 2.82(3) 2.97(3) 3.30(3) 3.67(4) 4.11(4) 4.61(5)"},
	} {
		for i, text := range strings.Fields(row.want) {
			if text == "-" { // the herd of an empty start takes millions of services to calm down
				continue
			}
			t.Run(fmt.Sprintf("%s of %d, own counted %t, every %v", row.router, row.n, !row.ignoreSent, intervals[i]), func(t *testing.T) {
				q := servers{n: row.n, load: 0.9, law: memoryless, router: row.router}
				q.signals = Signals{Interval: intervals[i], IgnoreDispatches: row.ignoreSent}
				q.check(t, parseKnown(t, text))
			})
		}
	}
}
