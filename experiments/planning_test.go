package experiments

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/internal/effort"
)

// planned makes the plan of a text.
func planned(t *testing.T, text string, o PlanOptions) *results.Answer {
	t.Helper()
	f, err := Parse("plan.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := f.Planning()
	if err != nil {
		t.Fatal(err)
	}
	a, err := p.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// serving is a plan of synthetic servers for some arrivals.
func serving(workload string) string {
	return fmt.Sprintf(`
title = "servers"
[plan]
objective = "accelerators"
[hardware]
cost_model = "synthetic"
kv_tokens = 1_000_000
synthetic.step_fixed = "100ms"
%s
[slo]
ttft_ms = 1000
[[strategy]]
name = "server"
max_num_seqs = 4
`, workload)
}

// A rate that changes by design is planned for as a constant one of its peak; a scaler has fewer units at other times.
func TestPlansArePeaks(t *testing.T) {
	effort.Whole(t)
	const lengths = "\ninput = { type = \"fixed\", mean = 1 }\noutput = { type = \"fixed\", mean = 10 }"
	constant := planned(t, serving("[workload]\narrival = { process = \"poisson\", rate = 20 }"+lengths), PlanOptions{})
	for name, arrival := range map[string]string{
		"stages": `stages = [{ rate = 5, duration = "90s" }, { rate = 20, duration = "10s" }]`,
		"hourly": `rate = 7.083333333333333, hour = "1m", hourly = [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 8, 8, 4, 2, 2, 2, 2, 2, 2, 2, 4, 4, 4]`,
		"ramp":   `ramp = { strategy = "linear", start_rps = 1, end_rps = 20 }`,
	} {
		t.Run(name, func(t *testing.T) {
			a := planned(t, serving("[workload]\nnum_requests = 1000\narrival = { process = \"poisson\", "+arrival+" }"+lengths), PlanOptions{})
			want, got := &constant.Options[0], &a.Options[0]
			if got.Units != want.Units || math.Abs(got.Judged.Attainment-want.Judged.Attainment) > 1e-9 {
				t.Errorf("%d units, %v; at the constant rate %d, %v", got.Units, got.Judged, want.Units, want.Judged)
			}
			if math.Abs(a.Demand.Planned()-20) > 1e-9 {
				t.Errorf("planned for %v", a.Demand.Planned())
			}
			if name != "ramp" && (len(got.Following) != len(a.Demand.Levels) || got.Following[0] >= want.Units || got.Following[0] < 1) {
				t.Errorf("%v units at %v", got.Following, a.Demand.Levels)
			}
		})
	}
}

// centralQueue is a plan for servers that take requests one by one from one queue: M/M/k, of
// which at most a share may wait for longer than a bound.
func centralQueue(seed int, rate, service, bound, share float64) string {
	const step = 1e-3 // of the mean service
	return fmt.Sprintf(`
title = "M/M/k"
seed = %d
[plan]
objective = "accelerators"
[hardware]
cost_model = "synthetic"
kv_tokens = 1_000_000
synthetic.step_fixed = "%gs"
[workload]
arrival.process = "poisson"
arrival.rate = %g
input.type = "fixed"
input.mean = 1
output.type = "exponential"
output.mean = %g
[slo]
ttft_ms = %g
attainment = %g
[fleet]
router = "least-requests"
queue.max_in_flight = 1
[[strategy]]
name = "server"
max_num_seqs = 1
kv.enable_prefix_caching = false
`, seed, service*step, rate, 1/step, 1e3*(bound+service*step*1.001), 1-share)
}

// A trace's requests miss a bound that none of them meets alone, with any number of units.
func TestPlansOfTracesEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.csv")
	rows := "TIMESTAMP,ContextTokens,GeneratedTokens\n" + strings.Repeat("2023-11-16 18:00:00.0000000,100,10\n", 20)
	if err := os.WriteFile(path, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	for ttft, want := range map[float64]results.Out{5: results.OutUnreachable, 50: results.OutLimited} {
		a := planned(t, fmt.Sprintf(`
title = "trace"
[plan]
objective = "accelerators"
max_accelerators = 2
[hardware]
cost_model = "synthetic"
kv_tokens = 1_000_000
synthetic.step_fixed = "10ms"
[workload.trace]
path = %q
format = "azure"
[slo]
ttft_ms = %g
[[strategy]]
name = "server"
max_num_seqs = 1
`, path, ttft), PlanOptions{})
		if len(a.Pruned) != 1 || a.Pruned[0].Out != want {
			t.Errorf("ttft up to %v ms: %+v, want %s", ttft, a.Pruned, want)
		}
	}
}

// Requests that come every third of a second and take a server for one of its four slots and a second leave it a third more.
func TestHeadroomOfAServer(t *testing.T) {
	a := planned(t, serving(`[workload]
arrival = { process = "constant", rate = 3 }
input = { type = "fixed", mean = 1 }
output = { type = "fixed", mean = 10 }`), PlanOptions{})
	if h := a.Options[0].Headroom; a.Options[0].Units != 1 || h == nil || h.Met > 4.0/3 || h.Missed < 4.0/3 || h.Missed > 1.05*h.Met {
		t.Errorf("%d units, headroom %+v, want 4/3 between", a.Options[0].Units, h)
	}
}

// A cap of the power leaves room for more accelerators below a limit in kW.
func TestCappedPowerCounts(t *testing.T) {
	for hardware, want := range map[string]float64{"": 2, "power_cap_w = 350": 5} {
		f, err := Parse("plan.toml", fmt.Sprintf(`
title = "power"
[plan]
max_kw = 2
[model]
name = "llama-3.1-8b"
[hardware]
accelerator = "h100-sxm"
%s
[workload]
arrival = { process = "poisson", rate = 1 }
input = { type = "fixed", mean = 100 }
output = { type = "fixed", mean = 10 }
[slo]
ttft_ms = 1000
[[strategy]]
name = "one"
`, hardware))
		if err != nil {
			t.Fatal(err)
		}
		p, err := f.Planning()
		if err != nil {
			t.Fatal(err)
		}
		if got := p.candidates[0].Most; got != want {
			t.Errorf("%q: %v units, want %v", hardware, got, want)
		}
	}
}

// A target near 1 has as many requests as it takes to tell.
func TestPlansOfRareMissesSettle(t *testing.T) {
	effort.Whole(t)
	a := planned(t, strings.Replace(serving(`[workload]
arrival = { process = "poisson", rate = 0.2 }
input = { type = "fixed", mean = 1 }
output = { type = "fixed", mean = 10 }`), "ttft_ms = 1000", "ttft_ms = 1000\nattainment = 0.9999", 1), PlanOptions{})
	if len(a.Options) != 1 || a.Options[0].Units != 1 {
		t.Errorf("options %+v, pruned %+v", a.Options, a.Pruned)
	}
}

// A trace grows as its rows come closer together: half the time scale is twice the demand.
func TestPlansOfTracesGrow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.csv")
	rows := "TIMESTAMP,ContextTokens,GeneratedTokens\n"
	for i := range 600 {
		rows += fmt.Sprintf("2023-11-16 18:%02d:%02d.%d000000,1,10\n", i/600, i/10%60, i%10)
	}
	if err := os.WriteFile(path, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	trace := func(more string) string {
		return serving(fmt.Sprintf("[workload.trace]\npath = %q\nformat = \"azure\"\n%s", path, more))
	}
	fast := planned(t, trace("time_scale = 0.5"), PlanOptions{})
	grown := planned(t, strings.Replace(trace(""), "[plan]", "[plan]\nheadroom = 1.0", 1), PlanOptions{})
	slow := planned(t, trace(""), PlanOptions{})
	if fast.Options[0].Units != grown.Options[0].Units || slow.Options[0].Units >= fast.Options[0].Units {
		t.Errorf("%d units, twice as fast %d, with a headroom of 1 %d", slow.Options[0].Units, fast.Options[0].Units, grown.Options[0].Units)
	}
}

// A demand that keeps hundreds of requests in service settles within the requests that a plan may simulate.
func TestPlansOfLargeFleetsSettle(t *testing.T) {
	effort.Whole(t)
	a := planned(t, `
title = "many at a time"
[plan]
objective = "accelerators"
[hardware]
cost_model = "synthetic"
kv_tokens = 1_000_000
synthetic.step_fixed = "100ms"
[workload]
arrival = { process = "poisson", rate = 300 }
input = { type = "fixed", mean = 1 }
output = { type = "fixed", mean = 10 }
[slo]
ttft_ms = 1000
[fleet]
router = "least-requests"
[[strategy]]
name = "server"
max_num_seqs = 64
`, PlanOptions{})
	if len(a.Options) != 1 || a.Options[0].Units < 5 || a.Options[0].Units > 6 {
		t.Errorf("options %+v, pruned %+v, want 5 or 6 units: one serves 64 requests a second", a.Options, a.Pruned)
	}
}

// Erlang's C, and the number of servers with which the wait of too few exceeds the bound.
func erlangC(k int, load float64) float64 {
	inverse := 1.0 // of Erlang's B, by its recursion
	for i := 1; i <= k; i++ {
		inverse = 1 + float64(i)/load*inverse
	}
	b, rho := 1/inverse, load/float64(k)
	return b / (1 - rho*(1-b))
}

func servers(rate, mu, bound, share float64) int {
	for k := int(rate/mu) + 1; ; k++ {
		if c := erlangC(k, rate/mu); c*math.Exp(-(float64(k)*mu-rate)*bound) <= share {
			return k
		}
	}
}

// The least number of servers of M/M/k is that of the formula. Where misses come together, and so seldom that it takes more requests to
// tell than the plan may simulate, more may come out, and the plan says of one less that it is not settled.
func TestPlansOfServersAreErlangs(t *testing.T) {
	effort.Whole(t)
	cases := []struct {
		rate, mu, bound, share float64
		k                      int
		near                   bool // to show that k are enough takes more requests
	}{
		{5, 1, .5, .1, 8, false}, {10, 1, .5, .1, 13, false}, {3, .5, 1, .2, 8, false}, {20, 1, .5, .1, 23, true},
		{8, .5, 1, .05, 20, false}, {30, 2, .2, .05, 19, true}, {50, 1, .5, .1, 54, false}, {100, 1, .5, .1, 104, true},
		{10, 1, .1, .05, 16, false}, {50, 1, .1, .05, 60, true}, {100, 1, .1, .01, 118, true}, {200, 1, .1, .01, 222, true},
		{500, 1, .05, .01, 538, true}, {2, .1, 2, .05, 26, false}, {5, .1, 2, .05, 58, true}, {10, .1, 2, .05, 109, true},
		{1, .05, 5, .1, 25, false}, {4, .05, 5, .01, 92, true}, {100, 5, .1, .05, 24, true}, {40, 4, 0, .2, 14, false},
	}
	for i := range min(len(cases), effort.Times(t, 3)) {
		c := &cases[i]
		t.Run(fmt.Sprint(c.rate, c.mu, c.bound, c.share), func(t *testing.T) {
			if k := servers(c.rate, c.mu, c.bound, c.share); k != c.k {
				t.Errorf("the formula gives %d", k)
			}
			text := strings.Replace(centralQueue(1, c.rate, 1/c.mu, c.bound, c.share), "[plan]", "[plan]\nmax_requests = 400_000", 1)
			a := planned(t, text, PlanOptions{})
			best := &a.Options[0]
			t.Logf("%d units: %.4f ±%.4f, with one less %.4f ±%.4f, %d requests", best.Units, best.Judged.Attainment,
				best.Judged.Half, best.Fewer.Attainment, best.Fewer.Half, a.Requests)
			if best.Units < c.k || best.Units > c.k && (!c.near || best.Fewer.Clear(1-c.share)) {
				t.Errorf("%d units, the formula gives %d", best.Units, c.k)
			}
		})
	}
}
