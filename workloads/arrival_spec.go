package workloads

import (
	"fmt"
	"slices"
	"strings"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

// shortest is the shortest phase of an arrival process that is simulated, in
// seconds; far below any gap that serving can feel.
const shortest = 1e-3

// The range of burstiness: a coefficient of variation of the gaps between 100
// and 0.001. What is calmer is constant; what is wilder is no traffic.
const (
	leastBurstiness = 1e-4
	mostBurstiness  = 1e6
)

// mostDrift is the largest coefficient of variation of a rate that drifts: at 100 it is
// 0.01 of its mean half of the time.
const mostDrift = 100

// ArrivalSpec is the [workload.arrival] table. Zero values mean "not given".
//
//	poisson    exponential gaps of mean 1/rate
//	gamma      gamma gaps of mean 1/rate and CV 1/sqrt(burstiness)
//	weibull    Weibull gaps of the same mean and CV
//	constant   every gap is 1/rate
//	onoff      gamma gaps in ON phases, silence in OFF phases
//	at_once    everything at time 0, as any rate of "inf"
//	closed     concurrency clients that wait for their responses
//	trace      the trace's times
//
// Every process of gaps is an ordinary renewal process that starts at time 0:
// the first request comes one gap after it. Where the rate changes it is one at rate 1 in
// the time that the integral of the rate tells; of Poisson arrivals that makes an inhomogeneous
// Poisson process.
type ArrivalSpec struct {
	Process string `toml:"process" oneof:"poisson gamma weibull constant onoff at_once closed trace"`

	// Rate is the mean offered rate over the whole run. ON phases of onoff
	// therefore see rate·(on+off)/on.
	Rate       Rate    `toml:"rate"`
	Burstiness float64 `toml:"burstiness" check:"positive" only:"process=gamma,weibull,onoff"`
	CV         float64 `toml:"cv" check:"positive" only:"process=gamma,weibull,onoff"`

	// Normalize scales time so that the last of num_requests arrives at
	// exactly num_requests / rate.
	Normalize bool `toml:"normalize"`

	Concurrency int       `toml:"concurrency" check:"positive" only:"process=closed"`
	ThinkTime   ThinkTime `toml:"think_time" only:"process=closed"`

	// Start says whether clients join over their first cycle, or all at time 0; ""
	// is the former.
	Start string `toml:"start" oneof:"staggered at_once" only:"process=closed"`

	// MaxConcurrency is how many requests the client lets be in flight; the
	// others wait at the client, first come, first served. Zero: no limit.
	MaxConcurrency int `toml:"max_concurrency" check:"nonnegative"`

	On  units.Seconds `toml:"on" check:"positive" only:"process=onoff"`
	Off units.Seconds `toml:"off" check:"positive" only:"process=onoff"`

	Modulation *ModulationSpec `toml:"modulation"`

	// The rate changes by design, in one of three ways. Stages have rates of their own, and end the
	// arrivals. Hourly has a factor for each hour of a day or a week from time 0 on, as parts of
	// their mean: Rate stays the mean. A ramp leads from one rate to another over all requests.
	Stages []StageSpec   `toml:"stages"`
	Hourly []float64     `toml:"hourly" check:"nonnegative"`
	Hour   units.Seconds `toml:"hour" check:"positive"` // 3600 s when not given
	Ramp   *RampSpec     `toml:"ramp"`
}

// ModulationSpec lets the rate drift: it is multiplied with a stationary
// log-normal factor of mean 1, coefficient of variation CV and correlation time
// Tau.
type ModulationSpec struct {
	CV  float64       `toml:"cv" check:"nonnegative" required:"true"`
	Tau units.Seconds `toml:"tau" check:"positive" required:"true"`
}

var (
	// ratedProcesses are those that a rate describes.
	ratedProcesses = []string{"poisson", "gamma", "weibull", "constant", "onoff"}
	// unratedProcesses have their times from elsewhere.
	unratedProcesses = []string{"at_once", "closed", "trace"}
)

// Validate reports what is missing or contradictory. Without a process it
// checks only what holds for all of them.
func (a *ArrivalSpec) Validate() error {
	if err := a.validateShape(); err != nil {
		return err
	}
	if a.MaxConcurrency < 0 {
		return &badinput.Error{Key: "max_concurrency", Value: a.MaxConcurrency, Problem: "must not be negative"}
	}
	if m := a.Modulation; m != nil {
		if err := badinput.Under("modulation", m.Validate()); err != nil {
			return err
		}
	}
	if err := a.validateProfile(); err != nil {
		return err
	}
	switch {
	case a.Process == "":
		return nil
	case slices.Contains(ratedProcesses, a.Process):
		return a.validateRated()
	case slices.Contains(unratedProcesses, a.Process):
		return a.validateUnrated()
	}
	all := slices.Concat(ratedProcesses, unratedProcesses)
	return &badinput.Error{Key: "process", Value: a.Process, Problem: "unknown value",
		Allowed: "one of " + strings.Join(all, ", "), Nearest: badinput.Nearest(a.Process, all)}
}

func (a *ArrivalSpec) validateShape() error {
	if a.Burstiness != 0 && a.CV != 0 {
		return &badinput.Error{Key: "cv", Value: a.CV, Problem: "says the same as burstiness = 1/cv²: give one of them"}
	}
	if b := a.burstiness(); b >= leastBurstiness && b <= mostBurstiness {
		return nil
	}
	if a.CV != 0 {
		return &badinput.Error{Key: "cv", Value: a.CV, Problem: "out of range", Allowed: "0.001 to 100"}
	}
	return &badinput.Error{Key: "burstiness", Value: a.Burstiness, Problem: "out of range", Allowed: "0.0001 to 1000000"}
}

func (a *ArrivalSpec) validateRated() error {
	switch key := a.Profile(); {
	case key == "stages" || key == "ramp":
		return nil
	case a.Rate == 0:
		return &badinput.Error{Key: "rate", Problem: "missing with process = " + a.Process,
			Allowed: `a number greater than 0, or "inf"`}
	case !(a.Rate > 0):
		return &badinput.Error{Key: "rate", Value: float64(a.Rate), Problem: `must be a number greater than 0, or "inf"`}
	case a.Process != "onoff":
		return nil
	}
	if err := longEnough("on", a.On); err != nil {
		return err
	}
	return longEnough("off", a.Off)
}

func (a *ArrivalSpec) validateUnrated() error {
	given := []struct {
		key   string
		given bool
	}{{"rate", a.Rate != 0 && !(a.Process == "at_once" && a.Rate == infinite)},
		{"normalize", a.Normalize}, {"modulation", a.Modulation != nil},
		{"max_concurrency", a.MaxConcurrency != 0 && a.Process == "closed"}}
	for _, g := range given {
		if g.given {
			return &badinput.Error{Key: g.key, Problem: "has no effect with process = " + a.Process}
		}
	}
	if a.Process == "closed" && a.Concurrency < 1 {
		return &badinput.Error{Key: "concurrency", Problem: "missing with process = closed", Allowed: "a number of clients of at least 1"}
	}
	return nil
}

// Validate reports a factor that cannot be drawn.
func (m *ModulationSpec) Validate() error {
	if !nonnegative(m.CV) || m.CV > mostDrift {
		return &badinput.Error{Key: "cv", Value: m.CV, Problem: "out of range", Allowed: fmt.Sprintf("0 to %d", mostDrift)}
	}
	return longEnough("tau", m.Tau)
}

// longEnough checks the length of a phase.
func longEnough(key string, given units.Seconds) error {
	e := &badinput.Error{Key: key, Problem: "missing", Allowed: `a duration of at least 1 ms, like "30s"`}
	switch {
	case given >= shortest && nonnegative(float64(given)):
		return nil
	case given != 0:
		e.Value, e.Problem = given.String(), "too short"
	}
	return e
}

// atOnce reports whether every request arrives at time 0.
func (a *ArrivalSpec) atOnce() bool {
	return a.Process == "at_once" || a.Rate == infinite
}

// burstiness is the shape of the gaps: 1/CV².
func (a *ArrivalSpec) burstiness() float64 {
	switch {
	case a.CV != 0:
		return 1 / (a.CV * a.CV)
	case a.Burstiness != 0:
		return a.Burstiness
	}
	return 1
}
