package workloads

import (
	"math"
	"strings"
	"testing"

	"kneepoint/internal/strict"
)

const (
	anInput  = "\n[input]\ntype = 'fixed'\nmean = 1\n"
	anOutput = "\n[output]\ntype = 'fixed'\nmean = 1\n"
	aRate    = "\n[arrival]\nrate = 1\n"
	aRamp    = "ramp = { strategy = 'linear', start_rps = 1, end_rps = 2 }"
	aTrace   = "\n[trace]\npath = 'x.csv'\nformat = 'azure'\n"
)

// Every table here is wrong in one way; the error names the key, and says what
// the want says.
func TestWrongWorkloads(t *testing.T) {
	arrival := func(text string) string { return anInput + anOutput + "[arrival]\n" + text }
	input := func(text string) string { return aRate + anOutput + "[input]\n" + text }
	trace := func(text string) string { return aTrace + text }
	for _, c := range []struct{ text, key, want string }{
		{"num_requests = 0" + aRate + fixedLengths, "num_requests", "greater than 0"},
		{"num_requests = -5" + aRate + fixedLengths, "num_requests", "greater than 0"},
		{"num_requests = 1.5" + aRate + fixedLengths, "num_requests", "whole number"},
		{"duration = '-1s'" + aRate + fixedLengths, "duration", "greater than 0"},
		{"too_long = 'drop'" + aRate + fixedLengths, "too_long", "reject"},
		{"num_request = 5" + aRate + fixedLengths, "num_request", "num_requests"},
		{aRate + fixedLengths + "[prefix]\ncount = 3", "prefix.tokens", "missing"},
		{aRate + fixedLengths + "[session]\nusers = 3", "session.turns", "missing"},
		{aRate + fixedLengths + "[session]\nturns = 0", "session.turns", "a number from 1 on"},
		{aRate + fixedLengths + "[session]\nturns = 1e-308", "session.turns", "a number from 1 on"},
		{aRate + fixedLengths + "[session]\nturns = { type = 'exponential', mean = 0.9 }", "session.turns.mean", "from 1 on"},
		{input("type = 'fixed'\nmean = 0.5"), "input.mean", "from 1 on"},
		{input("type = 'lognormal'\nmean = 1e-9\nstd = 1e-9"), "input.mean", "from 1 on"},
		{aRate + fixedLengths + "[session]\nturns = 'many'", "session.turns", "a number from 1 on"},
		{aRate + fixedLengths + "[session]\nturns = 20000", "session.turns", "at most 10000"},
		{aRate + fixedLengths + "[session]\nturns = { type = 'fixed' }", "session.turns.mean", "missing"},
		{aRate + fixedLengths + "[session]\nturns = 3\nusers = 2", "arrival", "session.users"},
		{aRate + fixedLengths + "[session]\nturns = 3\nthink_from = 'request'", "session.think_from", "has no effect without think_time"},
		{fixedLengths + "[session]\nturns = 3\nusers = 2\nthink_time = '1s'\nthink_from = 'request'", "session.think_from", "not supported yet with users"},
		{aRate + fixedLengths + "[session]\nturns = 3\nthink_time = '1s'\nthink_from = 'question'", "session.think_from", "answer"},
		{aRate + fixedLengths + "[session]\nturns = 3\ninput = { type = 'fixed', mean = 5 }", "input", "session.input"},
		{aRate + "[session]\nturns = 3\ninput = { type = 'fixed', mean = 5 }", "session.output", "missing"},
		{aRate + fixedLengths + "[session]\nturns = 3\nfirst_input = { type = 'fixed' }", "session.first_input.mean", "missing"},
		{aRate + fixedLengths + "[prefix]\ncount = 3\nbuckets = [{ weight = 1, count = 1, tokens = 5 }]", "prefix.buckets", "another way"},
		{aRate + fixedLengths + "[prefix]\nbuckets = []", "prefix.count", "missing"},
		{aRate + fixedLengths + "[prefix]\nbuckets = [{ weight = 1, count = 1 }]", "prefix.buckets[0].tokens", "missing"},
		{aRate + fixedLengths + "[prefix]\ndistinct = 2\n[session]\nturns = 3", "prefix.distinct", "count and tokens"},
		{trace("[session]\nturns = 3"), "session", "own requests"},
		{arrival("process = 'closed'\nconcurrency = 2") + "\n[session]\nturns = 3", "arrival.process", "session.users"},
		{arrival("process = 'at_once'") + "\n[session]\nturns = 3", "arrival", "without end"},
		{arrival("rate = 1\nnormalize = true") + "\n[session]\nturns = 3", "arrival.normalize", "not supported yet"},
		{arrival("rate = 1\nmax_concurrency = 3") + "\n[session]\nturns = 3", "arrival.max_concurrency", "not supported yet"},
		{aRate + fixedLengths + "[[client]]\npriority = 1", "client[0].share", "missing"},
		{aRate + fixedLengths + "[[client]]\nshare = 0", "client[0].share", "greater than 0"},
		{aRate + fixedLengths + "[[client]]\nshare = 1.5", "client[0].share", "at most 1"},
		{aRate + fixedLengths + "[[client]]\nshare = 0.4\n[[client]]\nshare = 0.4", "client", "sum up to 0.8"},
		{aRate + fixedLengths + "[[client]]\nshare = 0.5\nname = 'a'\n[[client]]\nshare = 0.5\nname = 'a'", "client[1].name", "unique"},
		{aRate + fixedLengths + "[[client]]\nshare = 0.5\nname = 'client 2'\n[[client]]\nshare = 0.5", "client[1].name", "unique"},
		{aRate + fixedLengths + "[[client]]\nshare = 1\npriority = 0.5", "client[0].priority", "whole number"},
		{aRate + fixedLengths + "[[client]]\nshare = 1\npriorty = 1", "client[0].priorty", `"priority"`},
		{aRate + fixedLengths + "[[client]]\nshare = 1\nslo = { ttft_ms = -1 }", "client[0].slo.ttft_ms", "negative"},
		{aRate + fixedLengths + "[[client]]\nshare = 1\nslo = { attainment = 0.9 }", "client[0].slo.attainment", "unknown key"},
		{aRate + fixedLengths + "[[client]]\nshare = 1\nslo = { itl_p99_ms = -9 }", "client[0].slo.itl_p99_ms", "negative"},
		{aRate + fixedLengths + "[[client]]\nshare = 1\ninput = { type = 'fixed' }", "client[0].input.mean", "missing"},
		{aRate + fixedLengths + "[[client]]\nshare = 1\ninput = { type = 'fixed', mean = 3 }", "input", "every client has its own"},
		{aRate + anInput + "[[client]]\nshare = 1\ninput = { type = 'fixed', mean = 3 }", "input", "every client has its own"},
		{aRate + anInput + "[[client]]\nshare = 1", "output", "missing"},
		{aRate + fixedLengths + "[[client]]\narrival = { rate = 2 }", "arrival", "every client has its own"},
		{aRate + fixedLengths + "[[client]]\narrival = { rate = 2 }\nshare = 1", "client[0].share", "no effect"},
		{fixedLengths + "[[client]]\narrival = { process = 'gamma' }", "client[0].arrival.rate", "missing"},
		{fixedLengths + "[[client]]\narrival = { process = 'closed', concurrency = 2 }", "client[0].arrival.process", "not supported yet"},
		{fixedLengths + "[[client]]\narrival = { process = 'at_once' }", "client[0].arrival.process", "one of poisson"},
		{fixedLengths + "[[client]]\narrival = { rate = 'inf' }", "client[0].arrival.rate", "not supported yet"},
		{fixedLengths + "[[client]]\narrival = { rate = 1, normalize = true }", "client[0].arrival.normalize", "not supported yet"},
		{fixedLengths + "[[client]]\narrival = { rate = 1, max_concurrency = 2 }", "client[0].arrival.max_concurrency", "not supported yet"},
		{arrival("process = 'closed'\nconcurrency = 2") + "\n[[client]]\nshare = 1\n[[client]]\narrival = { rate = 2 }", "arrival.process", "not supported yet"},
		{aRate + fixedLengths + "[session]\nturns = 3\n[[client]]\nshare = 1", "client", "not supported yet beside conversations"},
		{aRate + fixedLengths + "[prefix]\ndistinct = 3\n[[client]]\nshare = 1", "prefix.distinct", "not supported yet"},
		{trace("[[client]]\narrival = { rate = 2 }"), "client[0].arrival", "not supported yet beside a trace"},
		{trace("[[client]]\nshare = 1\ninput = { type = 'fixed', mean = 3 }"), "client[0]", "beside a trace"},

		{fixedLengths, "arrival.rate", "missing"},
		{arrival(""), "arrival.rate", "missing"},
		{arrival("process = 'gamma'"), "arrival.rate", "missing with process = gamma"},
		{arrival("process = 'poison'"), "arrival.process", `"poisson"`},
		{arrival("rate = 0"), "arrival.rate", "greater than 0"},
		{arrival("rate = -2.0"), "arrival.rate", "greater than 0"},
		{arrival("rate = inf"), "arrival.rate", `string "inf"`},
		{arrival("rate = nan"), "arrival.rate", "greater than 0"},
		{arrival("rate = 'fast'"), "arrival.rate", `string "inf"`},
		{arrival("rate = 1\nburstiness = 2.0"), "arrival.burstiness", "gamma"},
		{arrival("process = 'gamma'\nrate = 1\nburstiness = 2.0\ncv = 1.0"), "arrival.cv", "burstiness"},
		{arrival("process = 'gamma'\nrate = 1\nburstiness = 0.0"), "arrival.burstiness", "greater than 0"},
		{arrival("process = 'gamma'\nrate = 1\ncv = 1e9"), "arrival.cv", "0.001 to 100"},
		{arrival("process = 'gamma'\nrate = 1\nburstiness = 1e9"), "arrival.burstiness", "0.0001 to"},
		{arrival("process = 'onoff'\nrate = 1"), "arrival.on", "missing"},
		{arrival("process = 'onoff'\nrate = 1\non = '5s'"), "arrival.off", "missing"},
		{arrival("process = 'onoff'\nrate = 1\non = '5s'\noff = '1us'"), "arrival.off", "too short"},
		{arrival("process = 'closed'"), "arrival.concurrency", "missing"},
		{arrival("process = 'closed'\nconcurrency = 0"), "arrival.concurrency", "greater than 0"},
		{arrival("process = 'closed'\nconcurrency = 2\nrate = 1"), "arrival.rate", "no effect"},
		{arrival("process = 'closed'\nconcurrency = 2\nmax_concurrency = 1"), "arrival.max_concurrency", "no effect"},
		{arrival("process = 'closed'\nconcurrency = 2\nnormalize = true"), "arrival.normalize", "no effect"},
		{arrival("process = 'closed'\nconcurrency = 2\nthink_time = '-1s'"), "arrival.think_time", "negative"},
		{arrival("process = 'closed'\nconcurrency = 2\nthink_time = 2"), "arrival.think_time", "duration"},
		{arrival("process = 'closed'\nconcurrency = 2\nthink_time = { type = 'exponential' }"), "arrival.think_time.mean", "missing"},
		{arrival("process = 'closed'\nconcurrency = 2\nthink_time = { type = 'gamma', mean = 2 }"), "arrival.think_time.std", "missing"},
		{arrival("process = 'closed'\nconcurrency = 2\nthink_time = { type = 'uniform', min = 3 }"), "arrival.think_time.mean", "missing"},
		{arrival("process = 'closed'\nconcurrency = 2\nthink_time = { type = 'exponential', mean = 2, min = 3, max = 1 }"), "arrival.think_time.max", "less than min"},
		{arrival("process = 'poisson'\nrate = 2\nstart = 'at_once'"), "arrival.start", "no effect"},
		{"[session]\nturns = 2\nstart = 'at_once'\n[arrival]\nrate = 1\n" + fixedLengths, "session.start", "session.users"},
		{arrival("rate = 1\nconcurrency = 2"), "arrival.concurrency", "closed"},
		{arrival("rate = 1\nmax_concurrency = -1"), "arrival.max_concurrency", "negative"},
		{arrival("process = 'at_once'\nrate = 3"), "arrival.rate", "no effect"},
		{arrival("process = 'trace'"), "trace", "missing"},
		{arrival("rate = 1\nmodulation = { cv = 0.2 }"), "arrival.modulation.tau", "missing"},
		{arrival("rate = 1\nmodulation = { cv = 0.2, tau = '0s' }"), "arrival.modulation.tau", "greater than 0"},
		{arrival("rate = 1\nmodulation = { cv = 0.2, tau = '1us' }"), "arrival.modulation.tau", "too short"},
		{arrival("process = 'at_once'\nmodulation = { cv = 0.2, tau = '1s' }"), "arrival.modulation", "no effect"},
		{arrival("stages = []"), "arrival.stages", "without any request"},
		{arrival("stages = 3"), "arrival.stages", "a list"},
		{arrival("stages = [{ rate = 0, duration = '9s' }]"), "arrival.stages", "without any request"},
		{arrival("stages = [{ rate = -1, duration = '9s' }]"), "arrival.stages[0].rate", "negative"},
		{arrival("stages = [{ rate = 'inf', duration = '9s' }]"), "arrival.stages[0].rate", "finite"},
		{arrival("stages = [{ rate = 1e-7, duration = '9s' }]"), "arrival.stages[0].rate", "0, or 1e-06"},
		{arrival("stages = [{ rate = 1 }]"), "arrival.stages[0].duration", "missing"},
		{arrival("stages = [{ duration = '1s' }]"), "arrival.stages[0].rate", "missing"},
		{arrival("stages = [{ rate = 1, duration = '1us' }]"), "arrival.stages[0].duration", "too short"},
		{arrival("stages = [{ rate = 1, duration = '200d' }, { rate = 2, duration = '200d' }]"), "arrival.stages", "365d"},
		{arrival("rate = 2\nstages = [{ rate = 1, duration = '9s' }]"), "arrival.rate", "beside stages"},
		{arrival("normalize = true\nstages = [{ rate = 1, duration = '9s' }]"), "arrival.normalize", "times of stages"},
		{arrival("process = 'onoff'\non = '1s'\noff = '1s'\nstages = [{ rate = 1, duration = '9s' }]"), "arrival.stages", "process one of poisson"},
		{arrival("process = 'closed'\nconcurrency = 2\nstages = [{ rate = 1, duration = '9s' }]"), "arrival.stages", "process = closed"},
		{arrival("process = 'at_once'\nstages = [{ rate = 1, duration = '9s' }]"), "arrival.stages", "process = at_once"},
		{trace("[arrival]\nstages = [{ rate = 1, duration = '9s' }]"), "arrival.stages", "process = trace"},
		{arrival("rate = 1\nhourly = []"), "arrival.hourly", "has 0 factors"},
		{arrival("rate = 1\nhourly = [1, 2]"), "arrival.hourly", "24 factors"},
		{arrival("rate = 1\nhourly = [" + strings.Repeat("0,", 24) + "]"), "arrival.hourly", "without any request"},
		{arrival("rate = 1\nhourly = [" + strings.Repeat("1,", 23) + "-1]"), "arrival.hourly[23]", "negative"},
		{arrival("hourly = [" + strings.Repeat("1,", 24) + "]"), "arrival.rate", "missing"},
		{arrival("rate = 'inf'\nhourly = [" + strings.Repeat("1,", 24) + "]"), "arrival.rate", "all requests arrive at once"},
		{arrival("rate = 1\nhour = '1m'"), "arrival.hour", "without hourly"},
		{arrival("rate = 1\nhour = '1us'\nhourly = [" + strings.Repeat("1,", 24) + "]"), "arrival.hour", "too short"},
		{arrival("rate = 1\nramp = { strategy = 'linear' }"), "arrival.ramp.start_rps", "missing"},
		{arrival("ramp = { strategy = 'quadratic', start_rps = 1, end_rps = 2 }"), "arrival.ramp.strategy", "one of linear, exponential"},
		{arrival("ramp = { strategy = 'linear', start_rps = 0, end_rps = 2 }"), "arrival.ramp.start_rps", "greater than 0"},
		{arrival("ramp = { strategy = 'linear', start_rps = 1, end_rps = 2e9 }"), "arrival.ramp.end_rps", "out of range"},
		{arrival("rate = 3\n" + aRamp), "arrival.rate", "beside ramp"},
		{arrival(aRamp + "\nstages = [{ rate = 1, duration = '9s' }]"), "arrival.ramp", "beside stages"},
		{"duration = '9s'" + arrival(aRamp), "arrival.ramp", "needs num_requests"},
		{arrival(aRamp) + "\n[session]\nturns = 3", "arrival.ramp", "not supported yet"},
		{fixedLengths + "[[client]]\narrival = { " + aRamp + " }", "client[0].arrival.ramp", "not supported yet"},
		{"duration = '5s'" + arrival("process = 'at_once'"), "num_requests", "missing"},
		{"duration = '5s'" + arrival("rate = 1\nnormalize = true"), "arrival.normalize", "num_requests"},

		{aRate + anInput, "output", "missing"},
		{aRate + anOutput, "input", "missing"},
		{input("mean = 5"), "input.type", "missing"},
		{input("type = 'fixed'"), "input.mean", "missing"},
		{input("type = 'fixed'\nmean = 0"), "input.mean", "greater than 0"},
		{input("type = 'fixed'\nmean = 1e12"), "input.mean", "out of range"},
		{input("type = 'fixed'\nmean = 5\nstd = 1"), "input.std", "lognormal"},
		{input("type = 'normal'\nmean = 5"), "input.std", "missing"},
		{input("type = 'gamma'\nmean = 5\nstd = 5000"), "input.std", "0.001 to 100"},
		{input("type = 'uniform'"), "input.mean", "missing"},
		{input("type = 'uniform'\nrange_ratio = 0.5"), "input.mean", "missing"},
		{input("type = 'uniform'\nmean = 5\nrange_ratio = 1.5"), "input.range_ratio", "between 0 and 1"},
		{input("type = 'fixed'\nmean = 5\nmin = 9\nmax = 8"), "input.max", "less than min"},
		{input("type = 'fixed'\nmean = 5\nmin = 9"), "input.mean", "less than min = 9"},
		{input("type = 'lognormal'\nmean = 800\nstd = 400\nmax = 10"), "input.mean", "more than max = 10"},
		{input("type = 'uniform'\nmean = 800\nmax = 799"), "input.mean", "more than max = 799"},
		{input("type = 'fixed'\nmean = 5\nmin = 0"), "input.min", "greater than 0"},
		{input("type = 'fixed'\nmean = 5\nmax = 2000000000"), "input.max", "1000000000"},
		{input("type = 'lognormal_mix'"), "input.mix", "missing"},
		{input("type = 'lognormal_mix'\nmix = [{ w = 0, mu = 1, sigma = 1 }]"), "input.mix[0].w", "greater than 0"},
		{input("type = 'lognormal_mix'\nmix = [{ mu = 1, sigma = 1 }]"), "input.mix[0].w", "missing"},
		{input("type = 'empirical'"), "input.quantiles", "at least 2"},
		{input("type = 'empirical'\nquantiles = [3, 2]"), "input.quantiles", "not decrease"},
		{input("type = 'empirical'\nquantiles = [2, 3]\npercentiles = [0, 50, 100]"), "input.percentiles", "3 values for 2"},
		{input("type = 'empirical'\nquantiles = [2, 3]\npercentiles = [0, 99]"), "input.percentiles", "0 to 100"},
		{input("type = 'empirical'\nquantiles = [2, 3, 4]\npercentiles = [0, 0, 100]"), "input.percentiles[1]", "greater than the one before"},
		{input("type = 'empirical'\npath = 'q.csv'"), "input.path", "was not read"},
		{input("type = 'zipf'\nmax = 9"), "input.exponent", "missing"},
		{input("type = 'zipf'\nexponent = 1.1"), "input.max", "missing"},
		{input("type = 'zipf'\nexponent = 1.1\nmax = 2000000"), "input.max", "at most 1048575 more than min"},
		{input("type = 'fixed'\nmean = 5\nexponent = 1.1"), "input.exponent", "has no effect"},
		{input("type = 'log-normal'\nmean = 5"), "input.type", "lognormal"},

		{"[trace]\nformat = 'azure'", "trace.path", "missing"},
		{"[trace]\npath = 'x.csv'", "trace.format", "missing"},
		{"[trace]\npath = 'x'\nformat = 'servegen'\nblock_size = 16", "trace.block_size", "no effect"},
		{"[trace]\npath = 'x.csv'\nformat = 'azur'", "trace.format", `"azure"`},
		{trace("time_scale = 0"), "trace.time_scale", "greater than 0"},
		{trace("start = '5s'\nend = '4s'"), "trace.end", "later than start"},
		{trace("repeat = 0"), "trace.repeat", "greater than 0"},
		{trace("limit = -1"), "trace.limit", "negative"},
		{trace("time_unit = 's'"), "trace.time_unit", "has no effect with format"},
		{trace("tick_jitter = '-3s'"), "trace.tick_jitter", "negative"},
		{trace("block_size = 16"), "trace.block_size", "no effect"},
		{"[trace]\npath = 'x.jsonl'\nformat = 'bailian'\nblock_size = 0", "trace.block_size", "greater than 0"},
		{"[trace]\npath = 'x.jsonl'\nformat = 'mooncake'\n[prefix]\ndistinct = 3", "prefix", "hash ids"},
		{trace(anInput), "input", "own lengths"},
		{trace(anOutput), "output", "own lengths"},
		{trace("[arrival]\nnormalize = true"), "arrival.normalize", "no effect"},
	} {
		_, err := decode(c.text)
		if err == nil {
			t.Errorf("no error from\n%s", c.text)
			continue
		}
		e := badInput(t, err)
		if e.Key != c.key || !strings.Contains(e.Error(), c.want) {
			t.Errorf("%v\nshould be about %s and say %q; from\n%s", err, c.key, c.want, c.text)
		}
	}
}

