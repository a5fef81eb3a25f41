package workloads

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/units"
)

// serve runs traffic against a server that takes the given time for every
// request, and returns the requests and the most that were in flight at once.
func serve(t *testing.T, traffic Traffic, service units.Seconds) (served []Request, most int) {
	t.Helper()
	var inFlight []pending
	for {
		at, ok := traffic.Peek()
		if len(inFlight) > 0 && (!ok || inFlight[0].end <= at) {
			traffic.Done(inFlight[0].id, inFlight[0].end)
			inFlight = inFlight[1:]
			continue
		}
		if !ok {
			return served, most
		}
		r, popped := traffic.Pop()
		if !popped || r.Arrival != at {
			t.Fatalf("request %d arrives at %v, announced for %v (%t)", r.ID, r.Arrival, at, popped)
		}
		served = append(served, r)
		inFlight = append(inFlight, pending{r.ID, r.Arrival + service})
		most = max(most, len(inFlight))
	}
}

func TestTrafficIsDeterministic(t *testing.T) {
	for _, name := range Names() {
		traffic := builtinTraffic(t, name)
		if !reflect.DeepEqual(drain(traffic(1)), drain(traffic(1))) {
			t.Errorf("%s: the same seed gave other requests", name)
		}
		if reflect.DeepEqual(drain(traffic(1)), drain(traffic(2))) {
			t.Errorf("%s: another seed gave the same requests", name)
		}
	}
}

