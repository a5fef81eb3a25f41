package experiments

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/internal/effort"
	"kneepoint/units/badinput"
)

// guessingFile is a service of one request at a time, with guesses of which a pass takes a share of a step.
const guessingFile = `
title = "From which acceptance on do guesses pay?"
hardware = {cost_model = "synthetic", kv_tokens = 1000000, synthetic = {step_fixed = "10ms", per_draft_pass = "1ms"}}
search = {load = "strategy.guessing.speculation.acceptance", over = "plain", metric = "mean_tpot_ms", min = 0.02, max = 0.9}
[workload]
num_requests = 3
arrival = {process = "poisson", rate = 0.001}
input = {type = "fixed", mean = 10}
output = {type = "fixed", mean = 2000}
[[strategy]]
name = "plain"
[[strategy]]
name = "guessing"
speculation = {method = "medusa", num_speculative_tokens = 3, acceptance = 0.6}
`

// TestSpeculationPaysWhereAcceptanceExceedsItsCost: g guesses of c steps each, checked in as long as a step, yield
// (1-A^(g+1))/(1-A) tokens in 1 + gc steps (Leviathan et al., 2023, theorem 3.8), so that one guess pays exactly where A > c,
// and more of them from a larger acceptance on.
func TestSpeculationPaysWhereAcceptanceExceedsItsCost(t *testing.T) {
	effort.Whole(t)
	cases := []struct {
		guesses int
		c, want float64
	}{{3, 0.1, 0.2330}, {1, 0.1, 0.1}, {5, 0.2, 0.5087}, {3, 0.05, 0.1307}, {5, 0.05, 0.2001}, {5, 0.1, 0.3343}, {3, 0.2, 0.3894},
		{1, 0.5, 0.5}}
	for _, c := range cases[:min(effort.Times(t, 1), len(cases))] {
		res := kneesOf(t, guessingFile, 0, fmt.Sprintf("strategy.guessing.speculation.num_speculative_tokens=%d", c.guesses),
			fmt.Sprintf(`hardware.synthetic.per_draft_pass="%vms"`, 10*c.c), "search.tolerance=0.01")
		b := res.BreakEvens[0]
		if len(b.Crossings) != 1 {
			t.Fatalf("%d guesses of %v: %+v", c.guesses, c.c, b)
		}
		x := b.Crossings[0]
		t.Logf("%d guesses of %v pay from %.4f (%.4f to %.4f) on: %.4f", c.guesses, c.c, x.Value, x.Low, x.High, c.want)
		if math.Abs(x.Value/c.want-1) > 0.01 || x.Below != "plain" || x.Above != "guessing" || x.High/x.Low > 1.025 {
			t.Errorf("%d guesses of %v pay from %+v on, want %v", c.guesses, c.c, x, c.want)
		}
	}
}

// TestExpectedBreakEvens: an expectation holds the crossing against its bounds, and has none where there is no crossing.
func TestExpectedBreakEvens(t *testing.T) {
	effort.Whole(t)
	expect := func(low, high float64) string {
		return fmt.Sprintf(`expect=[{metric="break_even", strategy="guessing", between=[%v, %v]}, {metric="cost_usd", strategy="plain", between=[0, 1]}]`,
			low, high)
	}
	for set, want := range map[string]struct{ met, found bool }{
		expect(0.22, 0.25): {true, true}, expect(0.3, 0.4): {false, true}, expect(0.22, 0.25) + "; search.min=0.5": {false, false},
	} {
		res := kneesOf(t, guessingFile, 0, append(strings.Split(set, "; "), "search.tolerance=0.3")...)
		if len(res.Expectations) != 1 {
			t.Fatalf("%s: %+v", set, res.Expectations)
		}
		x := &res.Expectations[0]
		if x.Met != want.met || (x.Value != nil) != want.found || (x.ValueLow != nil) != want.found || x.What != "break_even of guessing" {
			t.Errorf("%s: %+v, want %+v", set, x, want)
		}
		readsBack(t, res)
	}
}

// TestPriceBreakEven: what is rented longer for the same tokens costs as much where its price is lower by as much.
func TestPriceBreakEven(t *testing.T) {
	const file = `
title = "price"
model = {name = "llama-3.2-1b"}
hardware = {accelerator = "h100-sxm"}
prices = {usd_per_hour = {h100-sxm = 10}}
search = {load = "prices.usd_per_hour.b200-sxm", over = "h100", metric = "cost_usd", min = 2, max = 50, tolerance = 0.01}
strategy = [{name = "h100"}, {name = "b200", hardware = {accelerator = "b200-sxm"}}]
[workload]
num_requests = 20
arrival = {process = "at_once"}
input = {type = "exponential", mean = 300}
output = {type = "exponential", mean = 50}
`
	res := kneesOf(t, file, 0)
	var seconds [2]float64
	for i := range res.Series {
		seconds[i] = res.Series[i].Points[0].Metrics["duration"].Mean
	}
	want, crossings := 10*seconds[0]/seconds[1], res.BreakEvens[0].Crossings
	if len(crossings) != 1 || crossings[0].Low > want || crossings[0].High < want || math.Abs(crossings[0].Value/want-1) > 0.002 ||
		crossings[0].Below != "b200" {
		t.Errorf("%+v, want %v", crossings, want)
	}
}