// A spec that was built in Go, and never went through the reader of tables, is
// checked by New.
func TestNewValidates(t *testing.T) {
	good := func() Spec {
		return Spec{NumRequests: 3, Arrival: &ArrivalSpec{Rate: 1},
			Input: &LengthSpec{Type: "fixed", Mean: 1}, Output: &LengthSpec{Type: "fixed", Mean: 1}}
	}
	if _, err := New(good(), nil, 1, 0); err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	for key, spoil := range map[string]func(*Spec){
		"num_requests":            func(s *Spec) { s.NumRequests = -1 },
		"duration":                func(s *Spec) { s.Duration = -1 },
		"arrival.rate":            func(s *Spec) { s.Arrival.Rate = Rate(nan) },
		"arrival.process":         func(s *Spec) { s.Arrival.Process = "nonsense" },
		"arrival.burstiness":      func(s *Spec) { s.Arrival.Burstiness = nan },
		"arrival.max_concurrency": func(s *Spec) { s.Arrival.MaxConcurrency = -1 },
		"arrival.modulation.cv":   func(s *Spec) { s.Arrival.Modulation = &ModulationSpec{CV: nan, Tau: 1} },
		"input.mean":              func(s *Spec) { s.Input.Mean = nan },
		"input.min":               func(s *Spec) { s.Input.Min = -1 },
		"output.type":             func(s *Spec) { s.Output.Type = "nonsense" },
		"output.mix[0]":           func(s *Spec) { s.Output = &LengthSpec{Type: "lognormal_mix", Mix: []LognormalPart{{1, nan, 1}}} },
		"output.quantiles[1]":     func(s *Spec) { s.Output = &LengthSpec{Type: "empirical", Quantiles: []float64{1, nan}} },
	} {
		t.Run(key, func(t *testing.T) {
			spec := good()
			spoil(&spec)
			_, err := New(spec, nil, 1, 0)
			if e := badInput(t, err); e.Key != key {
				t.Errorf("error %v, want one about %s", err, key)
			}
		})
	}
}

