package workloads

import (
	"fmt"
	"strings"
	"testing"
)

// TestEdgesOfWhatIsAllowed: the last value that is allowed is, and the next one is not.
func TestEdgesOfWhatIsAllowed(t *testing.T) {
	input := func(text string) string { return aRate + anOutput + "[input]\n" + text }
	think := func(text string) string {
		return fixedLengths + "[arrival]\nprocess = 'closed'\nconcurrency = 2\nthink_time = { " + text + " }\n"
	}
	clients := func(n int) string {
		return aRate + fixedLengths + strings.Repeat(fmt.Sprintf("[[client]]\nshare = %v\n", 1/float64(n)), n)
	}
	const own = "[[client]]\narrival = { rate = 3 }\n[[client]]\nshare = 1\n"
	for _, c := range []struct{ last, next string }{
		{input("type = 'uniform'\nmean = 9\nrange_ratio = 1"), input("type = 'uniform'\nmean = 9\nrange_ratio = 1.01")},
		{input("type = 'uniform'\nmean = 9\nrange_ratio = 0"), input("type = 'uniform'\nmean = 9\nrange_ratio = -0.01")},
		{input("type = 'lognormal'\nmean = 1000\nstd = 1"), input("type = 'lognormal'\nmean = 1000\nstd = 0.99")},
		{input("type = 'lognormal'\nmean = 10\nstd = 1000"), input("type = 'lognormal'\nmean = 10\nstd = 1001")},
		{input("type = 'lognormal_mix'\nmix = [{ w = 1, mu = 5, sigma = 0 }]"), input("type = 'lognormal_mix'\nmix = [{ w = 0, mu = 5, sigma = 0 }]")},
		{input("type = 'lognormal_mix'\nmix = [{ w = 1, mu = 5, sigma = 0 }]"), input("type = 'lognormal_mix'\nmix = [{ w = inf, mu = 5, sigma = 0 }]")},
		{input("type = 'lognormal_mix'\nmix = [{ w = 1, mu = 5, sigma = 0 }]"), input("type = 'lognormal_mix'\nmix = [{ w = 1, mu = 5, sigma = -0.1 }]")},
		{input("type = 'lognormal_mix'\nmix = [{ w = 1, mu = 5, sigma = 0 }]"), input("type = 'lognormal_mix'\nmix = [{ w = 1, mu = inf, sigma = 0 }]")},
		{think("type = 'lognormal', mean = 1, std = 0.001"), think("type = 'lognormal', mean = 1, std = 0.00099")},
		{think("type = 'lognormal', mean = 1, std = 100"), think("type = 'lognormal', mean = 1, std = 100.1")},
		{clients(mostClients), clients(mostClients + 1)},
		{aRate + fixedLengths + own, fixedLengths + "[arrival]\nprocess = 'at_once'\n" + own},
		{fixedLengths + "[arrival]\nrate = 1e-6", fixedLengths + "[arrival]\nrate = 0.9e-6"},
		{fixedLengths + "[arrival]\nrate = 1e9", fixedLengths + "[arrival]\nrate = 1.1e9"},
		{aRate + fixedLengths + "[prefix]\ndistinct = 4", aRate + fixedLengths + "[prefix]\ndistinct = 4\ncount = 1"},
		{aRate + fixedLengths + "[prefix]\ndistinct = 4", aRate + fixedLengths + "[prefix]\ndistinct = 4\ntokens = 1"},
		{"num_requests = 5\nduration = '9s'" + fixedLengths + "[arrival]\nrate = 1\nnormalize = true", "duration = '9s'" + fixedLengths + "[arrival]\nrate = 1\nnormalize = true"},
		{"duration = '9s'" + fixedLengths + "[arrival]\nrate = 1", "duration = '9s'" + fixedLengths + "[arrival]\nrate = 1\nnormalize = true"},
		{"num_requests = 5\nduration = '9s'" + fixedLengths + "[arrival]\nprocess = 'at_once'", "duration = '9s'" + fixedLengths + "[arrival]\nprocess = 'at_once'"},
	} {
		for text, allowed := range map[string]bool{c.last: true, c.next: false} {
			spec, err := decode(text)
			if err == nil {
				if !strings.Contains(text, "num_requests") && !strings.Contains(text, "duration") {
					spec.NumRequests = 5
				}
				err = spec.Validate()
			}
			if allowed != (err == nil) {
				t.Errorf("%s\nis allowed: %t, want %t: %v", text, err == nil, allowed, err)
			}
		}
	}
}

