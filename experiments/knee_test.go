package experiments

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/internal/effort"
	"kneepoint/units/badinput"
)

// kneesOf searches the knees of an experiment.
func kneesOf(t *testing.T, text string, workers int, set ...string) *results.Results {
	t.Helper()
	f, err := Parse("queue.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Override(set); err != nil {
		t.Fatal(err)
	}
	e, err := f.CheckKnees()
	if err != nil {
		t.Fatal(err)
	}
	res, err := e.Knees(t.Context(), Options{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

const withoutSweep = `sweep={}`

// TestKneesOverAnyLoad: the service of the queue in queueFile takes 1 s, and 90 % of its requests wait 5 s or
// less at a rate of .7996: so does whatever load is searched there have the value that it has in the file.
func TestKneesOverAnyLoad(t *testing.T) {
	effort.Whole(t)
	const rate = `workload.arrival.rate=0.799601`
	for name, c := range map[string]struct {
		set    []string
		want   float64
		within float64
		rising bool
	}{
		"rate":            {nil, 0.799601, 0.01, false},
		"tolerance":       {[]string{`search.tolerance=0.1`}, 0.799601, 0.05, false},
		"target":          {[]string{`search.target=0.99`, `slo.ttft_ms=11000`}, 0.793657, 0.01, false}, // P(W > 10) = .01
		"from a bound":    {[]string{`search.min=0.5`, `search.max=2`}, 0.799601, 0.01, false},
		"prompts":         {[]string{rate, `search.load="workload.input.mean"`, withoutSweep, `search.max=150000`}, 100_000, 0.02, false},
		"tightest SLO":    {[]string{rate, `search.load="slo.ttft_ms"`, withoutSweep}, 6000, 0.02, true},
		"from far off":    {[]string{`workload.arrival.rate=50`, withoutSweep, `search.tolerance=0.01`}, 0.799601, 0.01, false},
		"from far within": {[]string{`workload.arrival.rate=0.002`, withoutSweep, `search.tolerance=0.01`}, 0.799601, 0.01, false},
	} {
		t.Run(name, func(t *testing.T) {
			k := kneesOf(t, queueFile, 0, c.set...).Series[0].Knee
			if k.Kind != results.KneeSearched || math.Abs(k.Value/c.want-1) > c.within || k.Rising != c.rising {
				t.Errorf("%s knee at %v, want %v", k.Kind, k.Value, c.want)
			}
			if *k.Low > c.want || *k.High < c.want {
				t.Logf("the interval from %v to %v lacks %v, as one in twenty does", *k.Low, *k.High, c.want)
			}
		})
	}
}

// TestAcceptanceAtWhichSpeculationPays: g guesses a step at a cost of c steps each pay where (1-A^(g+1))/(1-A) tokens are more than 1 + gc
// (Leviathan): half of the requests have a shorter TPOT than without then, but for steps that are whole and guesses that the end of an
// answer cuts off, see acceptanceOfHalf.
func TestAcceptanceAtWhichSpeculationPays(t *testing.T) {
	effort.Whole(t)
	cases := []struct {
		guesses int
		pass    string
		cost    float64 // of the guesses of a step, in steps
	}{{3, "1ms", 0.3}, {1, "2ms", 0.2}, {5, "0.5ms", 0.25}}
	for _, c := range cases[:min(effort.Times(t, 1), len(cases))] {
		text := fmt.Sprintf(`
title = "From which acceptance on do guesses pay?"
hardware = {cost_model = "synthetic", kv_tokens = 1000000, synthetic = {step_fixed = "10ms", per_draft_pass = %q}}
workload = {num_requests = 100, arrival = {process = "poisson", rate = 0.01}, input = {type = "fixed", mean = 10}, output = {type = "fixed", mean = 200}}
slo = {tpot_ms = 10, attainment = 0.5}
search = {load = "strategy.guessing.speculation.acceptance", tolerance = 0.05}
[[strategy]]
name = "guessing"
speculation = {method = "medusa", num_speculative_tokens = %d, acceptance = 0.6}
`, c.pass, c.guesses)
		f, err := Parse("speculation.toml", text)
		if err != nil {
			t.Fatal(err)
		}
		e, err := f.CheckKnees()
		if err != nil {
			t.Fatal(err)
		}
		res, err := e.Knees(t.Context(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		k, want := res.Series[0].Knee, acceptanceOfHalf(c.guesses, 199, c.cost)
		t.Logf("%d guesses of %s pay from %.5f (%.5f to %.5f) on: %.5f", c.guesses, c.pass, k.Value, *k.Low, *k.High, want)
		if k.Kind != results.KneeSearched || math.Abs(k.Value/want-1) > 0.01 {
			t.Errorf("%d guesses of %s pay from %v (%s) on, want %v", c.guesses, c.pass, k.Value, k.Kind, want)
		}
	}
}

// acceptanceOfHalf is the acceptance at which half of all answers take as long with guesses as without: of so many tokens, in the
// whole steps that there is time for, each of which costs one and that of its guesses.
func acceptanceOfHalf(guesses, tokens int, cost float64) float64 {
	steps := int(float64(tokens) / (1 + cost))
	below, above := 0.0, 1.0
	for above-below > 1e-6 {
		acceptance := (below + above) / 2
		if inTime(acceptance, guesses, tokens, steps) < 0.5 {
			below = acceptance
		} else {
			above = acceptance
		}
	}
	return above
}

// inTime is the probability that so many steps generate so many tokens at least, each one and the guesses before the first that is
// rejected.
func inTime(acceptance float64, guesses, tokens, steps int) float64 {
	reached := make([]float64, tokens+1) // by tokens so far, the last of all that are enough
	reached[0] = 1
	for range steps {
		next := make([]float64, tokens+1)
		for n, p := range reached {
			for k := range guesses {
				next[min(n+1+k, tokens)] += p * (1 - acceptance)
				p *= acceptance
			}
			next[min(n+1+guesses, tokens)] += p
		}
		reached = next
	}
	return reached[tokens]
}

// TestToleranceOfWholeLoads: clients are searched as a rate is, and replicas one by one.
func TestToleranceOfWholeLoads(t *testing.T) {
	for load, want := range map[string]float64{"workload.arrival.concurrency": 0.02, "workload.session.users": 0.02, "hardware.replicas": 0} {
		l, err := searchableOf(load)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.searchedBy(&SearchSpec{}).tolerance; got != want {
			t.Errorf("%s is searched to %v, want %v", load, got, want)
		}
	}
}

// TestKneesAreReadBack: results of a search are written and read back as others are, to the byte, and do not depend on the number of
// workers.
func TestKneesAreReadBack(t *testing.T) {
	set := []string{`search={load="workload.arrival.rate", tolerance=0.2}`, `sweep={"workload.arrival.rate"=[1], "slo.ttft_ms"=[3000, 6000]}`}
	second := queueFile[:strings.Index(queueFile, "[sweep]")] + "[[strategy]]\nname=\"b\"\nmax_num_seqs=2\nmax_num_batched_tokens=10000000\n"
	one, two := kneesOf(t, second, 1, set...), kneesOf(t, second, 2, set...)
	if a, b := asText(t, one), asText(t, two); a != b {
		t.Error("one worker and two find different results")
	}
	if len(one.Series) != 4 || one.Incomplete || len(one.KneeDifferences) != 2 {
		t.Errorf("%d curves, %d differences, incomplete: %v", len(one.Series), len(one.KneeDifferences), one.Incomplete)
	}
	readsBack(t, one)
}

// TestPointsOfASearch are the loads of its probes, with their runs.
func TestPointsOfASearch(t *testing.T) {
	res := kneesOf(t, queueFile, 0, `search.tolerance=0.1`)
	s, found := &res.Series[0], res.Searched[0]
	if len(s.Points) != 2 || len(found.Probes) != 2 {
		t.Fatalf("%d points of %d probes", len(s.Points), len(found.Probes))
	}
	for i := range s.Points {
		load, _ := s.Points[i].Value.Number()
		if p := &found.Probes[i]; load != p.Load || s.Points[i].Metrics["mean_ttft_ms"].N != len(p.Attained) {
			t.Errorf("point %v of %d runs, probe %v of %d", load, s.Points[i].Metrics["mean_ttft_ms"].N, p.Load, len(p.Attained))
		}
	}
	if bound := res.LimitingBound(s); bound != "TTFT" {
		t.Errorf("it is limited by %q", bound)
	}
	if text, _ := json.Marshal(res.Experiment["sweep"]); strings.Contains(string(text), "rate") {
		t.Errorf("the experiment is said to sweep %s", text)
	}
}

// TestNeverMet: where not even a request alone meets the objective, the runs at the easiest load say how many do.
func TestNeverMet(t *testing.T) {
	res := kneesOf(t, queueFile, 0, `slo.ttft_ms=900`)
	s := &res.Series[0]
	if s.Knee.Kind != results.KneeBelow || len(s.Points) != 1 || s.Points[0].Metrics["slo_attainment"].Mean != 0 || res.LimitingBound(s) != "TTFT" ||
		s.Points[0].Metrics["mean_ttft_ms"].N == 0 {
		t.Errorf("%s knee, %d points, limited by %q", s.Knee.Kind, len(s.Points), res.LimitingBound(s))
	}
}

// TestWrongSearches are refused before anything is simulated.
func TestWrongSearches(t *testing.T) {
	for set, want := range map[string]string{
		`search.load="strategy.a.max_num_seqs"`: "is no load",
		`search.load="workload.arrival.rat"`:    "workload.arrival.rate",
		`search.load=""`:                        "",
		`search.target=1.0`:                     "ever misses",
		`slo.attainment=1.0`:                    "ever misses",
		`search.target=0.0`:                     "search.target",
		`search.tolerance=0.6`:                  "search.tolerance",
		`search.min=-1`:                         "search.min",
		`search.max_requests=0`:                 "search.max_requests",
		`search={min=3, max=2}`:                 "search.max",
		`search={load="slo.ttft_ms", max=4e6}`:  "search.max = 4000000: is beyond what slo.ttft_ms may be; allowed: up to 3600000",
		`search=3`:                              "a table",
		`search.lode="x"`:                       "load",
		`workload.arrival={stages=[{rate=1, duration="10s"}, {rate=2, duration="10s"}]}`: "search.load = \"workload.arrival.rate\": is no load here: workload.arrival.stages",
		`slo={}`: "slo: missing",
		`sweep={"workload.arrival.rate"=[1,2],"workload.num_requests"=[10,20],mode="zip"}`: "sweep.mode",
	} {
		f, err := Parse("queue.toml", queueFile)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Override([]string{set}); err != nil {
			t.Fatal(err)
		}
		_, err = f.CheckKnees()
		var bad *badinput.Error
		if want == "" && err == nil {
			continue
		}
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "queue.toml") {
			t.Errorf("%s: %v, want %q", set, err, want)
		}
	}
}

// TestSearchBesideASweep: a run of points takes tolerance, bounds and target of its search from the table, and refuses one over
// another load than it sweeps.
func TestSearchBesideASweep(t *testing.T) {
	wide := searched(t, queueFile, 0, `search.tolerance=0.3`).Series[0].Knee
	narrow := searched(t, queueFile, 0, `search={tolerance=0.02, target=0.95}`).Series[0].Knee
	if wide.Requests >= narrow.Requests || narrow.Target != 0.95 || narrow.Value >= wide.Value {
		t.Errorf("%d and %d requests, knees %v and %v, target %v", wide.Requests, narrow.Requests, wide.Value, narrow.Value, narrow.Target)
	}
	f, err := Parse("queue.toml", queueFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Override([]string{`search.load="slo.ttft_ms"`}); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Check(); err == nil || !strings.Contains(err.Error(), "kneepoint knee") {
		t.Errorf("a search over another load than is swept: %v", err)
	}
}
