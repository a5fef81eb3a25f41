package experiments

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/combin"

	"kneepoint/experiments/scenario"
	"kneepoint/internal/effort"
	"kneepoint/sim"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// breakdowns is an M/M/1 queue whose server breaks down at a rate f while it is up, is
// repaired at a rate r, and goes on where it was. Tokens are an exponential number that take
// their time, and the step that computes them again has the next one.
const breakdowns = `title = "breakdowns"
replications = 6
[hardware]
cost_model = "synthetic"
kv_tokens = 10000000
[hardware.synthetic]
per_decode_row = "1ms"
per_prefill_chunk = "1ms"
[workload]
num_requests = REQUESTS
[workload.arrival]
rate = LOAD
[workload.input]
type = "fixed"
mean = 1
[workload.output]
type = "exponential"
mean = 1000
[measure]
warmup = 0.1
[fleet.queue]
max_in_flight = 1
[fleet.startup]
cold_start = "0s"
[[fleet.failure]]
mtbf = "MTBF"
repair = "REPAIR"
repair_distribution = "exponential"
[[strategy]]
name = "one"
max_num_batched_tokens = 10000000
`

// ofDecode has a replica that decodes break down instead, to which another one sends prompts in no time.
var ofDecode = strings.NewReplacer("[fleet.queue]", `[[fleet.pool]]
name = "prompts"
role = "prefill"
[[fleet.pool]]
name = "answers"
role = "decode"
[fleet.transfer]
latency = "0s"
[fleet.queue]`, "[[fleet.failure]]", `[[fleet.failure]]
pool = "answers"`)

// TestBreakdownsOfAFile: E[T] = (μf + (f+r)²) / ((f+r)(rμ - λ(f+r))).
func TestBreakdownsOfAFile(t *testing.T) {
	for _, c := range []struct {
		load, f, r float64
		apart      bool
	}{{.3, .02, .2, false}, {.5, .1, 1, false}, {.5, .1, 1, true}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			n := effort.Times(t, 20000)
			text := strings.NewReplacer("REQUESTS", fmt.Sprint(n), "LOAD", fmt.Sprint(c.load),
				"MTBF", fmt.Sprintf("%gs", 1/c.f), "REPAIR", fmt.Sprintf("%gs", 1/c.r)).Replace(breakdowns)
			if c.apart {
				text = ofDecode.Replace(text)
			}
			res, err := experiment(t, text).Run(context.Background(), Options{})
			if err != nil {
				t.Fatal(err)
			}
			var sum, squares float64
			for i := range res.Runs {
				mean := res.Runs[i].Steady.Get("mean_e2el_ms") / 1e3
				sum, squares = sum+mean, squares+mean*mean
			}
			runs := float64(len(res.Runs))
			got := sum / runs
			se := math.Sqrt(max(0, squares/runs-got*got) / (runs - 1))
			want := (c.f + (c.f+c.r)*(c.f+c.r)) / ((c.f + c.r) * (c.r - c.load*(c.f+c.r)))
			t.Logf("E[T] %.4f ± %.4f, in theory %.4f", got, se, want)
			if math.Abs(got-want) > max(0.02*want, 4*se) {
				t.Errorf("E[T] is %v ± %v, not %v", got, se, want)
			}
		})
	}
}

// upAndDown is a service of pools whose replicas fail and are repaired, each on its own.
const upAndDown = `title = "up and down"
[hardware]
cost_model = "synthetic"
kv_tokens = 1000000
[hardware.synthetic]
step_fixed = "1ms"
[workload]
num_requests = 1000000
duration = "1e5s"
[workload.arrival]
rate = 0.01
[workload.input]
type = "fixed"
mean = 1
[workload.output]
type = "fixed"
mean = 2
[fleet.startup]
cold_start = "0s"
[fleet.transfer]
latency = "0s"
[[fleet.pool]]
name = "prompts"
role = "prefill"
[[fleet.pool]]
name = "answers"
role = "decode"
[[fleet.failure]]
mtbf = "90s"
repair = "10s"
repair_distribution = "exponential"
[[strategy]]
name = "one"
`

// TestServiceIsUp: a service of prefill and decode is up while enough replicas of both are: for the product of
// the shares Σ (n over i) A^i (1-A)^(n-i) of the time, i from k to n, of either pool. How long a state is
// remembered, 1/(1/MTBF + 1/repair) = 9 s, bounds the error.
func TestServiceIsUp(t *testing.T) {
	const available, memory, end = 0.9, 9, 1e5
	for _, c := range []struct{ prefill, decode kOfN }{
		{kOfN{1, 1}, kOfN{1, 1}}, {kOfN{3, 3}, kOfN{2, 2}}, {kOfN{3, 4}, kOfN{2, 3}}, {kOfN{7, 8}, kOfN{14, 16}},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			e := experiment(t, upAndDown, fmt.Sprintf("fleet.pool.prompts.replicas=%d", c.prefill.n), fmt.Sprintf("fleet.pool.answers.replicas=%d", c.decode.n))
			built, err := scenario.NewBuilder(nil).Build(e.cells[0].scenario)
			if err != nil {
				t.Fatal(err)
			}
			rec, err := sim.Run(t.Context(), built.Config)
			if err != nil {
				t.Fatal(err)
			}
			got, want := shareUp(rec, [2]int{c.prefill.k, c.decode.k}), c.prefill.up(available)*c.decode.up(available)
			se := math.Sqrt(2 * want * (1 - want) * memory / end)
			t.Logf("up for %.4f ± %.4f, in theory %.4f", got, se, want)
			if math.Abs(got-want) > 4*se {
				t.Errorf("up for %v ± %v of the time, not %v", got, se, want)
			}
		})
	}
}

// kOfN is a pool that is up while k of its n replicas are.
type kOfN struct{ k, n int }

// up is for which share of the time it is, where each replica is for a share a.
func (p kOfN) up(a float64) float64 {
	sum := 0.0
	for i := p.k; i <= p.n; i++ {
		sum += float64(combin.Binomial(p.n, i)) * math.Pow(a, float64(i)) * math.Pow(1-a, float64(p.n-i))
	}
	return sum
}

// shareUp is for which share of a run at least so many replicas of either pool are up.
func shareUp(rec *metrics.Record, least [2]int) float64 {
	type change struct {
		at       units.Seconds
		pool, by int
	}
	var changes []change
	for pool := range rec.Pools {
		for _, r := range rec.Pools[pool].Replicas {
			changes = append(changes, change{max(r.Ready, r.Ordered), pool, 1})
			if r.Released > 0 {
				changes = append(changes, change{r.Released, pool, -1})
			}
		}
	}
	changes = append(changes, change{at: rec.Ended})
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	up, share, last := [2]int{}, units.Seconds(0), units.Seconds(0)
	for _, c := range changes {
		if c.at > rec.Ended {
			break
		}
		if up[0] >= least[0] && up[1] >= least[1] {
			share += c.at - last
		}
		up[c.pool] += c.by
		last = c.at
	}
	return float64(share / rec.Ended)
}