func TestDefaults(t *testing.T) {
	spec := mustDecode(t, aRate+fixedLengths)
	if spec.TooLong != "reject" || spec.Input.Min != 1 || spec.arrival().Process != "poisson" {
		t.Errorf("defaults %+v", spec)
	}
	spec = mustDecode(t, aTrace)
	if spec.Trace.TimeScale != 1 || spec.Trace.Repeat != 1 || spec.arrival().Process != "trace" {
		t.Errorf("defaults of a trace %+v", spec.Trace)
	}
}

func TestRateSurvivesARoundTrip(t *testing.T) {
	for _, text := range []string{"rate = 2.5", "rate = 3", "rate = 'inf'"} {
		spec := mustDecode(t, "[arrival]\n"+text+fixedLengths)
		var again Rate
		if err := again.DecodeTOML(strict.Encode(spec.Arrival)["rate"]); err != nil || again != spec.Arrival.Rate {
			t.Errorf("%s came back as %v (%v)", text, again, err)
		}
	}
}

// The ends of the ranges that messages state belong to them.
func TestEndsOfRanges(t *testing.T) {
	for _, arrival := range []string{"cv = 100", "cv = 0.001", "burstiness = 0.0001", "burstiness = 1000000"} {
		for _, process := range []string{"gamma", "weibull"} {
			mustNew(t, "[arrival]\nprocess = '"+process+"'\nrate = 1\n"+arrival+fixedLengths, 1)
		}
	}
	for _, std := range []string{"500", "50000000"} {
		for _, law := range []string{"normal", "lognormal", "gamma", "weibull"} {
			mustNew(t, aRate+anInput+"[output]\ntype = '"+law+"'\nmean = 500000\nstd = "+std, 1).Pop()
		}
	}
}