// TestWhatTrafficIs: what other packages ask of a workload before they simulate it.
func TestWhatTrafficIs(t *testing.T) {
	for name, c := range map[string]struct {
		text               string
		stationary, thinks bool
	}{
		"open":                      {aRate + fixedLengths, true, false},
		"for a duration":            {"duration = '9s'" + aRate + fixedLengths, false, false},
		"a trace":                   {aTrace, false, false},
		"at once":                   {fixedLengths + "[arrival]\nprocess = 'at_once'", false, false},
		"closed":                    {fixedLengths + "[arrival]\nprocess = 'closed'\nconcurrency = 2", true, false},
		"closed, with equal thinks": {fixedLengths + "[arrival]\nprocess = 'closed'\nconcurrency = 2\nthink_time = '3s'", true, true},
		"closed, with other thinks": {fixedLengths + "[arrival]\nprocess = 'closed'\nconcurrency = 2\nthink_time = { type = 'exponential', mean = 3 }", true, false},
		"users":                     {fixedLengths + "[session]\nturns = 3\nusers = 2", true, false},
		"users who think alike":     {fixedLengths + "[session]\nturns = 3\nusers = 2\nthink_time = '3s'", true, true},
		"sessions":                  {aRate + fixedLengths + "[session]\nturns = 3\nthink_time = '3s'", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			spec, err := decode(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := spec.Stationary(); got != c.stationary {
				t.Errorf("stationary: %t", got)
			}
			if got := spec.ThinksAlike(); got != c.thinks {
				t.Errorf("clients think alike: %t", got)
			}
		})
	}
}

// TestTimesOfATrace: a trace gives its times, or only lengths to another process; a replay at
// its own times draws what is drawn beside them.
func TestTimesOfATrace(t *testing.T) {
	for name, c := range map[string]struct {
		text         string
		times, fixed bool
		draws        string
	}{
		"its own":   {aTrace, true, true, ""},
		"a process": {aTrace + "[arrival]\nprocess = 'poisson'\nrate = 2", false, false, ""},
		"at once":   {aTrace + "[arrival]\nprocess = 'at_once'", false, true, ""},
		"even gaps": {aTrace + "[arrival]\nprocess = 'constant'\nrate = 2", false, true, ""},
		"gaps that drift": {aTrace + "[arrival]\nprocess = 'constant'\nrate = 2\nmodulation = { cv = 0.5, tau = '60s' }",
			false, false, ""},
		"no gaps":           {aTrace + "[arrival]\nprocess = 'poisson'\nrate = 'inf'", false, true, ""},
		"no trace":          {aRate + fixedLengths, false, false, ""},
		"one prefix":        {aTrace + "[prefix]\ncount = 1\ntokens = 5", true, true, ""},
		"several prefixes":  {aTrace + "[prefix]\ncount = 2\ntokens = 5", true, true, "shared prefixes"},
		"one class":         {aTrace + "[[client]]\nshare = 1", true, true, ""},
		"several classes":   {aTrace + "[[client]]\nshare = 0.5\n[[client]]\nshare = 0.5", true, true, "classes of clients"},
		"a staggered start": {aTrace + "[arrival]\nprocess = 'closed'\nconcurrency = 2", false, false, ""},
		"all at the start":  {aTrace + "[arrival]\nprocess = 'closed'\nconcurrency = 2\nstart = 'at_once'", false, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			spec, err := decode(strings.Replace(c.text, "format = 'azure'", "format = 'azure'\ntick_jitter = '0s'", 1))
			if err != nil {
				t.Fatal(err)
			}
			draws, fixed := spec.ReplayDraws()
			if got := spec.TraceTimes(); got != c.times || fixed != c.fixed || strings.Join(draws, ", ") != c.draws {
				t.Errorf("times of the trace: %t, the same in every replication: %t but for %v", got, fixed, draws)
			}
		})
	}
}

// TestTurnsAreBounded: a law of turns without a bound of its own has the greatest number.
func TestTurnsAreBounded(t *testing.T) {
	law, err := Turns{Type: "exponential", Mean: mostTurns}.law()
	if err != nil {
		t.Fatal(err)
	}
	if got := law.At(1 - 1e-12); got != mostTurns {
		t.Errorf("%d turns, want at most %d", got, mostTurns)
	}
}

// TestUncorrelatedLeavesTheBase: the table of outputs loses its correlation in the copy alone.
func TestUncorrelatedLeavesTheBase(t *testing.T) {
	base := map[string]any{"mean": 5, "correlation": 0.5}
	if got := uncorrelated(base).(map[string]any); len(got) != 1 || got["mean"] != 5 || len(base) != 2 {
		t.Errorf("%v, of %v", got, base)
	}
	if got := uncorrelated("text"); got != "text" {
		t.Errorf("%v", got)
	}
}
