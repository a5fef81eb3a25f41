package workloads

import (
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

// TestSizes: traffic that lasts longer than the clock is exact, or that has more requests
// than anybody can simulate, is refused at the key that makes it so.
func TestSizes(t *testing.T) {
	const year = float64(units.Longest)
	law := &LengthSpec{Type: "fixed", Mean: 10, Min: 1}
	plain := func(change func(*Spec)) Spec {
		s := Spec{NumRequests: 1000, TooLong: "reject", Arrival: &ArrivalSpec{Rate: 1}, Input: law, Output: law}
		change(&s)
		return s
	}
	closed := func(n int, think units.Seconds) func(*Spec) {
		return func(s *Spec) {
			s.NumRequests = n
			s.Arrival = &ArrivalSpec{Process: "closed", Concurrency: 10, ThinkTime: Thinking(think)}
		}
	}
	replay := func(scale float64, repeat int) func(*Spec) {
		return func(s *Spec) {
			*s = Spec{TooLong: "reject", Trace: &TraceSpec{Path: "x", Format: "measured", TimeScale: scale, Repeat: repeat}}
		}
	}
	for name, c := range map[string]struct {
		spec Spec
		key  string // "": accepted
	}{
		"rate":                       {plain(func(s *Spec) { s.Arrival.Rate = Rate(1000 / year) }), ""},
		"rate, too low":              {plain(func(s *Spec) { s.Arrival.Rate = Rate(999 / year) }), "arrival.rate"},
		"rate of classes":            {plain(func(s *Spec) { s.Arrival, s.Client = nil, []ClientSpec{{Name: "x", Arrival: &ArrivalSpec{Rate: 1e-6}}} }), "client"},
		"rate, with a duration":      {plain(func(s *Spec) { s.Arrival.Rate, s.Duration = 1e-6, units.Longest }), ""},
		"duration":                   {plain(func(s *Spec) { s.NumRequests, s.Arrival.Rate, s.Duration = 0, 100, 1e7 }), ""},
		"duration, too many":         {plain(func(s *Spec) { s.NumRequests, s.Arrival.Rate, s.Duration = 0, 101, 1e7 }), "duration"},
		"drift":                      {plain(func(s *Spec) { s.Arrival.Modulation = &ModulationSpec{CV: 100, Tau: 0.001} }), ""},
		"drift, too wild":            {plain(func(s *Spec) { s.Arrival.Modulation = &ModulationSpec{CV: 1e308, Tau: 1} }), "arrival.modulation.cv"},
		"drift, too fast":            {plain(func(s *Spec) { s.Arrival = &ArrivalSpec{Rate: 1e-4, Modulation: &ModulationSpec{CV: 1, Tau: 0.001}} }), "arrival.modulation.tau"},
		"hours":                      {plain(func(s *Spec) { s.Arrival.Hourly, s.Arrival.Hour = aDay, 0.001 }), ""},
		"hours, too short":           {plain(func(s *Spec) { s.Arrival = &ArrivalSpec{Rate: 1e-4, Hourly: aDay, Hour: 0.001}; s.NumRequests = 2000 }), "arrival.hour"},
		"hours, too many":            {plain(func(s *Spec) { s.Arrival = &ArrivalSpec{Rate: 1e-5, Hourly: aDay} }), "arrival.rate"},
		"stages":                     {plain(func(s *Spec) { s.NumRequests, s.Arrival = 0, &ArrivalSpec{Stages: []StageSpec{{100, 1e7}}} }), ""},
		"stages, too many requests":  {plain(func(s *Spec) { s.NumRequests, s.Arrival = 0, &ArrivalSpec{Stages: []StageSpec{{101, 1e7}}} }), "arrival.stages"},
		"stages up to a number":      {plain(func(s *Spec) { s.Arrival = &ArrivalSpec{Stages: []StageSpec{{101, 1e7}}} }), ""},
		"phases":                     {plain(func(s *Spec) { s.Arrival = &ArrivalSpec{Process: "onoff", Rate: 1e-4, On: 0.05, Off: 0.05} }), ""},
		"phases, too short":          {plain(func(s *Spec) { s.Arrival = &ArrivalSpec{Process: "onoff", Rate: 4e-5, On: 0.001, Off: 0.001} }), "arrival.on"},
		"think time":                 {plain(closed(20, units.Longest)), ""},
		"think time, once too often": {plain(closed(30, units.Longest)), "arrival.think_time"},
		"trace":                      {plain(replay(1, 2)), ""},
		"trace, too slow":            {plain(replay(year, 1)), "trace.time_scale"},
		"trace, too often":           {plain(replay(1, 20_000_000)), "trace.repeat"},
		"trace, by far too often":    {plain(replay(1e-9, 1_000_000_000)), "trace.repeat"},
	} {
		t.Run(name, func(t *testing.T) {
			var trace *Trace
			if c.spec.Trace != nil {
				trace = &Trace{rows: []row{{at: 0, input: 1, output: 1}, {at: 2 * c.spec.Trace.TimeScale, input: 1, output: 1}}, passes: c.spec.Trace.Repeat, scale: c.spec.Trace.TimeScale}
			}
			_, err := New(c.spec, trace, 1, 0)
			var bad *badinput.Error
			if errors.As(err, &bad) && bad.Key != c.key || (err == nil) != (c.key == "") {
				t.Errorf("%v, want one about %q", err, c.key)
			}
		})
	}
}

// TestRequests: how many there are is known exactly unless a duration ends them, and then
// they are all sent.
func TestRequests(t *testing.T) {
	law := &LengthSpec{Type: "fixed", Mean: 10, Min: 1}
	trace := &Trace{rows: []row{{input: 1, output: 1}, {at: 1, input: 1, output: 1}}, passes: 3, scale: 1}
	measured := &TraceSpec{Path: "x", Format: "measured", TimeScale: 1, Repeat: 3}
	for name, c := range map[string]struct {
		spec  Spec
		trace *Trace
		n     int
		exact bool
	}{
		"a number":                    {Spec{NumRequests: 7, Arrival: &ArrivalSpec{Rate: 1}, Input: law, Output: law}, nil, 7, true},
		"none":                        {Spec{Arrival: &ArrivalSpec{Rate: 1}, Input: law, Output: law}, nil, DefaultRequests, true},
		"a duration":                  {Spec{Duration: 5, Arrival: &ArrivalSpec{Rate: 2.1}, Input: law, Output: law}, nil, 11, false},
		"both":                        {Spec{NumRequests: 7, Duration: 5, Arrival: &ArrivalSpec{Rate: 2.1}, Input: law, Output: law}, nil, 7, false},
		"a trace":                     {Spec{Trace: measured}, trace, 6, true},
		"more than a trace has":       {Spec{NumRequests: 7, Trace: measured}, trace, 6, true},
		"a trace's lengths":           {Spec{NumRequests: 7, Trace: measured, Arrival: &ArrivalSpec{Process: "poisson", Rate: 1}}, trace, 7, true},
		"a part of a trace":           {Spec{NumRequests: 4, Trace: measured}, trace, 4, true},
		"conversations":               {Spec{NumRequests: 7, Arrival: &ArrivalSpec{Rate: 1}, Session: &SessionSpec{Turns: Turns{Type: "fixed", Mean: 3, Min: 1}}, Input: law, Output: law}, nil, 7, true},
		"classes of their own":        {Spec{NumRequests: 7, Client: []ClientSpec{{Name: "x", Arrival: &ArrivalSpec{Rate: 1}}}, Input: law, Output: law}, nil, 7, true},
		"a duration of a closed loop": {Spec{Duration: 5, Arrival: &ArrivalSpec{Process: "closed", Concurrency: 2}, Input: law, Output: law}, nil, DefaultRequests, false},
	} {
		t.Run(name, func(t *testing.T) {
			c.spec.TooLong = "reject"
			n, exact := c.spec.Requests(c.trace)
			if n != c.n || exact != c.exact {
				t.Errorf("%d, %t; want %d, %t", n, exact, c.n, c.exact)
			}
			if !exact {
				return
			}
			traffic, err := New(c.spec, c.trace, 1, 0)
			if err != nil {
				t.Fatal(err)
			}
			sent := 0
			for r, ok := traffic.Pop(); ok; r, ok = traffic.Pop() {
				traffic.Done(r.ID, r.Arrival+1)
				sent++
			}
			if sent != n {
				t.Errorf("%d are sent, want %d", sent, n)
			}
		})
	}
}

// zeros is a text without an end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestBoundedTrace: a trace without an end, or that unpacks to one, is refused after what fits
// in memory.
func TestBoundedTrace(t *testing.T) {
	header := "arrival_s,prompt_tokens,output_tokens\n"
	for name, c := range map[string]struct {
		text io.Reader
		want string
	}{
		"a device":            {io.LimitReader(zeros{}, 20<<20), "16 MiB for a row"},
		"a row of zeros":      {io.MultiReader(strings.NewReader(header), io.LimitReader(zeros{}, 20<<20)), "16 MiB for a row"},
		"a quote":             {strings.NewReader(header + `0,1,"` + strings.Repeat("\n0,1,1", 3_000_000)), "16 MiB for a row"},
		"an arrival of 1e308": {strings.NewReader(header + "0,1,1\n1e308,1,1\n"), "would arrive after 1e+308 s"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "trace.csv.gz")
			file, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			packed := gzip.NewWriter(file)
			if _, err := io.Copy(packed, c.text); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(packed.Close(), file.Close()); err != nil {
				t.Fatal(err)
			}
			_, err = LoadTrace(path, TraceSpec{Path: path, Format: "measured", TimeScale: 1, Repeat: 1})
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}