// TestBreakEvenOfAQuantity: a key whose value has a unit is varied in it, and two servers are alike where their services are; where
// one is slower all over, there is no such value.
func TestBreakEvenOfAQuantity(t *testing.T) {
	text := queueFile[:strings.Index(queueFile, "[sweep]")] + "[[strategy]]\nname=\"b\"\nmax_num_seqs=1\nmax_num_batched_tokens=10000000\n" +
		"hardware.synthetic={per_prefill_token=\"20us\"}\n"
	const key = "strategy.b.hardware.synthetic.per_prefill_token"
	set := []string{"workload.arrival.rate=0.1", "sweep={}"}
	search := func(low, high float64) results.BreakEven {
		asked := fmt.Sprintf(`search={load=%q, over="a", metric="mean_ttft_ms", min=%v, max=%v}`, key, low, high)
		return kneesOf(t, text, 0, append(set, asked)...).BreakEvens[0]
	}
	if b := search(5, 30); len(b.Crossings) != 1 || math.Abs(b.Crossings[0].Value/10-1) > 0.002 || b.Unit != "us" ||
		b.Crossings[0].Below != "b" {
		t.Errorf("a service as long as another one: %+v", b)
	}
	if b := search(15, 30); len(b.Crossings) != 0 || b.Less != "a" || b.From != 15 || b.To != 30 {
		t.Errorf("longer services: %+v", b)
	}
}

// TestReplicasForAMean: requests that come every 25 ms and take 100 ms each wait for nobody on four replicas, and longer and longer
// on three.
func TestReplicasForAMean(t *testing.T) {
	res := kneesOf(t, `
title = "How many replicas does a mean take?"
hardware = {cost_model = "synthetic", kv_tokens = 1000000, synthetic = {step_fixed = "10ms"}}
search = {load = "hardware.replicas", metric = "mean_ttft_ms", bound = 50, min = 1, max = 12}
[workload]
num_requests = 400
arrival = {process = "constant", rate = 40}
input = {type = "fixed", mean = 10}
output = {type = "fixed", mean = 10}
[[strategy]]
name = "one at a time"
max_num_seqs = 1
`, 0)
	if x := res.BreakEvens[0].Crossings; len(x) != 1 || x[0].Value != 4 || x[0].Below != results.ByBound {
		t.Errorf("%+v, want 4 replicas", x)
	}
}

// TestMeanWaits: up to which rate the mean is no longer than a bound. M/D/1 with a service of D waits w in the mean at ρ = 2w/(D+2w);
// of two classes, with rates of 0.3 and r and exponential services of 1 and 2 s, the one without priority waits 10 s at r = 0.255556.
func TestMeanWaits(t *testing.T) {
	asked := func(bound, low, high, tolerance float64, load string) string {
		return fmt.Sprintf(`search={load=%q, metric="mean_ttft_ms", bound=%v, min=%v, max=%v, tolerance=%v}`, load, bound, low, high, tolerance)
	}
	const rate = "workload.arrival.rate"
	cases := []struct {
		name, text string
		set        []string
		want       float64
	}{
		{"M/D/1, w = D/2", queueFile, []string{"sweep={}", "workload.num_requests=500", asked(1500, 0.3, 0.7, 0.05, rate)}, 0.5},
		{"M/D/1, w = 2D", queueFile, []string{"sweep={}", "workload.num_requests=20000", asked(3000, 0.6, 0.95, 0.01, rate)}, 0.8},
		{"the second class", twoClasses, []string{asked(12000, 0.22, 0.29, 0.01, "workload.client.second.arrival.rate"),
			`search.client="second"`}, 0.255556},
	}
	for _, c := range cases[:min(1+2*(effort.Times(t, 1)-1), len(cases))] {
		x := kneesOf(t, c.text, 0, c.set...).BreakEvens[0].Crossings
		if len(x) != 1 || x[0].Below != "a" || x[0].Above != results.ByBound || math.Abs(x[0].Value/c.want-1) > 0.01 {
			t.Fatalf("%s: %+v, want %v", c.name, x, c.want)
		}
		t.Logf("%s: %.4f (%.4f to %.4f), want %v", c.name, x[0].Value, x[0].Low, x[0].High, c.want)
	}
}