func TestReplicationsDiffer(t *testing.T) {
	spec := mustDecode(t, "[arrival]\nrate = 1"+fixedLengths)
	first, err := New(spec, nil, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	second, err := New(spec, nil, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	a, b := drain(first), drain(second)
	if len(a) != DefaultRequests {
		t.Errorf("%d requests by default, want %d", len(a), DefaultRequests)
	}
	if slices.Equal(arrivals(a), arrivals(b)) {
		t.Error("two replications have the same arrivals")
	}
}

func TestAtOnce(t *testing.T) {
	for _, arrival := range []string{"process = 'at_once'", "rate = 'inf'", "process = 'gamma'\nrate = 'inf'\ncv = 2.0", "process = 'at_once'\nrate = 'inf'"} {
		traffic := mustNew(t, "num_requests = 5\n[arrival]\n"+arrival+fixedLengths, 1)
		for _, r := range drain(traffic) {
			if r.Arrival != 0 || r.Planned != 0 {
				t.Errorf("%s: request %d arrives at %v", arrival, r.ID, r.Arrival)
			}
		}
		if !traffic.OpenLoop() {
			t.Errorf("%s: not an open loop", arrival)
		}
	}
}

func TestOpenLoopProperties(t *testing.T) {
	processes := []string{"poisson", "constant", "gamma", "weibull", "onoff", "at_once"}
	rapid.Check(t, func(t *rapid.T) {
		process := rapid.SampledFrom(processes).Draw(t, "process")
		n := rapid.IntRange(1, 300).Draw(t, "n")
		spec := Spec{NumRequests: n, Input: &LengthSpec{Type: "exponential", Mean: 20, Max: 50},
			Output: &LengthSpec{Type: "fixed", Mean: 7}, Arrival: &ArrivalSpec{Process: process}}
		if process != "at_once" {
			spec.Arrival.Rate = Rate(rapid.Float64Range(1e-3, 1e4).Draw(t, "rate"))
		}
		if process == "onoff" {
			spec.Arrival.On = units.Seconds(rapid.Float64Range(1, 100).Draw(t, "on"))
			spec.Arrival.Off = units.Seconds(rapid.Float64Range(1, 100).Draw(t, "off"))
		}
		traffic, err := New(spec, nil, rapid.Uint64().Draw(t, "seed"), 0)
		if err != nil {
			t.Fatal(err)
		}
		requests := drain(traffic)
		if len(requests) != n {
			t.Fatalf("%d requests, want %d", len(requests), n)
		}
		before := units.Seconds(0)
		for i, r := range requests {
			if r.ID != i || r.Arrival < before || r.Arrival != r.Planned || r.Input < 1 || r.Input > 50 || r.Output != 7 {
				t.Fatalf("request %d is %+v after one at %v", i, r, before)
			}
			before = r.Arrival
		}
	})
}

func TestDurationAndNumberWhicheverIsFirst(t *testing.T) {
	for text, want := range map[string]int{
		"num_requests = 7":                    7,
		"duration = '3s'":                     6,
		"num_requests = 7\nduration = '3s'":   6,
		"num_requests = 7\nduration = '300s'": 7,
	} {
		t.Run(text, func(t *testing.T) {
			requests := drain(mustNew(t, text+"\n[arrival]\nprocess = 'constant'\nrate = 2"+fixedLengths, 1))
			if len(requests) != want {
				t.Errorf("%q gives %d requests, want %d", text, len(requests), want)
			}
		})
	}
}

func TestClosedLoop(t *testing.T) {
	for _, c := range []struct {
		clients int
		think   string
		n       int
	}{{1, "0s", 10}, {4, "0s", 50}, {4, "2.5s", 50}, {8, "1s", 5}} {
		text := fmt.Sprintf("num_requests = %d\n[arrival]\nprocess = 'closed'\nstart = 'at_once'\nconcurrency = %d\nthink_time = %q", c.n, c.clients, c.think)
		traffic := mustNew(t, text+fixedLengths, 1)
		if traffic.OpenLoop() {
			t.Error("a closed loop says that it is open")
		}
		think, err := units.ParseSeconds(c.think)
		if err != nil {
			t.Fatal(err)
		}
		const service = 3
		served, most := serve(t, traffic, service)
		if len(served) != c.n {
			t.Fatalf("%+v: %d requests served", c, len(served))
		}
		if most != min(c.clients, c.n) {
			t.Errorf("%+v: %d in flight at most", c, most)
		}
		for i, r := range served {
			// All clients start at 0 and are served alike, so they stay in rounds.
			want := units.Seconds(i/c.clients) * (service + think)
			if r.ID != i || r.Arrival != want || r.Planned != want {
				t.Errorf("%+v: request %d is %+v, want it at %v", c, i, r, want)
			}
		}
	}
}

func TestClosedLoopEndsWithItsDuration(t *testing.T) {
	traffic := mustNew(t, "duration = '10s'\n[arrival]\nprocess = 'closed'\nstart = 'at_once'\nconcurrency = 2"+fixedLengths, 1)
	served, _ := serve(t, traffic, 3)
	if len(served) != 8 { // two clients, at 0, 3, 6 and 9
		t.Errorf("%d requests in 10 s, want 8", len(served))
	}
}

// Requests that end out of order free their clients at their own times.
func TestClosedLoopTakesTheEarliestClient(t *testing.T) {
	traffic := mustNew(t, "num_requests = 6\n[arrival]\nprocess = 'closed'\nstart = 'at_once'\nconcurrency = 3"+fixedLengths, 1)
	for range 3 {
		traffic.Pop()
	}
	_, announced := traffic.Peek()
	if _, popped := traffic.Pop(); announced || popped {
		t.Fatal("a fourth client")
	}
	for id, end := range []units.Seconds{9, 4, 6} {
		traffic.Done(id, end)
	}
	for _, want := range []units.Seconds{4, 6, 9} {
		if r, ok := traffic.Pop(); !ok || r.Arrival != want {
			t.Errorf("request %d at %v, want %v", r.ID, r.Arrival, want)
		}
	}
}

func TestMaxConcurrency(t *testing.T) {
	const text = "num_requests = 20\n[arrival]\nprocess = 'constant'\nrate = 1\nmax_concurrency = 2"
	traffic := mustNew(t, text+fixedLengths, 1)
	if traffic.OpenLoop() {
		t.Error("arrivals depend on Done, yet it says that it is an open loop")
	}
	const service = 5
	served, most := serve(t, traffic, service)
	if len(served) != 20 || most != 2 {
		t.Fatalf("%d served, at most %d in flight", len(served), most)
	}
	for i, r := range served {
		// Two servers, planned at 1, 2, 3, …: request i starts when i-2 has ended.
		want := units.Seconds(i + 1)
		if i >= 2 {
			want = max(want, served[i-2].Arrival+service)
		}
		if r.Planned != units.Seconds(i+1) || r.Arrival != want {
			t.Errorf("request %d planned %v, sent %v, want %v and %v", i, r.Planned, r.Arrival, i+1, want)
		}
	}
}

func TestMaxConcurrencyThatNeverBinds(t *testing.T) {
	const text = "num_requests = 200\n[arrival]\nprocess = 'poisson'\nrate = 1\n"
	free := drain(mustNew(t, text+fixedLengths, 1))
	held, _ := serve(t, mustNew(t, text+"max_concurrency = 200"+fixedLengths, 1), 5)
	if !reflect.DeepEqual(free, held) {
		t.Error("a limit that never binds changed the requests")
	}
}

func TestLimitedProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		limit := rapid.IntRange(1, 6).Draw(rt, "limit")
		service := units.Seconds(rapid.Float64Range(0, 20).Draw(rt, "service"))
		spec := Spec{NumRequests: 100, Input: &LengthSpec{Type: "fixed", Mean: 1}, Output: &LengthSpec{Type: "fixed", Mean: 1},
			Arrival: &ArrivalSpec{Rate: 1, MaxConcurrency: limit}}
		traffic, err := New(spec, nil, rapid.Uint64().Draw(rt, "seed"), 0)
		if err != nil {
			rt.Fatal(err)
		}
		served, most := serve(t, traffic, service)
		if len(served) != 100 || most > limit {
			rt.Fatalf("%d served, %d in flight", len(served), most)
		}
		for i, r := range served {
			if r.ID != i || r.Arrival < r.Planned || i > 0 && r.Arrival < served[i-1].Arrival {
				rt.Fatalf("request %d: %+v", i, r)
			}
		}
	})
}

