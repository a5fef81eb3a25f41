package workloads

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// A day with a quiet night and a spike at 14:00, in hours of 100 s.
var aDay = []float64{1, 1, 0, 0, 0, 1, 2, 4, 6, 8, 8, 8, 7, 9, 20, 9, 8, 8, 6, 4, 3, 2, 1, 1}

func hourly(rate float64) string {
	factors := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(aDay)), ","), "[]")
	return fmt.Sprintf("rate = %g\nhour = '100s'\nhourly = [%s]\n", rate, factors)
}

const fourStages = "stages = [{ rate = 2, duration = '100s' }, { rate = 0, duration = '50s' }, " +
	"{ rate = 20, duration = '100s' }, { rate = 5, duration = '30s' }]\n"

// inUnits are the times of requests in the time in which arrivals come at rate 1: the integral of
// the rate.
func inUnits(a *ArrivalSpec, times []float64) []float64 {
	units := make([]float64, len(times))
	for i, at := range times {
		units[i] = a.expected(at)
	}
	return units
}

// TestProfilesKeepTheirLaw: in the time that the integral of the rate tells, gaps have the law
// that they have at rate 1, whatever the rate did. The largest distance of n gaps from an
// exponential law exceeds 1.95/√n in one of a thousand runs (Kolmogorov); gaps of other laws have
// their CV.
func TestProfilesKeepTheirLaw(t *testing.T) {
	const n = 20_000
	for name, arrival := range map[string]string{
		"hourly": hourly(8),
		"stages": strings.ReplaceAll(strings.ReplaceAll(fourStages, "100s", "1000s"), "rate = 5, duration = '30s'", "rate = 1, duration = '9d'"),
	} {
		t.Run(name, func(t *testing.T) {
			text := func(process string) string {
				return fmt.Sprintf("num_requests = %d\n[arrival]\n%s\n%s", n, arrival, process)
			}
			spec := mustDecode(t, text("")+fixedLengths)
			gaps := gapsOf(inUnits(spec.Arrival, arrivalsOf(mustNew(t, text("process = 'poisson'")+fixedLengths, 7))))
			slices.Sort(gaps)
			distance := 0.0
			for i, gap := range gaps {
				distance = max(distance, math.Abs(1-math.Exp(-gap)-float64(i)/n), math.Abs(1-math.Exp(-gap)-float64(i+1)/n))
			}
			within(t, "distance from the exponential law", distance, 0, 1.95/math.Sqrt(n))
			for _, cv := range []float64{0.3, 2} {
				for _, process := range []string{"gamma", "weibull"} {
					gaps := gapsOf(inUnits(spec.Arrival, arrivalsOf(mustNew(t, text(fmt.Sprintf("process = '%s'\ncv = %g", process, cv))+fixedLengths, 7))))
					mean, std := meanAndStd(gaps)
					within(t, process+" mean", mean, 1-4*cv/math.Sqrt(n), 1+4*cv/math.Sqrt(n))
					within(t, process+" CV", std/mean, 0.95*cv, 1.05*cv)
				}
			}
		})
	}
}

// TestCountsOfProfiles: in each stage, and each hour of many days, as many requests come as the
// integral of the rate says, within 4 standard deviations of a Poisson count, and none without a rate.
func TestCountsOfProfiles(t *testing.T) {
	for _, c := range []struct {
		text   string
		bounds []float64 // between which requests are counted, from 0 on
		want   []float64
		period float64
	}{
		{"[arrival]\n" + fourStages, []float64{100, 150, 250, 280, 1e9}, []float64{200, 0, 2000, 150, 0}, 1e9},
		{"duration = '48000s'\n[arrival]\n" + hourly(4), []float64{100, 200, 500, 700, 800, 1400, 1500, 2400},
			[]float64{20 * 400 * 24. / 117, 20 * 400 * 24. / 117, 0, 3 * 20 * 400 * 24. / 117, 4 * 20 * 400 * 24. / 117, 46 * 20 * 400 * 24. / 117,
				20 * 20 * 400 * 24. / 117, 42 * 20 * 400 * 24. / 117}, 2400},
	} {
		counts := make([]float64, len(c.bounds))
		for _, at := range arrivalsOf(mustNew(t, c.text+fixedLengths, 3)) {
			counts[slices.IndexFunc(c.bounds, func(bound float64) bool { return math.Mod(at, c.period) <= bound })]++
		}
		for i, want := range c.want {
			within(t, fmt.Sprintf("%.20s: requests up to %g s", c.text, c.bounds[i]), counts[i], want-4*math.Sqrt(want), want+4*math.Sqrt(want))
		}
	}
}