// twoClasses is a server of two classes of requests, the first of which goes before the second.
const twoClasses = `
title = "two classes"
[hardware]
cost_model = "synthetic"
kv_tokens = 100000000
engine = "ideal"
[hardware.synthetic]
per_prefill_token = "10us"
[workload]
num_requests = 20000
output = {type = "fixed", mean = 1}
[[workload.client]]
name = "first"
priority = 0
arrival = {process = "poisson", rate = 0.3}
input = {type = "exponential", mean = 100000}
[[workload.client]]
name = "second"
priority = 1
arrival = {process = "poisson", rate = 0.2}
input = {type = "exponential", mean = 200000}
[[strategy]]
name = "a"
order = "priority"
max_num_seqs = 1
max_num_batched_tokens = 10000000
`

// TestBreakEvensAreReadBack, of every combination of the other swept variables, and do not depend on the number of workers.
func TestBreakEvensAreReadBack(t *testing.T) {
	set := []string{`sweep={"workload.output.mean"=[50]}`, "search.tolerance=0.5", "search.min=0.1", "search.max=0.5"}
	one, two := kneesOf(t, guessingFile, 1, set...), kneesOf(t, guessingFile, 2, set...)
	if asText(t, one) != asText(t, two) {
		t.Error("one worker and two find different results")
	}
	if len(one.BreakEvens) != 1 || one.Incomplete || one.BreakEvens[0].Fixed["workload.output.mean"].String() != "50" {
		t.Errorf("%+v, incomplete: %v", one.BreakEvens, one.Incomplete)
	}
	readsBack(t, one)
}

// TestWrongBreakEvens are refused before anything is simulated.
func TestWrongBreakEvens(t *testing.T) {
	for set, want := range map[string]string{
		`search.over="plan"`:        `search.over = "plan": no strategy of this name; did you mean "plain"?`,
		`search.metric="mean_tpot"`: `search.metric = "mean_tpot": unknown metric`,
		`search.metric=""`:          "search.metric: missing: a break-even is asked for",
		`search.over=""`:            "search.over: missing: a break-even is asked for; allowed: the strategy that",
		`search.load=""`:            "search.load: missing: a break-even is asked for",
		`search.bound=3`:            "search.bound = 3: is not needed with over",
		`search.client="x"`:         `search.client = "x": no [[workload.client]] of this name`,
		`search.min=0`:              "search.min",
		`search.max=0.01`:           "search.max = 0.01: leaves nothing to search",
		`search.max=2`:              "acceptance",
		`expect=[{metric="break_even", strategy="plain", between=[0, 1]}]`:            "expect[0].strategy = \"plain\": is what the others are compared",
		`expect=[{metric="break_even", between=[0, 1]}]`:                              "expect[0].strategy: missing",
		`expect=[{metric="break_even", strategy="guessing", at=1, between=[0, 1]}]`:   "expect[0].at = 1: has no effect on break_even",
		`expect=[{metric="break_even", ratio=["guessing", "plain"], between=[0, 1]}]`: "expect[0].ratio",
		`search.target=0.9`:                                                  "search.target = 0.9: has no effect with metric",
		`search.max_requests=9`:                                              "search.max_requests = 9: has no effect with metric",
		`search.load="hardware.cost_model"`:                                  `search.load = "hardware.cost_model": is no number, but synthetic`,
		`search.load="strategy.guesing.x"`:                                   `no strategy is called "guesing"`,
		`search.load="strategy.plain.xy"`:                                    "unknown key",
		`search.load="strategy.guessing.speculation.num_speculative_tokens"`: "a whole number",
	} {
		f, err := Parse("guessing.toml", guessingFile)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Override([]string{set}); err != nil {
			t.Fatal(err)
		}
		_, err = f.CheckKnees()
		var bad *badinput.Error
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "guessing.toml") {
			t.Errorf("%s: %v, want %q", set, err, want)
		}
	}
	lone, err := Parse("guessing.toml", strings.Replace(guessingFile, "[[strategy]]\nname = \"plain\"\n", "", 1))
	if err != nil {
		t.Fatal(err)
	}
	if err := lone.Override([]string{`search.over="guessing"`}); err != nil {
		t.Fatal(err)
	}
	if _, err := lone.CheckKnees(); err == nil || !strings.Contains(err.Error(), "is the only strategy") {
		t.Errorf("a strategy compared with itself: %v", err)
	}
	f, err := Parse("guessing.toml", guessingFile)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Check(); err == nil || !strings.Contains(err.Error(), "search.metric") || !strings.Contains(err.Error(), "kneepoint knee") {
		t.Errorf("a run that searches a break-even: %v", err)
	}
}
