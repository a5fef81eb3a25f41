package results

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/sim/metrics"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestPointsGolden: points.csv of a strategy at two rates with three replications, a class of
// clients, a measuring window and a knee.
func TestPointsGolden(t *testing.T) {
	rates := axisOf("workload.arrival.rate", 1, 2.5)
	rates.Unit = "req/s"
	p := &Plan{Name: "small", Strategies: []string{`one, "two"`}, Replications: 3, Sweep: []Axis{rates}, Points: productOf([]Axis{rates}),
		SLO: SLO{TTFTms: 100, Attainment: 0.9}}
	p.Cells = p.AllCells()
	outcomes := map[string]*Outcome{}
	for i := range p.Cells {
		x := float64(i + 1)
		p.Cells[i].Key = fmt.Sprint(i)
		outcomes[p.Cells[i].Key] = &Outcome{
			Metrics: metrics.Values{metrics.CompletedRequests: 100, metrics.P99TTFT: 10 * x * x, metrics.Attainment: 1 - x/40,
				metrics.OutputThroughput: 7 * x, metrics.MeanClientQueueTime: x - 1, metrics.OfferedRate: x / 2},
			Steady:  metrics.Values{metrics.P99TTFT: 8 * x},
			Clients: []ClientRun{{"聊天", metrics.Values{metrics.P99TTFT: 9 * x}}},
			Pools: []PoolRun{
				{"prefill", metrics.Values{metrics.BusyFraction: x / 10, metrics.RoutedRequests: 100}},
				{"decode, fast", metrics.Values{metrics.BusyFraction: x / 20}},
			},
			Why: &metrics.Why{Bottleneck: metrics.ByKV, TTFT: metrics.Split{"p99": {metrics.Queue: 1e-3, metrics.Prefill: 2e-3}}},
		}
	}
	var got bytes.Buffer
	if err := Aggregate(p, ByKey(outcomes)).WritePoints(&got); err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/points.csv"
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("points.csv is\n%s\nwant\n%s", got.String(), want)
	}
}

// row is a line of a CSV by its header.
type row map[string]string

// rowsOf reads a CSV, every line of which must have the columns of the header, and no two of
// these one name.
func rowsOf(t rapid.TB, write func(*bytes.Buffer) error) (header []string, rows []row) {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	table, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	header = table[0]
	if sorted := slices.Sorted(slices.Values(header)); len(slices.Compact(sorted)) != len(header) {
		t.Fatalf("a column stands twice: %q", header)
	}
	for _, line := range table[1:] {
		r := row{}
		for i, cell := range line {
			r[header[i]] = cell
		}
		rows = append(rows, r)
	}
	return header, rows
}

// TestPointsAreTheSeries: every value of the series in results.json is in points.csv, and
// nothing else.
func TestPointsAreTheSeries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		res := randomResults(t)
		_, rows := rowsOf(t, func(b *bytes.Buffer) error { return res.WritePoints(b) })
		var got []string
		for _, r := range rows {
			if r["experiment"] != res.Name {
				t.Fatalf("row %v is of another experiment", r)
			}
			checkInterval(t, r)
			got = append(got, fmt.Sprintf("%s|%s|%s|%s|%s|%s", r["strategy"], r["curve"], r["class"], r["metric"], r["kind"], r["mean"]))
		}
		want := seriesValues(t, res)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("points.csv holds\n%s\nresults.json\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

// checkInterval demands that an interval holds its mean.
func checkInterval(t rapid.TB, r row) {
	if r["low"] == "" || r["mean"] == "" {
		return
	}
	mean, _ := strconv.ParseFloat(r["mean"], 64)
	low, err := strconv.ParseFloat(r["low"], 64)
	if err != nil || low > mean*(1+1e-9) {
		t.Fatalf("%v: the interval does not hold the mean", r)
	}
	if high, err := strconv.ParseFloat(r["high"], 64); r["high"] != "" && (err != nil || high < mean*(1-1e-9) && r["unit"] != "") {
		t.Fatalf("%v: the interval does not hold the mean", r)
	}
}

// jsonSeries is what results.json has of a curve, read with what any program would know.
type jsonSeries struct {
	Strategy, Label string
	Points          []struct {
		Metrics, Steady map[string]struct{ Mean json.Number }
		Clients         []struct {
			Name    string
			Metrics map[string]struct{ Mean json.Number }
		}
		ByScale []struct {
			Scale      json.Number
			Attainment struct{ Mean json.Number }
		} `json:"attainment_by_scale"`
		Why struct {
			Bottleneck string
			TTFT, E2EL map[string]map[string]json.Number
		}
	}
	Knee *struct {
		Kind  string
		Value json.Number
	}
	KneeOffered *json.Number `json:"knee_offered"`
}

// seriesValues are the values of the series in results.json, as TestPointsAreTheSeries lists
// them.
func seriesValues(t rapid.TB, res *Results) []string {
	t.Helper()
	var b bytes.Buffer
	var file struct{ Series []jsonSeries }
	if err := res.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b.Bytes(), &file); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, s := range file.Series {
		add := func(class, metric, kind string, mean json.Number) {
			text := ""
			if mean != "" {
				x, _ := mean.Float64()
				text = numberCell(x)
			}
			all = append(all, fmt.Sprintf("%s|%s|%s|%s|%s|%s", s.Strategy, s.Label, class, metric, kind, text))
		}
		for _, point := range s.Points {
			for _, values := range []map[string]struct{ Mean json.Number }{point.Metrics, point.Steady} {
				for key, x := range values {
					add("", key, "", x.Mean)
				}
			}
			for _, client := range point.Clients {
				for key, x := range client.Metrics {
					add(client.Name, key, "", x.Mean)
				}
			}
			for _, x := range point.ByScale {
				add("", "attainment_by_scale", x.Scale.String(), x.Attainment.Mean)
			}
			for latency, split := range map[string]map[string]map[string]json.Number{"ttft": point.Why.TTFT, "e2el": point.Why.E2EL} {
				for statistic, parts := range split {
					for part, x := range parts {
						add("", strings.Replace(statistic, "p50", "median", 1)+"_"+latency+"_"+part+"_ms", "", x)
					}
				}
			}
			if point.Why.Bottleneck != "" {
				add("", "bottleneck", point.Why.Bottleneck, "")
			}
		}
		if s.Knee != nil {
			add("", "knee", s.Knee.Kind, s.Knee.Value)
		}
		if s.KneeOffered != nil {
			add("", "knee_offered", "", *s.KneeOffered)
		}
	}
	return all
}

