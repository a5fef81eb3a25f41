package workloads

import (
	"math"
	"reflect"
	"slices"
	"testing"
)

// ofOneClass are the requests of a class.
func ofOneClass(requests []Request, class int) []Request {
	return slices.DeleteFunc(slices.Clone(requests), func(r Request) bool { return r.Class != class })
}

const lognormalLengths = "\n[input]\ntype = 'lognormal'\nmean = 300\nstd = 200\n[output]\ntype = 'exponential'\nmean = 80\n"

// TestSharesKeepTheRequests: classes that share the arrivals change neither the
// times nor, where they have no laws of their own, the lengths.
func TestSharesKeepTheRequests(t *testing.T) {
	const n = 40000
	plain := drain(mustNew(t, "num_requests = 40000\n[arrival]\nprocess = 'gamma'\nrate = 3\ncv = 2.0"+lognormalLengths, 5))
	split := drain(mustNew(t, "num_requests = 40000\n[arrival]\nprocess = 'gamma'\nrate = 3\ncv = 2.0"+lognormalLengths+`
[[client]]
share = 0.2
[[client]]
share = 0.3
output = { type = 'fixed', mean = 7 }
[[client]]
share = 0.5`, 5))
	for class, share := range []float64{0.2, 0.3, 0.5} {
		got := float64(len(ofOneClass(split, class))) / n
		if sigma := math.Sqrt(share * (1 - share) / n); math.Abs(got-share) > 4*sigma {
			t.Errorf("class %d has %v of the requests, want %v ± %.2g", class, got, share, 4*sigma)
		}
	}
	for i, r := range split {
		want := plain[i]
		if want.Class = r.Class; r.Class == 1 {
			want.Output = 7
		}
		if r != want {
			t.Fatalf("request %d is %+v, want %+v", i, r, want)
		}
	}
}

// TestSharesAreNormalized: two digits are enough for a third.
func TestSharesAreNormalized(t *testing.T) {
	requests := drain(mustNew(t, "num_requests = 3000"+aRate+fixedLengths+"[[client]]\nshare = 0.333\n[[client]]\nshare = 0.333\n[[client]]\nshare = 0.333", 1))
	within(t, "requests of the last class", float64(len(ofOneClass(requests, 2))), 900, 1100)
}

// TestMergedArrivals: classes with arrivals of their own have the requests that
// they would have alone, whatever the others do, in order of time.
func TestMergedArrivals(t *testing.T) {
	text := func(rate string) string {
		return "num_requests = 20000\n[arrival]\nrate = 2" + lognormalLengths + `
[[client]]
share = 1
[[client]]
name = 'batch'
arrival = { process = 'constant', rate = ` + rate + ` }
[[client]]
name = 'agents'
arrival = { process = 'gamma', rate = 1, cv = 3.0 }
input = { type = 'fixed', mean = 9 }`
	}
	slow, fast := drain(mustNew(t, text("1"), 3)), drain(mustNew(t, text("5"), 3))
	times := arrivals(slow)
	if len(slow) != 20000 || !slices.IsSorted(times) {
		t.Fatalf("%d requests, in order: %t", len(slow), slices.IsSorted(times))
	}
	for i, r := range slow {
		if r.ID != i {
			t.Fatalf("request %d has ID %d", i, r.ID)
		}
	}
	for class, rate := range []float64{2, 1, 1} {
		about(t, "rate of a class", float64(len(ofOneClass(slow, class)))/times[len(times)-1], rate, 0.06)
	}
	for _, class := range []int{0, 2} {
		a, b := ofOneClass(slow, class), ofOneClass(fast, class)
		for i := range min(len(a), len(b)) {
			if a[i].ID, b[i].ID = 0, 0; a[i] != b[i] {
				t.Fatalf("request %d of class %d is %+v, beside a faster client %+v", i, class, a[i], b[i])
			}
		}
	}
	alone := drain(mustNew(t, "num_requests = 1000\n[arrival]\nrate = 2"+lognormalLengths, 3))
	shared := ofOneClass(slow, 0)
	for i := range alone {
		if shared[i].ID, alone[i].ID = 0, 0; shared[i] != alone[i] {
			t.Fatalf("request %d of the shared arrivals is %+v, alone %+v", i, shared[i], alone[i])
		}
	}
	for i, r := range ofOneClass(slow, 1)[:10] {
		if s := shared[i]; r.Input == s.Input && r.Output == s.Output {
			t.Errorf("request %d has the same lengths in two streams: %d and %d", i, r.Input, r.Output)
		}
	}
	if first, second := ofOneClass(slow, 2)[0], ofOneClass(drain(mustNew(t, text("1"), 4)), 2)[0]; first == second {
		t.Error("another seed draws the same requests of a client's own")
	}
}

// TestMergedDuration: time ends all streams, and so does the number of requests.
func TestMergedDuration(t *testing.T) {
	const clients = fixedLengths + "[[client]]\narrival = { process = 'constant', rate = 1 }\n[[client]]\narrival = { process = 'constant', rate = 4 }"
	if n := len(drain(mustNew(t, "duration = '10s'"+clients, 1))); n != 50 {
		t.Errorf("%d requests in 10 s, want 50", n)
	}
	if n := len(drain(mustNew(t, clients, 1))); n != DefaultRequests {
		t.Errorf("%d requests by default, want %d", n, DefaultRequests)
	}
	traffic := mustNew(t, "num_requests = 3"+clients, 1)
	requests := drain(traffic)
	if _, more := traffic.Peek(); more || len(requests) != 3 || !traffic.OpenLoop() {
		t.Errorf("%d requests and more: %t, want 3", len(requests), more)
	}
	spec := mustDecode(t, "duration = '10s'"+clients)
	if rate := spec.OfferedRate(); rate != 5 {
		t.Errorf("an offered rate of %v, want 5", rate)
	}
}

// TestClassesBeside: what a request is besides does not depend on its class.
func TestClassesBeside(t *testing.T) {
	const classes = "[[client]]\nshare = 0.5\n[[client]]\nshare = 0.5"
	for name, text := range map[string]string{
		"a closed loop":    "num_requests = 100\n[arrival]\nprocess = 'closed'\nstart = 'at_once'\nconcurrency = 100" + fixedLengths,
		"shared prefixes":  "num_requests = 100" + aRate + fixedLengths + "[prefix]\ncount = 3\ntokens = 50\n",
		"a client's limit": "num_requests = 100\n[arrival]\nrate = 'inf'\nmax_concurrency = 200" + fixedLengths,
		"normalized gaps":  "num_requests = 100\n[arrival]\nrate = 2\nnormalize = true" + fixedLengths,
	} {
		t.Run(name, func(t *testing.T) {
			plain, split := drain(mustNew(t, text, 2)), drain(mustNew(t, text+classes, 2))
			if of := len(ofOneClass(split, 1)); of < 30 || of > 70 || len(split) != 100 {
				t.Errorf("%s: %d of %d requests are of the second class", name, of, len(split))
			}
			for i := range split {
				split[i].Class = 0
			}
			if !reflect.DeepEqual(plain, split) {
				t.Errorf("%s: classes change the requests", name)
			}
		})
	}
	trace := &Trace{rows: []row{{input: 5, output: 2}, {at: 1, input: 6, output: 3}}, passes: 1, scale: 1}
	spec := mustDecode(t, "num_requests = 2"+aTrace+classes)
	traffic, err := New(spec, trace, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	if all := drain(traffic); len(all) != 2 || all[0].Input != 5 || all[1].Output != 3 {
		t.Errorf("a trace with classes is %+v", all)
	}
}
