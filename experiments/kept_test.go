package experiments

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"gocloud.dev/blob/memblob"

	"kneepoint/experiments/results"
	"kneepoint/experiments/runner"
	"kneepoint/experiments/store"
)

// TestKeptResultsAreTheSame: of experiments that come with kneepoint the store has all
// runs, knees and timelines the second time, and the results are the same bytes.
func TestKeptResultsAreTheSame(t *testing.T) {
	names := some(t)
	if testing.Short() {
		names = []string{"quickstart", "gallery", "routers"} // knees, timelines, pools
	}
	for _, name := range names {
		for _, streaming := range []bool{false, true} {
			t.Run(name+map[bool]string{true: " streaming"}[streaming], func(t *testing.T) {
				kept, err := store.New(t.Context(), memblob.OpenBucket(nil), name, "build")
				if err != nil {
					t.Fatal(err)
				}
				e := few(t, name)
				o := Options{Streaming: streaming}
				alone, _ := written(t, e, o)
				o.Store = kept
				cold, _ := written(t, e, o)
				o.Store = finished{kept, t}
				warm, p := written(t, few(t, name), o)
				if p.Kept != p.Total || p.KeptRequests != p.TotalRequests || p.Total != e.Runs() {
					t.Errorf("%+v", p)
				}
				if cold != alone {
					t.Error("keeping: " + difference(alone, cold))
				}
				if warm != alone {
					t.Error("kept: " + difference(alone, warm))
				}
			})
		}
	}
}

// finished is a store that has everything.
type finished struct {
	*store.Store
	t *testing.T
}

// Put implements runner.Store.
func (f finished) Put(key string, value any) error {
	f.t.Errorf("%T %s is found anew", value, key)
	return nil
}

// written runs an experiment, and is the text of its results and how far they were at the end.
func written(t *testing.T, e *Experiment, o Options) (string, Progress) {
	t.Helper()
	var last Progress
	o.Progress = func(p Progress) { last = p }
	res, err := e.Run(t.Context(), o)
	var text bytes.Buffer
	for _, write := range []func(*results.Results) error{
		func(r *results.Results) error { return r.WriteJSON(&text) },
		func(r *results.Results) error { return r.WriteRuns(&text) },
		func(r *results.Results) error { return r.WriteCSV(&text) },
		func(r *results.Results) error { return r.WritePoints(&text) },
	} {
		err = errors.Join(err, write(res))
	}
	if err != nil {
		t.Fatal(err)
	}
	return text.String(), last
}

// TestKneesAreKept: a knee that was searched is not searched again, and what was asked otherwise
// is.
func TestKneesAreKept(t *testing.T) {
	kept, err := store.New(t.Context(), memblob.OpenBucket(nil), "memory", "build")
	if err != nil {
		t.Fatal(err)
	}
	searches := func(set ...string) int {
		e := experiment(t, queueFile, set...)
		n := 0
		res, err := e.Run(t.Context(), Options{Store: kept, Search: true, Searching: func(Searching) { n++ }})
		if err != nil || len(res.Searched) == 0 {
			t.Fatalf("%d knees were searched: %v", len(res.Searched), err)
		}
		return n
	}
	if n := searches(); n == 0 {
		t.Error("nothing is searched at first")
	}
	if n := searches(); n > 0 {
		t.Errorf("%d runs for knees that were kept", n)
	}
	if n := searches("slo.attainment=0.85"); n == 0 {
		t.Error("another target has the knee of the first")
	}
	if n := searches("seed=7"); n == 0 {
		t.Error("another seed has the knee of the first")
	}
}

// TestTwinsAreNotKept: of two equal runs the second one costs nothing, and was not kept before.
func TestTwinsAreNotKept(t *testing.T) {
	kept, err := store.New(t.Context(), memblob.OpenBucket(nil), "memory", "build")
	if err != nil {
		t.Fatal(err)
	}
	const twin = "[[strategy]]\nname = \"b\"\nmax_num_seqs = 1\nmax_num_batched_tokens = 10000000\n"
	for _, c := range []struct {
		store runner.Store
		kept  int
	}{{nil, 0}, {kept, 0}, {kept, 4}} {
		e := experiment(t, strings.Replace(queueFile, "[sweep]", twin+"[sweep]", 1), `sweep."workload.arrival.rate"=[0.4, 0.7]`)
		if _, p := written(t, e, Options{Workers: 1, Store: c.store}); p.Kept != c.kept || p.Total != 4 {
			t.Errorf("%d of %d runs were kept, want %d", p.Kept, p.Total, c.kept)
		}
	}
}