// TestPointsWindow: of a closed loop the requests are those of the steady state and the engine
// is that of the whole run; where some runs are too short for one, both are told apart.
func TestPointsWindow(t *testing.T) {
	for name, c := range map[string]struct {
		steady []bool // by replication
		want   map[string]string
	}{
		"steady": {[]bool{true, true}, map[string]string{metrics.P99TTFT: "steady", metrics.Steps: "whole",
			"mean_ttft_queue_ms": "steady", "bottleneck": "whole"}},
		"short": {[]bool{false, false}, map[string]string{metrics.P99TTFT: "whole", metrics.Steps: "whole", "mean_ttft_queue_ms": "whole"}},
		"both":  {[]bool{true, false}, map[string]string{metrics.P99TTFT: "mixed", metrics.Steps: "whole", "mean_ttft_queue_ms": "mixed"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := &Plan{Strategies: []string{"a"}, Replications: 2, Points: []PlannedPoint{{}}}
			p.Cells = p.AllCells()
			outcomes := map[string]*Outcome{}
			for i, steady := range c.steady {
				p.Cells[i].Key = fmt.Sprint(i)
				o := &Outcome{Metrics: metrics.Values{metrics.P99TTFT: 5, metrics.Steps: 7},
					Why: &metrics.Why{Bottleneck: metrics.ByLoad, TTFT: metrics.Split{"mean": {metrics.Queue: 1}}}}
				if steady {
					o.Steady, o.SteadyState = metrics.Values{metrics.P99TTFT: 4}, &metrics.SteadyState{}
				}
				outcomes[p.Cells[i].Key] = o
			}
			res := Aggregate(p, ByKey(outcomes))
			_, rows := rowsOf(t, func(b *bytes.Buffer) error { return res.WritePoints(b) })
			got := map[string]string{}
			for _, r := range rows {
				got[r["metric"]] = r["period"]
			}
			maps.DeleteFunc(got, func(key, _ string) bool { return c.want[key] == "" })
			if !maps.Equal(got, c.want) {
				t.Errorf("windows %v, want %v", got, c.want)
			}
		})
	}
}

// TestPointsPlaces: a row says where it is. A swept key of another strategy says nothing of it,
// and a knee is along the first axis.
func TestPointsPlaces(t *testing.T) {
	sweep := []Axis{axisOf("workload.arrival.rate", 1, 2), axisOf("strategy.a.max_num_seqs", 8, 64)}
	p := &Plan{Strategies: []string{"a", "b"}, Replications: 1, Sweep: sweep, Points: productOf(sweep), SLO: SLO{TTFTms: 1, Attainment: 0.9}}
	p.Cells = p.AllCells()
	for i := range p.Cells {
		p.Cells[i].Key = string(rune('A' + i))
	}
	res := Aggregate(p, ByKey(outcomesOf(p)))
	_, rows := rowsOf(t, func(b *bytes.Buffer) error { return res.WritePoints(b) })
	var got []string
	for _, r := range rows {
		if r["metric"] == "knee" || r["metric"] == metrics.MeanTPOT && r["class"]+r["pool"] == "" {
			got = append(got, fmt.Sprint(r["curve"], ":", r[sweep[0].Path], ":", r[sweep[1].Path]))
		}
	}
	want := []string{"a,  8:1:8", "a,  8:2:8", "a,  8::8", "a,  64:1:64", "a,  64:2:64", "a,  64::64", "b:1:", "b:2:", "b::"}
	if !slices.Equal(got, want) {
		t.Errorf("rows at %q, want %q", got, want)
	}
}

// TestAxisCells: a reader that guesses the type of a column by its first rows guesses right.
func TestAxisCells(t *testing.T) {
	for _, c := range []struct {
		values []any
		want   string
	}{
		{[]any{1, 2, 64}, "1 2 64"},
		{[]any{1, 2.5, 3.0, 1e8}, "1.0 2.5 3.0 100000000.0"},
		{[]any{3.0, 4}, "3 4"},
		{[]any{8, "inf"}, "8.0 inf"},
		{[]any{"h100", "a100"}, "h100 a100"},
		{[]any{true, false}, "true false"},
		{[]any{1e20, 1}, "1e+20 1"},
	} {
		axis := axisOf("x", c.values...)
		var cells []string
		for _, v := range axis.Values {
			cells = append(cells, axis.cell(v))
		}
		if got := strings.Join(cells, " "); got != c.want {
			t.Errorf("%v is written %s, want %s", c.values, got, c.want)
		}
	}
}
