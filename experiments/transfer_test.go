package experiments

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"kneepoint/experiments/scenario"
	"kneepoint/sim"
	"kneepoint/sim/metrics"
)

// sentFor is the mean part kv_transfer of E2EL of requests of a fleet that prefills apart, with
// assignments, in seconds.
func sentFor(t *testing.T, set ...string) float64 {
	t.Helper()
	all := fleetOf(t, append([]string{`fleet.pool=[{name="p", role="prefill"}, {name="d", role="decode"}]`,
		`fleet.transfer={bandwidth="1GB/s"}`, "workload.arrival.rate=0.1"}, set...)...)
	built, err := scenario.NewBuilder(nil).Build(all[0])
	if err != nil {
		t.Fatal(err)
	}
	rec, err := sim.Run(context.Background(), built.Config)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.
	for i := range rec.Requests {
		sum += float64(rec.Requests[i].ToLast[metrics.KVTransfer])
	}
	return sum / float64(len(rec.Requests))
}

// TestBothSidesLimitTransfers: keys and values of requests that come alone take as long as the
// side takes that has more of them on each accelerator.
func TestBothSidesLimitTransfers(t *testing.T) {
	const layers, draftLayers = 32, 1
	tp := func(pool string, n int) string { return fmt.Sprintf("fleet.pool.%s.hardware.tp=%d", pool, n) }
	eagle := func(pool string) string {
		return fmt.Sprintf(`fleet.pool.%s.strategy.speculation={method="eagle", num_speculative_tokens=2, acceptance=0.7}`, pool)
	}
	one := sentFor(t)
	for name, c := range map[string]struct {
		set  []string
		want float64
	}{
		"many to one":                 {[]string{tp("p", 4)}, 1},
		"one to many":                 {[]string{tp("d", 4)}, 1},
		"many to many":                {[]string{tp("p", 4), tp("d", 4)}, 1. / 4},
		"only who decodes speculates": {[]string{eagle("d")}, 1},
		"both do":                     {[]string{eagle("p"), eagle("d")}, 1 + draftLayers/float64(layers)},
	} {
		t.Run(name, func(t *testing.T) {
			if got := sentFor(t, c.set...) / one; math.Abs(got-c.want) > 1e-3 {
				t.Errorf("%v times as long as from one accelerator to one, want %v", got, c.want)
			}
		})
	}
}

// TestTransferRefuses: what nobody can send is one line that names the key.
func TestTransferRefuses(t *testing.T) {
	const apart = `fleet.pool=[{name="p", role="prefill"}, {name="d", role="decode"}]`
	for _, c := range []struct{ transfer, want string }{
		{`bandwidth="1GB/s", mode="push", when="layerwise"`,
			`fleet.transfer.when = "layerwise": while a prompt is computed, nobody knows which replica decodes; allowed: end, or mode = "reserve"`},
		{`bandwidth="1GB/s", mode="reserved"`,
			`fleet.transfer.mode = "reserved": unknown value; allowed: one of pull, push, reserve; did you mean "reserve"?`},
		{`bandwidth="0B/s"`, `fleet.transfer.bandwidth = "0B/s": must be greater than 0`},
	} {
		f, err := Parse("fleet.toml", fleetFile)
		if err != nil {
			t.Fatal(err)
		}
		if err = f.Override([]string{apart, "fleet.transfer={" + c.transfer + "}"}); err == nil {
			_, err = f.Check()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.transfer, err, c.want)
		}
	}
}
