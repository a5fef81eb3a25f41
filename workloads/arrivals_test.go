package workloads

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// Gaps must have mean 1/rate within 4 standard errors and their CV within 3 %.
func TestGapsHaveTheirMeanAndCV(t *testing.T) {
	const n, rate = 200_000, 8.0
	for _, c := range []struct {
		arrival string
		cv      float64
	}{
		{"process = 'poisson'", 1},
		{"process = 'constant'", 0},
		{"process = 'gamma'\nburstiness = 1.0", 1},
		{"process = 'gamma'\nburstiness = 0.25", 2},
		{"process = 'gamma'\nburstiness = 4.0", 0.5},
		{"process = 'gamma'\ncv = 3.0", 3},
		{"process = 'weibull'\ncv = 0.3", 0.3},
		{"process = 'weibull'\nburstiness = 0.25", 2},
	} {
		t.Run(c.arrival, func(t *testing.T) {
			text := fmt.Sprintf("num_requests = %d\n[arrival]\nrate = %g\n%s\n", n, rate, c.arrival)
			times := arrivalsOf(mustNew(t, text+fixedLengths, 3))
			if len(times) != n {
				t.Fatalf("%d requests, want %d", len(times), n)
			}
			mean, std := meanAndStd(gapsOf(times))
			slack := 4 * c.cv / rate / math.Sqrt(n)
			within(t, "mean gap", mean, 1/rate-slack-1e-12, 1/rate+slack+1e-12)
			within(t, "CV", std/mean, 0.97*c.cv-1e-9, 1.03*c.cv+1e-9)
		})
	}
}

func TestWeibullShape(t *testing.T) {
	// Closed forms: k = 1 is exponential; k = 2 is Rayleigh, CV² = 4/π - 1.
	// k = 1/2 has CV² = Γ(5)/Γ(3)² - 1 = 5.
	for k, cv := range map[float64]float64{1: 1, 2: math.Sqrt(4/math.Pi - 1), 0.5: math.Sqrt(5)} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			about(t, "shape", weibullShape(cv), k, 1e-9)
		})
	}
}

// Burstiness 1 is Poisson, gap by gap.
func TestBurstinessOneIsPoisson(t *testing.T) {
	poisson := arrivalsOf(mustNew(t, "[arrival]\nrate = 3"+fixedLengths, 1))
	gamma := arrivalsOf(mustNew(t, "[arrival]\nprocess = 'gamma'\nburstiness = 1\nrate = 3"+fixedLengths, 1))
	if !slices.Equal(poisson, gamma) {
		t.Error("gamma gaps of burstiness 1 differ from Poisson ones")
	}
}

func TestConstantArrivalsAreExact(t *testing.T) {
	requests := drain(mustNew(t, "duration = '10s'\n[arrival]\nprocess = 'constant'\nrate = 10"+fixedLengths, 1))
	if len(requests) != 100 {
		t.Fatalf("%d requests in 10 s at 10/s, want 100", len(requests))
	}
	for i, r := range requests {
		if want := float64(i+1) / 10; float64(r.Arrival) != want {
			t.Fatalf("request %d arrives at %v, want %v", i, float64(r.Arrival), want)
		}
	}
}

// The same unit gaps serve every rate: halving the rate doubles every time and
// leaves every length alone.
func TestRateLeavesTheRestAlone(t *testing.T) {
	text := `num_requests = 2000
[arrival]
process = "%s"
rate = %d
[input]
type = "lognormal"
mean = 500
std = 300
[output]
type = "exponential"
mean = 100`
	for _, process := range []string{"poisson", "constant", "gamma", "weibull"} {
		slow := drain(mustNew(t, fmt.Sprintf(text, process, 4), 5))
		fast := drain(mustNew(t, fmt.Sprintf(text, process, 8), 5))
		for i := range slow {
			if slow[i].Input != fast[i].Input || slow[i].Output != fast[i].Output {
				t.Fatalf("%s: request %d has other lengths at another rate", process, i)
			}
			about(t, process+" time", float64(slow[i].Arrival), 2*float64(fast[i].Arrival), 1e-12)
		}
	}
}

func TestNormalizePutsTheLastArrivalInPlace(t *testing.T) {
	for _, arrival := range []string{
		"process = 'poisson'", "process = 'gamma'\ncv = 3.0",
		"process = 'onoff'\non = '5s'\noff = '5s'", "process = 'poisson'\nmodulation = { cv = 0.5, tau = '10s' }",
	} {
		text := "num_requests = 500\n[arrival]\nrate = 4\n" + arrival + "\n"
		plain := drain(mustNew(t, text+fixedLengths, 2))
		scaled := drain(mustNew(t, text+"normalize = true"+fixedLengths, 2))
		about(t, "last arrival", float64(scaled[499].Arrival), 500.0/4, 1e-12)
		factor := scaled[499].Arrival / plain[499].Arrival
		about(t, "first arrival", float64(scaled[0].Arrival), float64(plain[0].Arrival*factor), 1e-12)
	}
}

