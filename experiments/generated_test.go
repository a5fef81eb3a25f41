package experiments_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"pgregory.net/rapid"

	"kneepoint/experiments"
	"kneepoint/experiments/results"
	"kneepoint/internal/effort"
	"kneepoint/internal/strict"
	"kneepoint/sim/metrics"
)

// TestGeneratedExperiments draws experiments of all keys. Each is accepted, and simulated in
// five ways that must agree; no request is lost, its parts are its times, and no result
// beats physics.
func TestGeneratedExperiments(t *testing.T) {
	dir := t.TempDir()
	writeTraces(t, dir)
	effort.Check(t, 2, func(t *rapid.T) {
		text, d := drawExperiment(t, dir)
		defer func() {
			if t.Failed() {
				t.Log(text)
			}
		}()
		d.check(text)
	})
}

// TestGeneratorCoversEveryKey: what the draws never set would never be tested.
func TestGeneratorCoversEveryKey(t *testing.T) {
	effort.Whole(t)
	keys := map[string]reflect.StructField{}
	schemaKeys("", reflect.TypeFor[experiments.Spec](), keys)
	drawn := map[string]int{}
	texts := rapid.Custom(func(t *rapid.T) string {
		text, _ := drawExperiment(t, "traces")
		return text
	})
	for i := range 3000 {
		var tree table
		if _, err := toml.Decode(texts.Example(i), &tree); err != nil {
			t.Fatal(err)
		}
		addKeys(drawn, "", tree, keys)
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		never := keys[key].Tag.Get("later") == "true" || slices.Contains(neverDrawn, key)
		if never == (drawn[key] > 0) {
			t.Errorf("%s is drawn %d times", key, drawn[key])
		}
	}
}

// neverDrawn are keys without effect, which are refused wherever they differ from a default.
// Of clients' arrivals they are those that only whole workloads can have. The points of a curve
// that a file has are drawn as points, and a search for break-evens is no run.
var neverDrawn = strings.Fields(`curve.file search.metric search.over search.bound search.client hardware.custom.battery_wh hardware.custom.int4_tflops hardware.custom.tf32_tflops hardware.custom.throttle.after
	hardware.custom.throttle.least hardware.custom.throttle.most hardware.custom.throttle.sustained workload.client.arrival.concurrency workload.client.arrival.max_concurrency
	workload.client.arrival.normalize workload.client.arrival.ramp.end_rps workload.client.arrival.ramp.start_rps workload.client.arrival.ramp.strategy workload.client.arrival.start workload.client.arrival.think_time workload.client.input.correlation
	workload.input.correlation workload.session.first_input.correlation workload.session.input.correlation`)

// addKeys counts the keys of the schema that a table sets.
func addKeys(drawn map[string]int, path string, value any, keys map[string]reflect.StructField) {
	if _, isKey := keys[path]; isKey {
		drawn[path]++
		return
	}
	if tables := strict.Tables(value); tables != nil {
		for _, t := range tables {
			addKeys(drawn, path, t, keys)
		}
	} else if t, ok := value.(table); ok {
		for key, v := range t {
			addKeys(drawn, strings.TrimPrefix(path+"."+key, "."), v, keys)
		}
	}
}

// simulated is an experiment's results in one of the ways to simulate it, with the
// requests of its runs where they are kept.
type simulated struct {
	*results.Results
	records []*metrics.Record
}

// check holds one experiment to what is true of all.
func (d *drawer) check(text string) {
	file, err := experiments.Parse("drawn.toml", text)
	if err != nil {
		d.t.Fatal(err)
	}
	e, err := file.Check()
	if err != nil {
		d.t.Fatal(err)
	}
	exact := d.simulate(e, experiments.Options{Workers: 1}, true)
	d.sameBytes(exact, d.simulate(e, experiments.Options{Workers: 2}, false))
	d.agree("reference", exact, d.simulate(e, experiments.Options{Workers: 1, Reference: true}, false), byReference)
	streamed := d.simulate(e, experiments.Options{Workers: 1, Streaming: true}, false)
	d.agree("streaming", exact, streamed, byStreaming)
	for i, rec := range exact.records {
		run := &exact.Runs[i]
		d.ranks(run, &streamed.Runs[i], rec)
		d.conserves(e, run, rec)
		d.partsSum(run, rec)
		d.obeysPhysics(run, rec)
	}
}

