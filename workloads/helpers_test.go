package workloads

import (
	"errors"
	"math"
	"testing"

	"github.com/BurntSushi/toml"

	"kneepoint/internal/strict"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// shared is where the third-party files lie that some tests read.
const shared = "../../shared"

// decode reads a [workload] table as the experiment file's reader does.
func decode(text string) (Spec, error) {
	var table map[string]any
	if err := toml.Unmarshal([]byte(text), &table); err != nil {
		return Spec{}, err
	}
	var spec Spec
	err := strict.Decode(table, &spec)
	return spec, err
}

func mustDecode(t testing.TB, text string) Spec {
	t.Helper()
	spec, err := decode(text)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// fixedLengths are tables for tests to which lengths do not matter.
const fixedLengths = "\n[input]\ntype = 'fixed'\nmean = 100\n[output]\ntype = 'fixed'\nmean = 10\n"

func mustNew(t testing.TB, text string, seed uint64) Traffic {
	t.Helper()
	traffic, err := New(mustDecode(t, text), nil, seed, 0)
	if err != nil {
		t.Fatal(err)
	}
	return traffic
}

// drain takes every request of an open loop.
func drain(traffic Traffic) []Request {
	var all []Request
	for {
		r, ok := traffic.Pop()
		if !ok {
			return all
		}
		all = append(all, r)
	}
}

// arrivalsOf keeps the times alone, of traffic of millions of requests.
func arrivalsOf(traffic Traffic) []float64 {
	var times []float64
	for {
		r, ok := traffic.Pop()
		if !ok {
			return times
		}
		times = append(times, float64(r.Arrival))
	}
}

func arrivals(requests []Request) []float64 {
	times := make([]float64, len(requests))
	for i, r := range requests {
		times[i] = float64(r.Arrival)
	}
	return times
}

func gapsOf(times []float64) []float64 {
	gaps, before := make([]float64, len(times)), 0.0
	for i, at := range times {
		gaps[i], before = at-before, at
	}
	return gaps
}

func meanAndStd(values []float64) (mean, std float64) {
	for _, v := range values {
		mean += v
	}
	mean /= float64(len(values))
	for _, v := range values {
		std += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(std / float64(len(values)))
}

// dispersion is the index of dispersion: variance over mean of the counts in
// windows of the given width.
func dispersion(times []float64, width float64) float64 {
	counts := make([]float64, int(times[len(times)-1]/width))
	for _, at := range times {
		if i := int(at / width); i < len(counts) {
			counts[i]++
		}
	}
	mean, std := meanAndStd(counts)
	return std * std / mean
}

func within(t *testing.T, what string, got, low, high float64) {
	t.Helper()
	if !(got >= low && got <= high) {
		t.Errorf("%s = %.4g, want %.4g to %.4g", what, got, low, high)
	}
}

// about checks got against want within a relative tolerance.
func about(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
		t.Errorf("%s = %.6g, want %.6g within %g %%", what, got, want, 100*tolerance)
	}
}

func badInput(t *testing.T, err error) *badinput.Error {
	t.Helper()
	var wrong *badinput.Error
	if !errors.As(err, &wrong) {
		t.Fatalf("error %v (%T) is not a *badinput.Error", err, err)
	}
	return wrong
}

// pending is a request in flight in a test's simple server.
type pending struct {
	id  int
	end units.Seconds
}

// replayed is the traffic of a trace, exactly as it was.
func replayed(trace *Trace) Traffic {
	rows := trace.begin()
	return newOpenLoop(newReplay(rows.again(), &TraceSpec{}, 1, 0), &traceLengths{rows}, trace.Requests(), math.Inf(1))
}