// With Poisson gaps inside, on/off phases make an interrupted Poisson process.
// With a = 1/on, b = 1/off, r the rate inside ON and p = b/(a+b), counts over a
// long window have index of dispersion 1 + 2·r·(1-p)/(a+b) (Fischer and
// Meier-Hellstern 1993, the MMPP cookbook); a window w takes the factor
// 1 - (1-e^{-(a+b)w})/((a+b)w) on the second term.
func TestOnOffHasItsRateAndDispersion(t *testing.T) {
	const on, off, rate, horizon = 2.0, 6.0, 5.0, 400_000.0
	text := fmt.Sprintf("duration = '%gs'\n[arrival]\nprocess = 'onoff'\nrate = %g\non = '%gs'\noff = '%gs'", horizon, rate, on, off)
	times := arrivalsOf(mustNew(t, text+fixedLengths, 1))
	a, b := 1/on, 1/off
	inside, share := rate*(on+off)/on, on/(on+off)
	iod := func(w float64) float64 {
		return 1 + 2*inside*(1-share)/(a+b)*(1-(1-math.Exp(-(a+b)*w))/((a+b)*w))
	}
	slack := 4 * math.Sqrt(rate*horizon*iod(1e9)) / horizon
	within(t, "rate", float64(len(times))/horizon, rate-slack, rate+slack)
	for _, w := range []float64{0.5, 2, 20, 200} {
		about(t, fmt.Sprintf("index of dispersion at %g s", w), dispersion(times, w), iod(w), 0.1)
	}
}

// The factor has mean 1 and the given CV, and its logarithm, of variance
// ln(1+cv²), has autocorrelation 1/e after tau.
func TestModulationHasItsMeanAndCV(t *testing.T) {
	const cv, tau, n = 0.4, 50.0, 400_000
	next := drift(cv, tau, Stream(1, 0, "test"))
	speeds := make([]float64, n)
	for i := range speeds {
		var length float64
		if speeds[i], length = next(); length != tau/driftSteps {
			t.Fatalf("segment of %g s, want %g", length, tau/driftSteps)
		}
	}
	mean, std := meanAndStd(speeds)
	// n steps of tau/10 are n/20 independent values: the standard error is 0.0028.
	within(t, "mean speed", mean, 1-0.012, 1+0.012)
	about(t, "CV", std/mean, cv, 0.05)
	variance := math.Log1p(cv * cv)
	centred := func(i int) float64 { return math.Log(speeds[i]) + variance/2 }
	var lagged float64
	for i := range n - driftSteps {
		lagged += centred(i) * centred(i+driftSteps)
	}
	about(t, "autocorrelation after tau", lagged/(n-driftSteps)/variance, math.Exp(-1), 0.1)
}

// A rate factor of variance cv² that hardly changes within a window w adds
// rate·w·cv² to the index of dispersion 1 of Poisson counts.
func TestModulationReachesTheArrivals(t *testing.T) {
	const rate, cv, horizon, w = 20.0, 0.4, 200_000.0, 2.0
	text := fmt.Sprintf("duration = '%gs'\n[arrival]\nprocess = 'poisson'\nrate = %g\nmodulation = { cv = %g, tau = '60s' }", horizon, rate, cv)
	times := arrivalsOf(mustNew(t, text+fixedLengths, 4))
	about(t, "rate", float64(len(times))/horizon, rate, 0.05)
	about(t, "index of dispersion", dispersion(times, w), 1+rate*w*cv*cv, 0.1)
}

func TestClockInvertsItsSpeed(t *testing.T) {
	segments := [][2]float64{{2, 3}, {0, 5}, {1, 1}, {0.5, 100}}
	i := 0
	c := clock{next: func() (speed, length float64) { i++; return segments[i-1][0], segments[i-1][1] }}
	for _, times := range [][2]float64{{0, 0}, {2, 1}, {6, 3}, {6.5, 8.5}, {7, 9}, {8, 11}} {
		if got := c.wall(times[0]); got != times[1] {
			t.Errorf("inner time %g is wall time %g, want %g", times[0], got, times[1])
		}
	}
}

// The process starts in equilibrium: in an ON phase with probability
// on/(on+off), here 0.2; 4 standard errors of 20,000 trials are 0.0113.
func TestPhasesStartInEquilibrium(t *testing.T) {
	const trials = 20_000
	u, on := Stream(1, 0, "test"), 0.0
	for range trials {
		if speed, _ := phases(1, 4, u)(); speed > 0 {
			on++
		}
	}
	within(t, "share that starts in ON", on/trials, 0.2-0.0113, 0.2+0.0113)
}

// Input and output come from different streams: lengths of the same law are
// not the same, and not correlated.
func TestInputAndOutputAreIndependent(t *testing.T) {
	const law = "type = 'exponential'\nmean = 1000\n"
	const n = 20_000
	var product float64
	for _, r := range drain(mustNew(t, "num_requests = 20000\n[arrival]\nrate = 1\n[input]\n"+law+"[output]\n"+law, 1)) {
		product += (float64(r.Input)/1000 - 1) * (float64(r.Output)/1000 - 1)
	}
	within(t, "correlation", product/n, -4/math.Sqrt(n), 4/math.Sqrt(n))
}