// TestConstantGapsOfStages: each request comes when the integral of the rate is its number, and
// the last one where the stages end.
func TestConstantGapsOfStages(t *testing.T) {
	const stages = "stages = [{ rate = 0.5, duration = '4s' }, { rate = 0, duration = '10s' }, { rate = 2, duration = '1500ms' }]"
	want := []float64{2, 4, 14.5, 15, 15.5}
	times := arrivalsOf(mustNew(t, "[arrival]\nprocess = 'constant'\n"+stages+fixedLengths, 1))
	if !slices.Equal(times, want) {
		t.Errorf("requests come at %v, want %v", times, want)
	}
	for text, n := range map[string]int{"num_requests = 3\n": 3, "num_requests = 9\n": 5, "duration = '15s'\n": 4, "duration = '99s'\n": 5} {
		if times := arrivalsOf(mustNew(t, text+"[arrival]\nprocess = 'constant'\n"+stages+fixedLengths, 1)); !slices.Equal(times, want[:n]) {
			t.Errorf("%s: requests come at %v, want %v", text, times, want[:n])
		}
	}
}

// TestEqualFactors: an hour like all others, and one stage, are no change of the rate.
func TestEqualFactors(t *testing.T) {
	plain := arrivalsOf(mustNew(t, "num_requests = 500\n[arrival]\nrate = 4"+fixedLengths, 1))
	for _, arrival := range []string{
		"rate = 4\nhourly = [" + strings.Repeat("3,", 168) + "]\nhour = '2s'",
		"stages = [{ rate = 4, duration = '100s' }, { rate = 4, duration = '900s' }]",
		"ramp = { strategy = 'linear', start_rps = 4, end_rps = 4 }", "ramp = { strategy = 'exponential', start_rps = 4, end_rps = 4 }",
	} {
		for i, at := range arrivalsOf(mustNew(t, "num_requests = 500\n[arrival]\n"+arrival+fixedLengths, 1)) {
			about(t, fmt.Sprintf("%s: request %d", arrival, i), at, plain[i], 1e-12)
		}
	}
}

// TestModulatedStages: a rate that drifts is multiplied with the stages as they are in time: none
// come without a rate, and over many runs each stage has its mean, whose standard error is that of
// the drift: over a time T its mean has a variance of cv²·2τ/T·(1 - τ/T), but for terms of e^(-T/τ).
func TestModulatedStages(t *testing.T) {
	const runs = 400
	counts, busy := [4]float64{}, []float64{}
	spec := mustDecode(t, "[arrival]\nmodulation = { cv = 0.3, tau = '10s' }\n"+fourStages+fixedLengths)
	for replication := range runs {
		traffic, err := New(spec, nil, 1, replication)
		if err != nil {
			t.Fatal(err)
		}
		before := counts[2]
		for _, at := range arrivalsOf(traffic) {
			counts[slices.IndexFunc([]float64{100, 150, 250, 280}, func(bound float64) bool { return at <= bound })]++
		}
		busy = append(busy, counts[2]-before)
	}
	_, std := meanAndStd(busy)
	about(t, "standard deviation of the requests of the third stage", std/2000, math.Sqrt(0.09*0.2*0.9+1./2000), 0.2)
	for i, want := range []float64{200, 0, 2000, 150} {
		slack := 4 * want * 0.3 * math.Sqrt(2*10/30./runs) // of the shortest stage
		within(t, fmt.Sprintf("mean requests of stage %d", i), counts[i]/runs, want-slack, want+slack)
	}
	if counts[1] > 0 {
		t.Errorf("%v requests without a rate", counts[1])
	}
}

// TestRamp: the gap before request i of n is one at the rate that is its own, and the mean rate is
// that of a run.
func TestRamp(t *testing.T) {
	const n = 5000
	for strategy, rateOf := range map[string]func(p float64) float64{
		"linear":      func(p float64) float64 { return 2 + 18*p },
		"exponential": func(p float64) float64 { return 2 * math.Pow(10, p) },
	} {
		text := fmt.Sprintf("num_requests = %d\n[arrival]\nramp = { strategy = '%s', start_rps = 2, end_rps = 20 }\n", n, strategy)
		ramped, plain := arrivalsOf(mustNew(t, text+fixedLengths, 2)), arrivalsOf(mustNew(t, fmt.Sprintf("num_requests = %d\n[arrival]\nrate = 1", n)+fixedLengths, 2))
		want := gapsOf(plain)
		for i, gap := range gapsOf(ramped) {
			about(t, fmt.Sprintf("%s: gap %d", strategy, i), gap, want[i]/rateOf(float64(i)/(n-1)), 1e-6)
		}
		spec := mustDecode(t, text+fixedLengths)
		even := arrivalsOf(mustNew(t, text+"process = 'constant'"+fixedLengths, 2))
		about(t, strategy+": mean rate", spec.OfferedRate(), n/even[n-1], 1e-3)
		about(t, strategy+": span", float64(spec.Span()), even[n-1], 1e-3)
	}
	if times := arrivalsOf(mustNew(t, "num_requests = 1\n[arrival]\nprocess = 'constant'\nramp = { strategy = 'linear', start_rps = 4, end_rps = 1 }"+fixedLengths, 2)); times[0] != 0.25 {
		t.Errorf("the only request of a ramp comes at %v, want 0.25", times[0])
	}
}