func (d *drawer) simulate(e *experiments.Experiment, o experiments.Options, keep bool) simulated {
	var s simulated
	if keep {
		o.Requests = func(_ *results.Run, rec *metrics.Record) error {
			kept := *rec
			kept.Requests = slices.Clone(rec.Requests)
			s.records = append(s.records, &kept)
			return nil
		}
	}
	res, err := e.Run(context.Background(), o)
	if err != nil {
		d.t.Fatal(err)
	}
	s.Results = res
	return s
}

// sameBytes demands that two simulations write the same files.
func (d *drawer) sameBytes(a, b simulated) {
	var texts [2]strings.Builder
	for i, s := range []simulated{a, b} {
		if err := s.WriteJSON(&texts[i]); err != nil {
			d.t.Fatal(err)
		}
		if err := s.WriteRuns(&texts[i]); err != nil {
			d.t.Fatal(err)
		}
	}
	if texts[0].String() != texts[1].String() {
		d.t.Errorf("one worker writes\n%s\nand two\n%s", &texts[0], &texts[1])
	}
}

// A tolerance is how far a metric may differ, relative to itself; negative: it is not compared.
type tolerance func(key string) float64

// byReference: times are the same to rounding, gaps to the bins of their histogram. What a
// rounding may decide is left out.
func byReference(key string) float64 {
	switch {
	case key == metrics.Goodput || strings.HasSuffix(key, "_attainment") || strings.HasSuffix(key, "_at_goodput"):
		return -1
	case strings.HasPrefix(key, "std_"):
		return 1e-6
	case strings.Contains(key, "_itl_"):
		return 2.1 * metrics.HistogramResolution
	default:
		return 1e-9
	}
}

// quantile matches the keys of percentiles.
var quantile = regexp.MustCompile(`^(median|p[0-9.]+)_|_at_attainment_ms$`)

// byStreaming: percentiles are compared by their rank, see ranks. What prompts had before them, and what
// clients got in windows, is not counted, since that takes memory.
func byStreaming(key string) float64 {
	switch {
	case quantile.MatchString(key) || slices.Contains([]string{metrics.PrefixReuseRate, metrics.PrefixPooledRate, metrics.PrefixHitLoss,
		metrics.MaxServiceDifference, metrics.MeanServiceDifference}, key):
		return -1
	case strings.HasPrefix(key, "std_"):
		return 1e-6
	}
	return 1e-9
}

// agree compares two ways to simulate, metric by metric.
func (d *drawer) agree(how string, a, b simulated, within tolerance) {
	if len(a.Runs) != len(b.Runs) {
		d.t.Fatalf("%s has %d runs, want %d", how, len(b.Runs), len(a.Runs))
	}
	for i := range a.Runs {
		for _, def := range metrics.Definitions {
			x, y := a.Runs[i].Metrics.Get(def.Key), b.Runs[i].Metrics.Get(def.Key)
			bound, scale := within(def.Key), math.Max(math.Abs(x), 1e-3)
			if latency, isDeviation := strings.CutPrefix(def.Key, "std_"); isDeviation { // from a sum of squares
				scale = math.Max(scale, a.Runs[i].Metrics.Get("mean_"+latency))
			}
			if bound >= 0 && (math.IsNaN(x) != math.IsNaN(y) || math.Abs(x-y) > bound*scale) {
				d.t.Errorf("%s: %s of run %d is %v, want %v", how, def.Key, i, y, x)
			}
		}
	}
}

// where names a run in a message.
func where(run *results.Run) string {
	return fmt.Sprintf("strategy %s, %v, replication %d", run.Strategy, run.Point, run.Replication)
}
