package experiments

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/internal/effort"
)

// few shortens an experiment that comes with kneepoint to what a test can wait
// for.
func few(t *testing.T, name string) *Experiment {
	t.Helper()
	f, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(f.axes, "workload.num_requests") {
		if err := f.Override([]string{"workload.num_requests=20"}); err != nil {
			t.Fatal(err)
		}
	}
	if slices.Contains(f.axes, "measure.cooldown") { // parts of a long run, over which some requests are spread
		if err := f.Override([]string{"workload.num_requests=200", "workload.arrival.rate=0.1"}); err != nil {
			t.Fatal(err)
		}
	}
	e, err := f.Check()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// some are the experiments that come with kneepoint, of those that repeat papers, which are
// much alike, one in four by default. Those of MLPerf sweep how many
// requests there are, up to ten thousands, which few cannot shorten, and are left out.
func some(t *testing.T) []string {
	t.Helper()
	papers := Papers()
	enough := effort.Times(t, (len(papers)+3)/4)
	return slices.DeleteFunc(Names(), func(name string) bool {
		i := slices.Index(papers, name)
		return strings.HasPrefix(name, "mlperf-") || i >= 0 && i*enough%len(papers) >= enough
	})
}

// TestResultsReadBack: the folder of an experiment, whole or interrupted, is
// read and aggregated to the same bytes.
func TestResultsReadBack(t *testing.T) {
	names := some(t)
	if testing.Short() {
		names = []string{"quickstart", "databricks-static", "tradeoff-matrix"} // a sweep, expectations, claims
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			e := few(t, name)
			res, err := e.Run(context.Background(), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if res.Incomplete || len(res.Series) == 0 {
				t.Errorf("incomplete %t, %d curves", res.Incomplete, len(res.Series))
			}
			readsBack(t, res)
		})
		t.Run(name+" interrupted", func(t *testing.T) {
			e := few(t, name)
			if e.Runs() < 3 {
				t.Skip("it ends with what would be interrupted")
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			half := func(p Progress) {
				if p.Done > p.Total/2 {
					cancel()
				}
			}
			res, err := e.Run(ctx, Options{Workers: 1, Progress: half})
			if !errors.Is(err, context.Canceled) || !res.Incomplete {
				t.Errorf("incomplete %t: %v", res.Incomplete, err)
			}
			readsBack(t, res)
		})
	}
}

// readsBack writes results, and demands the same bytes of what is read.
func readsBack(t *testing.T, res *results.Results) {
	t.Helper()
	dir := t.TempDir()
	folder, err := results.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := folder.Write(res); err != nil {
		t.Fatal(err)
	}
	if _, err := folder.Commit(); err != nil {
		t.Fatal(err)
	}
	plan, outcomes, err := results.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	again := results.Aggregate(plan, results.ByKey(outcomes))
	if first, second := asText(t, res), asText(t, again); first != second {
		t.Fatal(difference(first, second))
	}
}

// asText is all that results write, but for the records of requests.
func asText(t *testing.T, res *results.Results) string {
	t.Helper()
	var text bytes.Buffer
	if err := errors.Join(res.WriteJSON(&text), res.WriteRuns(&text), res.WritePoints(&text), res.WriteCSV(&text)); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// difference shows where two texts begin to differ.
func difference(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	from := max(0, i-300)
	return "written: …" + a[from:min(len(a), i+100)] + "…\nread back: …" + b[from:min(len(b), i+100)] + "…"
}
