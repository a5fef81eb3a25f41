package scenario_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"kneepoint/experiments"
	"kneepoint/experiments/results"
	"kneepoint/experiments/runner"
	"kneepoint/experiments/scenario"
	"kneepoint/policies"
	"kneepoint/sim"
)

var update = flag.Bool("update", false, "write the golden outcomes anew")

const goldenFile = "testdata/golden.json"

// golden is the outcomes of short scenarios under a revision of the engine.
type golden struct {
	Revision int               `json:"revision"`
	Outcomes map[string]digest `json:"outcomes"` // by the scenario's name
}

// digest is the hashes of a scenario and of its outcome at 12 significant digits.
type digest struct{ Scenario, Outcome string }

// variants are what TestGolden changes about traffic.toml, key by key.
var variants = map[string][]string{
	"modulated":       {`workload.arrival={ process = "weibull", rate = 10, cv = 2, modulation = { cv = 0.5, tau = "5s" } }`},
	"on and off":      {`workload.arrival={ process = "onoff", rate = 10, on = "1s", off = "2s" }`},
	"limited":         {`workload.arrival={ process = "constant", rate = 20, normalize = true, max_concurrency = 4 }`},
	"at once":         {`workload.arrival={ process = "at_once" }`},
	"closed":          {`workload.arrival={ process = "closed", concurrency = 5, think_time = "100ms" }`, `measure.warmup=1s`, `hardware.replicas=2`},
	"trace":           {`workload={ trace = { path = "trace.csv", format = "measured", time_scale = 2, repeat = 3, tick_jitter = "50ms" } }`},
	"mixture":         {`workload.input={ type = "lognormal_mix", mix = [{ w = 0.7, mu = 4, sigma = 0.5 }, { w = 0.3, mu = 6, sigma = 0.2 }] }`},
	"empirical":       {`workload.output={ type = "empirical", quantiles = [1, 20, 30, 200] }`},
	"conversations":   {`workload.session={ turns = 3, think_time = "1s" }`, `workload.arrival.rate=2`},
	"users":           {`workload={ num_requests = 60, session = { turns = { type = "uniform", min = 1, max = 4 }, users = 6, think_time = "200ms", input = { type = "fixed", mean = 50 }, output = { type = "fixed", mean = 20 } } }`},
	"classes":         {`workload.client=[{ name = "chat", share = 0.7, slo = { ttft_ms = 300 } }, { name = "batch", share = 0.3, priority = 5, input = { type = "fixed", mean = 400 } }]`, `strategy.plain.order=priority`},
	"served":          {`workload.client=[{ share = 0.7 }, { share = 0.3, input = { type = "fixed", mean = 400 } }]`, `strategy.plain.order=vtc`, `strategy.plain.max_num_seqs=4`},
	"foreseen":        {`workload.client=[{ share = 0.7 }, { share = 0.3, input = { type = "fixed", mean = 400 } }]`, `strategy.plain.order=vtc-oracle`, `strategy.plain.max_num_seqs=4`},
	"merged classes":  {`workload={ num_requests = 80, input = { type = "fixed", mean = 90 }, client = [{ arrival = { rate = 5 }, output = { type = "fixed", mean = 20 } }, { arrival = { process = "gamma", rate = 5, cv = 3 }, output = { type = "fixed", mean = 50 } }] }`},
	"distinct":        {`workload.prefix={ distinct = 5 }`},
	"rejected":        {`model.max_model_len=150`},
	"truncated":       {`model.max_model_len=150`, `workload.too_long=truncate`},
	"not drained":     {`measure.drain=false`},
	"cut":             {`measure.max_time=3s`},
	"another seed":    {`seed=2`, `replications=2`},
	"by duration":     {`workload={ duration = "10s", arrival = { rate = 4 }, input = { type = "fixed", mean = 10 }, output = { type = "fixed", mean = 10 } }`},
	"trace, shuffled": {`workload={ trace = { path = "trace.csv", format = "measured", start = "100ms", end = "1.9s" }, arrival = { process = "poisson", rate = 5 }, num_requests = 30 }`},
}

// TestGolden fails when results change under the same revision of the engine, under
// which stores would go on to serve the old ones. A scenario that is itself another
// one, since a catalog changed, has another key.
func TestGolden(t *testing.T) {
	found := golden{Revision: sim.Revision, Outcomes: map[string]digest{}}
	record(t, &found, "policies")
	record(t, &found, "hardware")
	record(t, &found, "traffic")
	for name, set := range variants {
		t.Run(name, func(t *testing.T) { record(t, &found, "traffic", append(set, "title="+name)...) })
	}
	if *update {
		writeGolden(t, &found)
		return
	}
	found.compare(t, readGolden(t))
}

