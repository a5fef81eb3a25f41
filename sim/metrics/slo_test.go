package metrics

import (
	"testing"

	"pgregory.net/rapid"

	"kneepoint/units"
)

// TestLooserBoundsAreMet: what meets an objective meets every looser one. A bound of 0 is
// none, so that it is the loosest.
func TestLooserBoundsAreMet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seconds := func(name string) units.Seconds { return units.Seconds(rapid.IntRange(0, 6).Draw(t, name)) }
		r := &Request{First: seconds("first"), Generated: int32(rapid.IntRange(1, 4).Draw(t, "tokens")), State: Completed}
		r.Last = r.First + seconds("rest")
		strict := Objective{TTFT: seconds("ttft"), TPOT: seconds("tpot"), E2EL: seconds("e2el")}
		loosen := func(name string, bound units.Seconds) units.Seconds {
			if more := seconds(name); bound > 0 && more < 5 {
				return bound + more
			}
			return 0
		}
		loose := Objective{TTFT: loosen("more ttft", strict.TTFT), TPOT: loosen("more tpot", strict.TPOT), E2EL: loosen("more e2el", strict.E2EL)}
		if strict.Met(r) && !loose.Met(r) {
			t.Errorf("%+v meets %+v and not %+v", r, strict, loose)
		}
	})
}