func BenchmarkMillionRequests(b *testing.B) {
	for name, text := range map[string]string{
		"poisson, fixed":     "[arrival]\nrate = 10" + fixedLengths,
		"poisson, lognormal": "[arrival]\nrate = 10\n[input]\ntype = 'lognormal'\nmean = 500\nstd = 300\n[output]\ntype = 'lognormal'\nmean = 500\nstd = 300",
		"poisson, gamma":     "[arrival]\nrate = 10\n[input]\ntype = 'gamma'\nmean = 500\nstd = 300\n[output]\ntype = 'gamma'\nmean = 500\nstd = 300",
		"azure-conv-2023":    "",
		"azure-code-2023":    "",
	} {
		b.Run(name, func(b *testing.B) {
			spec := builtinSpec(b, name)
			if text != "" {
				spec = mustDecode(b, text)
			}
			spec.NumRequests = 1_000_000
			b.ReportAllocs()
			for b.Loop() {
				traffic, err := New(spec, nil, 1, 0)
				if err != nil {
					b.Fatal(err)
				}
				for range spec.NumRequests {
					traffic.Pop()
				}
			}
		})
	}
}

// A request that waits for a permit is not lost by asking for it too early.
func TestNoRequestWithoutPermit(t *testing.T) {
	traffic := mustNew(t, "num_requests = 2\n[arrival]\nprocess = 'constant'\nrate = 1\nmax_concurrency = 1"+fixedLengths, 1)
	if r, ok := traffic.Pop(); !ok || r.ID != 0 {
		t.Fatalf("request %d, %t, want the first", r.ID, ok)
	}
	for range 2 {
		if r, ok := traffic.Pop(); ok {
			t.Fatalf("request %d without a permit", r.ID)
		}
	}
	traffic.Done(0, 5)
	if r, ok := traffic.Pop(); !ok || r.ID != 1 || r.Arrival != 5 {
		t.Errorf("request %d at %v, %t, want the second at 5 s", r.ID, r.Arrival, ok)
	}
	traffic.Done(1, 6)
	if _, ok := traffic.Pop(); ok {
		t.Error("a third request")
	}
}
