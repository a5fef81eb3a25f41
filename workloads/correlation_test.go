package workloads

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"kneepoint/internal/effort"
)

// spearman is the rank correlation: that of the midranks, in which equal values share the
// mean of their ranks.
func spearman(x, y []float64) float64 { return pearson(midranksOf(x), midranksOf(y)) }

func midranksOf(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	ranks := make([]float64, len(values))
	for from := 0; from < len(order); {
		end := from
		for end < len(order) && values[order[end]] == values[order[from]] {
			end++
		}
		for _, i := range order[from:end] {
			ranks[i] = float64(from+end) / 2
		}
		from = end
	}
	return ranks
}

func pearson(x, y []float64) float64 {
	meanX, stdX := meanAndStd(x)
	meanY, stdY := meanAndStd(y)
	sum := 0.0
	for i := range x {
		sum += (x[i] - meanX) * (y[i] - meanY)
	}
	return sum / float64(len(x)) / stdX / stdY
}

// lengthsOf are the inputs and outputs of n requests.
func lengthsOf(t *testing.T, s Spec, n int) (inputs, outputs []float64) {
	t.Helper()
	s.NumRequests = n
	if s.Arrival == nil && s.Session == nil {
		s.Arrival = &ArrivalSpec{Process: "poisson", Rate: 1}
	}
	traffic, err := New(s, nil, 3, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range drain(traffic) {
		inputs, outputs = append(inputs, float64(r.Input)), append(outputs, float64(r.Output))
	}
	return inputs, outputs
}

// correlatedLaws are one of each type, and some of which many lengths are equal.
var correlatedLaws = map[string]LengthSpec{
	"uniform":           {Type: "uniform", Mean: 1000, RangeRatio: 0.5},
	"normal":            {Type: "normal", Mean: 1000, Std: 100},
	"lognormal":         {Type: "lognormal", Mean: 800, Std: 400},
	"exponential":       {Type: "exponential", Mean: 5000},
	"gamma":             {Type: "gamma", Mean: 1000, Std: 700},
	"weibull":           {Type: "weibull", Mean: 1000, Std: 1500},
	"mixture":           {Type: "lognormal_mix", Mix: []LognormalPart{{1, 7, 0.3}, {3, 5, 0.5}, {2, 6, 0}}},
	"empirical":         {Type: "empirical", Quantiles: []float64{100, 300, 700}},
	"few values":        {Type: "uniform", Min: 1, Max: 3},
	"two values":        {Type: "empirical", Quantiles: []float64{7, 7, 90, 90}, Percentiles: []float64{0, 70, 70.001, 100}},
	"half at the bound": {Type: "normal", Mean: 800, Std: 200, Max: 800},
}

// TestRankCorrelation: draws have the rank correlation that the table asks for, ties
// counted, whatever the laws; both laws stay what they are.
func TestRankCorrelation(t *testing.T) {
	n := effort.Times(t, 40_000)
	slack := 4 / math.Sqrt(float64(n))
	for name, law := range correlatedLaws {
		t.Run(name, func(t *testing.T) {
			for _, c := range []struct {
				input, output LengthSpec
				rho           float64
			}{{law, correlatedLaws["gamma"], 0.6}, {correlatedLaws["gamma"], law, -0.4}, {law, law, 0.75}, {correlatedLaws["few values"], law, 0.3}} {
				free := Spec{Input: &c.input, Output: &c.output}
				inputs, outputs := lengthsOf(t, free, n)
				coupled := c.output
				coupled.Correlation = c.rho
				same, correlated := lengthsOf(t, Spec{Input: &c.input, Output: &coupled}, n)
				within(t, name+": rank correlation", spearman(same, correlated), c.rho-slack*(1-c.rho*c.rho)-0.003, c.rho+slack*(1-c.rho*c.rho)+0.003)
				within(t, name+": rank correlation without", spearman(inputs, outputs), -slack, slack)
				if !slices.Equal(inputs, same) {
					t.Errorf("%s: a correlation of the outputs changes inputs", name)
				}
				slices.Sort(outputs)
				slices.Sort(correlated)
				for _, p := range []float64{0.05, 0.3, 0.5, 0.8, 0.95} {
					low, high := outputs[int(max(0, p-slack)*float64(n))], outputs[min(n-1, int((p+slack)*float64(n)))]
					within(t, name+": quantile", correlated[int(p*float64(n))], low, high)
				}
			}
		})
	}
}

// TestCorrelationOfTurns: the answer of a turn follows what is new in its prompt.
func TestCorrelationOfTurns(t *testing.T) {
	n := effort.Times(t, 40_000)
	const rho = 0.7
	slack := 4*(1-rho*rho)/math.Sqrt(float64(n)) + 0.003
	output := correlatedLaws["gamma"]
	output.Correlation = rho
	first, input := correlatedLaws["uniform"], correlatedLaws["lognormal"]
	law, err := newConversationLaw(&Spec{Output: &output, Session: &SessionSpec{Turns: Turns{Type: "fixed", Mean: 2}, FirstInput: &first, Input: &input}}, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	var x, y [2][]float64
	for range n {
		for i, turn := range law.draw().turns {
			x[i], y[i] = append(x[i], float64(turn.input)), append(y[i], float64(turn.output))
		}
	}
	for i := range x {
		within(t, "rank correlation of a turn", spearman(x[i], y[i]), rho-slack, rho+slack)
	}
}

func TestCorrelationRefuses(t *testing.T) {
	const input = "[arrival]\nprocess = 'poisson'\nrate = 1\n[input]\ntype = 'gamma'\nmean = 500\nstd = 300\n"
	output := func(text string) string { return input + "[output]\n" + text }
	for _, c := range []struct{ text, key, says string }{
		{output("type = 'exponential'\nmean = 5\ncorrelation = 1.5"), "output.correlation", "out of range"},
		{output("type = 'fixed'\nmean = 5\ncorrelation = 0.5"), "output.correlation", "neither is fixed"},
		{strings.ReplaceAll(output("type = 'exponential'\nmean = 5\ncorrelation = 0.5"), "'gamma'\nmean = 500\nstd = 300", "'fixed'\nmean = 5"), "output.correlation", "neither is fixed"},
		{output("type = 'uniform'\nmin = 1\nmax = 2\ncorrelation = 0.95"), "output.correlation", "0 to 0.86"},
		{output("type = 'uniform'\nmin = 1\nmax = 2\ncorrelation = -0.95"), "output.correlation", "0 to -0.86"},
		{strings.Replace(output("type = 'exponential'\nmean = 5"), "std = 300", "std = 300\ncorrelation = 0.5", 1), "input.correlation", "only in the table of an output"},
		{output("type = 'exponential'\nmean = 5\n[session.turns]\ntype = 'exponential'\nmean = 3\ncorrelation = 0.2"), "session.turns.correlation", "only in the table of an output"},
		{output("type = 'exponential'\nmean = 5\ncorrelation = 0.2\n[prefix]\ndistinct = 4"), "output.correlation", "prefix.distinct"},
	} {
		t.Run(c.says, func(t *testing.T) {
			spec, err := decode(c.text)
			if err == nil {
				_, err = New(spec, nil, 1, 0)
			}
			if err == nil {
				t.Fatalf("accepted: %s", c.text)
			}
			if wrong := badInput(t, err); wrong.Key != c.key || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %s: %s", err, c.key, c.says)
			}
		})
	}
}

// TestBuiltinsHaveTheRankCorrelationOfTheirData, as far as it is told from none.
func TestBuiltinsHaveTheRankCorrelationOfTheirData(t *testing.T) {
	for name, want := range map[string]float64{"bwb": 0.805, "arxiv-summarization": -0.114} {
		t.Run(name, func(t *testing.T) {
			inputs, outputs := lengthsOf(t, builtinSpec(t, name), 50_000)
			within(t, name, spearman(inputs, outputs), want-0.02, want+0.02)
			t.Logf("%s: rank correlation %.3f, Pearson's %.3f", name, spearman(inputs, outputs), pearson(inputs, outputs))
		})
	}
}