// TestProfilesOfClients: each has its own, and a stream that has ended holds up nobody.
func TestProfilesOfClients(t *testing.T) {
	const text = "[[client]]\narrival = { process = 'constant', stages = [{ rate = 1, duration = '3s' }] }\n" +
		"[[client]]\narrival = { process = 'constant', stages = [{ rate = 0, duration = '2s' }, { rate = 1, duration = '3s' }] }\n"
	if times := arrivalsOf(mustNew(t, fixedLengths+text, 1)); !slices.Equal(times, []float64{1, 2, 3, 3, 4, 5}) {
		t.Errorf("requests come at %v", times)
	}
	const endless = text + "[[client]]\narrival = { process = 'constant', rate = 0.1 }\n"
	if n := len(drain(mustNew(t, fixedLengths+endless, 1))); n != DefaultRequests {
		t.Errorf("%d requests where one stream never ends, want %d", n, DefaultRequests)
	}
}

// TestConversationsOfStages: stages say when conversations start, and those that have started go on.
func TestConversationsOfStages(t *testing.T) {
	traffic := mustNew(t, fixedLengths+"[session]\nturns = 3\nthink_time = '10s'\n[arrival]\nprocess = 'constant'\nstages = [{ rate = 1, duration = '2s' }]", 1)
	n := 0
	for r, ok := traffic.Pop(); ok; r, ok = traffic.Pop() {
		traffic.Done(r.ID, r.Arrival+1)
		n++
	}
	if n != 6 {
		t.Errorf("%d turns of two conversations, want 6", n)
	}
}

// TestSpansOfProfiles: what is known of the size of a run before it.
func TestSpansOfProfiles(t *testing.T) {
	for name, c := range map[string]struct {
		text             string
		requests         int
		exact            bool
		span             float64
		nominal, offered float64
	}{
		"stages":         {"[arrival]\n" + fourStages, 2350, false, 280, 2350. / 280, 2350. / 280},
		"a part of them": {"num_requests = 1200\n[arrival]\n" + fourStages, 1200, false, 200, 2350. / 280, 6},
		"for a time":     {"duration = '100s'\n[arrival]\n" + fourStages, 200, false, 100, 2350. / 280, 2},
		"for too long":   {"duration = '1h'\n[arrival]\n" + fourStages, 2350, false, 280, 2350. / 280, 2350. / 280},
		"a day":          {"duration = '2400s'\n[arrival]\n" + hourly(4), 9600, false, 2400, 4, 4},
		"a night":        {"duration = '700s'\n[arrival]\n" + hourly(4), 411, false, 700, 4, 411. / 700},
		"by number":      {"num_requests = 9600\n[arrival]\n" + hourly(4), 9600, true, 2400, 4, 4},
		"a quiet start":  {"num_requests = 164\n[arrival]\n" + hourly(4), 164, true, 200, 4, 0.82},
		"a ramp":         {"num_requests = 100\n[arrival]\nramp = { strategy = 'linear', start_rps = 5, end_rps = 5 }\n", 100, true, 20, 5, 5},
		"conversations":  {"[session]\nturns = 3\n[arrival]\n" + fourStages, 7050, false, 280, 2350. / 280, 2350. / 280},
		"with others": {"num_requests = 480\n[[client]]\narrival = { rate = 4 }\n[[client]]\narrival = { stages = [{ rate = 2, duration = '60s' }] }",
			480, true, 90, 6, 480. / 90},
	} {
		t.Run(name, func(t *testing.T) {
			spec := mustDecode(t, c.text+fixedLengths)
			n, exact := spec.Requests(nil)
			if n != c.requests || exact != c.exact {
				t.Errorf("%d requests, %t, want %d, %t", n, exact, c.requests, c.exact)
			}
			about(t, "span", float64(spec.Span()), c.span, 1e-3)
			about(t, "nominal rate", spec.OfferedRate(), c.nominal, 1e-9)
			about(t, "mean rate", spec.MeanRate(), c.offered, 2e-3)
			if spec.Stationary() {
				t.Error("has a steady state")
			}
		})
	}
}