// compare says what to do about outcomes that are not as known.
func (g *golden) compare(t *testing.T, known golden) {
	t.Helper()
	for name, now := range g.Outcomes {
		switch before, recorded := known.Outcomes[name]; {
		case !recorded || now.Scenario != before.Scenario:
			t.Errorf("%s is a new scenario: go test -run Golden -update", name)
		case now.Outcome != before.Outcome && known.Revision == sim.Revision:
			t.Errorf("%s has another outcome: raise sim.Revision, then go test -run Golden -update", name)
		case now.Outcome != before.Outcome || known.Revision != sim.Revision:
			t.Errorf("%s was recorded under revision %d: go test -run Golden -update", name, known.Revision)
		}
	}
}

// record simulates an experiment of testdata with changes, whose title names them,
// and of each strategy's first run also what the other ways of simulating it find.
func record(t *testing.T, g *golden, file string, set ...string) {
	t.Helper()
	f, err := experiments.Load("testdata/golden/" + file + ".toml")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Override(set); err != nil {
		t.Fatal(err)
	}
	traces := &scenario.Traces{}
	e, err := f.Resolve(traces)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	var scenarios []scenario.Scenario
	for run := range e.Runs() {
		s := e.Scenario(run)
		name := fmt.Sprintf("%s, %s, %d", e.Spec.Title, e.Spec.Strategies[run/e.Spec.Replications].Name, s.Replication)
		names, scenarios = append(names, name), append(scenarios, s)
		if run%5 == 0 {
			s.Measure.Streaming, s.Measure.Reference = true, true
			names, scenarios = append(names, name+", streamed step by step"), append(scenarios, s)
		}
	}
	err = runner.Run(t.Context(), slices.Values(scenarios), runner.Options{Builder: scenario.NewBuilder(traces), Done: func(r runner.Result) {
		if r.Err != nil {
			t.Errorf("%s: %v", names[r.Index], r.Err)
			return
		}
		g.Outcomes[names[r.Index]] = digest{hash(scenarios[r.Index].Bytes()), hash(rounded(t, r.Outcome))}
	}})
	if err != nil {
		t.Fatal(err)
	}
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

var number = regexp.MustCompile(`-?\d+(\.\d+)?(e[+-]?\d+)?`)

// rounded is an outcome with numbers of 12 significant digits.
func rounded(t *testing.T, o results.Outcome) []byte {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return number.ReplaceAllFunc(text, func(digits []byte) []byte {
		x, _ := strconv.ParseFloat(string(digits), 64)
		return strconv.AppendFloat(nil, x, 'g', 12, 64)
	})
}

func readGolden(t *testing.T) (g golden) {
	t.Helper()
	text, err := os.ReadFile(goldenFile)
	if err == nil {
		err = json.Unmarshal(text, &g)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// writeGolden refuses to forget what changed without a new revision.
func writeGolden(t *testing.T, g *golden) {
	t.Helper()
	if _, err := os.Stat(goldenFile); err == nil {
		known := readGolden(t)
		for name, now := range g.Outcomes {
			before := known.Outcomes[name]
			if known.Revision == sim.Revision && before.Scenario == now.Scenario && before.Outcome != now.Outcome {
				t.Fatalf("%s has another outcome: raise sim.Revision first", name)
			}
		}
	}
	text, err := json.MarshalIndent(g, "", "  ")
	if err == nil {
		err = os.WriteFile(goldenFile, append(text, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestGoldenCoversPolicies: every entry of every table of policies is in a golden
// scenario.
func TestGoldenCoversPolicies(t *testing.T) {
	used := map[string]bool{}
	for _, file := range []string{"policies", "hardware"} {
		f, err := experiments.Load("testdata/golden/" + file + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		e, err := f.Resolve(&scenario.Traces{})
		if err != nil {
			t.Fatal(err)
		}
		for run := range e.Runs() {
			s := e.Scenario(run)
			p := s.Pools[0].Strategy
			used["order "+s.Order], used["scheduler "+p.Scheduler] = true, true
			used["reserve "+p.Reserve], used["kv.eviction "+p.Eviction] = true, true
			if d := s.Pools[0].Deployment.Roofline; d != nil && d.Speculation != nil {
				used["speculation.method "+d.Speculation.Method] = true
			}
		}
	}
	used["order priority"], used["order vtc"], used["order vtc-oracle"] = true, true, true // in the variants with classes
	used["batching continuous"], used["batching static"] = true, used["scheduler static"]
	for _, p := range policies.Catalog() {
		if !used[p.Key+" "+p.Name] {
			t.Errorf("no golden scenario has %s = %q", p.Key, p.Name)
		}
	}
}
