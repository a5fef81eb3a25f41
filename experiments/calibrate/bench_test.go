package calibrate

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kneepoint/units/badinput"
)

const aggregated = `{"date": "20260101-000000", "model_id": "m", "request_rate": 4.0, "burstiness": 1.0, "max_concurrency": null,
"completed": 10, "failed": 0, "total_input_tokens": 1004, "total_output_tokens": 501, "median_ttft_ms": 40.5, "median_tpot_ms": 8.25, "p99_itl_ms": 9}`

// Three requests, in the order of the client's list and not of time; one failed.
const detailed = `{"model_id": "m", "request_rate": "inf", "max_concurrency": 2, "ramp_up_strategy": "linear", "completed": 102, "failed": 1,
"input_lens": [100, 200, 300, 50], "output_lens": [3, 1, 0, 2], "ttfts": [0.2, 0.1, 0.0, 0.4], "itls": [[0.01, 0.03], [], [], [0.05]],
"start_times": [1002.5, 1001.0, 1001.5, 1001.25], "queue_times": [0.5, 0, 0, 0.25], "generated_texts": ["", "", "", ""], "errors": ["", "", "no", ""]}`

func TestParseBench(t *testing.T) {
	found, err := ParseBench(strings.NewReader(aggregated + "\n" + detailed))
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 2 {
		t.Fatalf("%d results, want 2", len(found))
	}
	a, d := found[0], found[1]
	if a.Model != "m" || a.Rate != 4 || a.Count != 10 || a.Mean != (Request{Input: 100, Output: 50}) || a.Requests != nil || a.Scheduled {
		t.Errorf("aggregated: %+v", a)
	}
	if len(a.Measured) != 2 || a.Measured["median_ttft_ms"] != 40.5 || a.Measured["median_tpot_ms"] != 8.25 {
		t.Errorf("aggregated: %v", a.Measured)
	}
	if !math.IsInf(d.Rate, 1) || d.MaxConcurrency != 2 || d.Count != 3 || !d.Scheduled {
		t.Errorf("detailed: %+v", d)
	}
	for i, want := range []Request{{0, 200, 1}, {0, 50, 2}, {1, 100, 3}} {
		if d.Requests[i] != want {
			t.Errorf("request %d is %+v, want %+v", i, d.Requests[i], want)
		}
	}
	for key, want := range map[string]float64{"median_ttft_ms": 200, "median_tpot_ms": 35, "median_e2el_ms": 240} {
		if got := d.Measured[key]; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %v, want %v", key, got, want)
		}
	}
}

// Requests come as the benchmark sent them, as far as the result tells.
func TestBenchArrivals(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		bench   Bench
		process string
		limit   any
	}{
		{Bench{Scheduled: true, Rate: 3, MaxConcurrency: 7}, "trace", int64(7)},
		{Bench{Rate: inf, Burstiness: 1, MaxConcurrency: 5}, "at_once", int64(5)},
		{Bench{Rate: inf, Burstiness: 1}, "at_once", nil},
		{Bench{Rate: 3, Burstiness: 0.5}, "gamma", nil},
		{Bench{Rate: 3, Burstiness: inf}, "constant", nil},
	} {
		a := c.bench.arrival()
		if a["process"] != c.process || a["max_concurrency"] != c.limit {
			t.Errorf("%+v arrives as %v", c.bench, a)
		}
	}
}

func TestParseBenchRefuses(t *testing.T) {
	change := func(from, old, new string) string {
		t.Helper()
		if !strings.Contains(from, old) {
			t.Fatalf("%q is not in the result", old)
		}
		return strings.Replace(from, old, new, 1)
	}
	for text, want := range map[string]string{
		"":                      "is empty",
		"treasure":              "not JSON: ",
		aggregated[:40]:         "not JSON: unexpected EOF",
		"{}":                    "completed = 0: not a number of completed requests",
		"[1]":                   "not a JSON object",
		`{"completed": "many"}`: `completed = "many": is a string`,
		`{"completed": 1.5}`:    "completed = 1.5: is a number 1.5",
		change(aggregated, `"request_rate": 4.0`, `"request_rate": -1`):                                          "request_rate = -1: not a rate",
		change(aggregated, `"request_rate": 4.0`, `"request_rate": "fast"`):                                      `request_rate = "fast": is a string`,
		change(aggregated, `"request_rate": 4.0, `, ``):                                                          "request_rate = 0: not a rate",
		change(aggregated, `"burstiness": 1.0`, `"burstiness": 0`):                                               "burstiness = 0: must be",
		change(aggregated, `"max_concurrency": null`, `"max_concurrency": -2`):                                   "max_concurrency = -2: must not be negative",
		change(aggregated, `"failed": 0`, `"failed": 5`):                                                         "failed = 5: too many of 15 requests",
		change(aggregated, `"total_output_tokens": 501`, `"total_output_tokens": 5`):                             "total_output_tokens = 5: missing, or not the tokens",
		change(aggregated, `"total_input_tokens": 1004`, `"total_input_tokens": 99999999999999`):                 "total_input_tokens = 99999999999999: missing, or not",
		change(aggregated, `"max_concurrency": null`, `"ramp_up_strategy": "linear"`):                            `ramp_up_strategy = "linear": the rate grows`,
		change(aggregated, `"median_ttft_ms": 40.5, "median_tpot_ms": 8.25`, `"median_ttft_ms": 0`):              "has no latencies",
		change(detailed, `"ttfts": [0.2, `, `"ttfts": [`):                                                        "ttfts: has 3 values for 4 requests",
		change(detailed, `[1002.5, 1001.0, 1001.5, 1001.25]`, `[]`):                                              `ramp_up_strategy = "linear": the rate grows`,
		change(detailed, `[1002.5, `, `[1e300, `):                                                                "start_times[0] = 1e+300: not a time",
		change(detailed, `[1002.5, `, `[9e7, `):                                                                  "start_times: the run is longer than a month",
		change(detailed, `"queue_times": [0.5`, `"queue_times": [-0.5`):                                          "queue_times[0] = -0.5: not a time",
		change(detailed, `[[0.01, 0.03]`, `[[1, 1, 1, 1, 1, 1, 1, 1, 1]`):                                        "itls[0] = 9: more times between tokens than the 3 tokens",
		change(detailed, `[[0.01, 0.03]`, `[[0.01, -0.03]`):                                                      "itls[0] = -0.03: not a time between tokens",
		change(detailed, `"ttfts": [0.2`, `"ttfts": [-0.2`):                                                      "ttfts[0] = -0.2: not a time",
		change(detailed, `"output_lens": [3`, `"output_lens": [-3`):                                              "output_lens[0] = -3: not a number of tokens",
		change(aggregated, `"median_ttft_ms": 40.5`, `"median_ttft_ms": -40.5`):                                  "median_ttft_ms = -40.5: not a time",
		change(aggregated, `"median_tpot_ms": 8.25`, `"median_tpot_ms": -8.25`):                                  "median_tpot_ms = -8.25: not a time",
		change(aggregated, `"median_tpot_ms": 8.25`, `"median_tpot_ms": 1e300`):                                  "median_tpot_ms = 1e+300: not a time",
		change(aggregated, `"median_tpot_ms": 8.25`, `"median_tpot_ms": 1, "median_tpot_ms": 8`):                 "median_tpot_ms: stands there twice",
		change(aggregated, `"completed"`, `"Completed"`):                                                         `Completed: unknown key; did you mean "completed"?`,
		change(aggregated, `"failed": 0`, `"failed": 0, "ttfts": [1]`):                                           "input_lens: missing beside the other arrays",
		change(detailed, `"ttfts": [0.2`, `"ttfts": [1e300`):                                                     "ttfts[0] = 1e+300: not a time",
		change(detailed, `[[0.01, 0.03]`, `[[0.01, 1e300]`):                                                      "itls[0] = 1e+300: not a time between tokens",
		change(detailed, `"output_lens"`, `"latencies": [0.3, 0.1, 0, -1], "output_lens"`):                       "latencies[3] = -1: not a time that holds",
		change(detailed, `"output_lens"`, `"latencies": [0.1, 0.1, 0, 0.5], "output_lens"`):                      "latencies[0] = 0.1: not a time that holds",
		change(detailed, `"output_lens"`, `"latencies": [0.1], "output_lens"`):                                   "latencies: has 1 values for 4 requests",
		change(aggregated, `"failed": 0`, `"failed": 0, "latencies": [1]`):                                       "input_lens: missing beside",
		change(aggregated, `"burstiness": 1.0`, `"burstiness": "much"`):                                          `burstiness = "much": is a string`,
		change(detailed, `[100, 200`, `[-100, 200`):                                                              "input_lens[0] = -100: not a number of tokens",
		change(detailed, `[3, 1, 0, 2], "ttfts": [0.2, 0.1, 0.0, 0.4]`, `[0, 0, 0, 0], "ttfts": [0, 0, 0.0, 0]`): "has no latencies",
	} {
		_, err := ParseBench(strings.NewReader(text))
		var bad *badinput.Error
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, want %s", text, err, want)
		}
	}
}

// TestParseBenchLatencies: when requests ended is said by latencies where a result has them, and
// the gaps may then be missing; constant gaps are of infinite burstiness.
func TestParseBenchLatencies(t *testing.T) {
	const text = `{"request_rate": 4, "burstiness": "inf", "completed": 2, "input_lens": [9, 9], "output_lens": [3, 5], "ttfts": [0.1, 0.2],
"latencies": [0.3, 1.0]}`
	found, err := ParseBench(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	b := found[0]
	if !math.IsInf(b.Burstiness, 1) || b.arrival()["process"] != "constant" || b.Count != 2 {
		t.Errorf("read as %+v", b)
	}
	for key, want := range map[string]float64{"median_ttft_ms": 150, "median_tpot_ms": 150, "median_e2el_ms": 650} {
		if got := b.Measured[key]; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %v, want %v", key, got, want)
		}
	}
}

func TestReadBenches(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("results/b.json", aggregated+aggregated)
	write("results/a.json", aggregated)
	write("results/notes.txt", "treasure")
	write("results/summary.json", "["+aggregated+"]")
	benches, err := ReadBenches([]string{filepath.Join(folder, "results"), write("results/a.json", aggregated)})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, b := range benches {
		names = append(names, b.Name)
	}
	if got := strings.Join(names, ", "); got != "a.json, b.json #1, b.json #2" {
		t.Errorf("read %s", got)
	}
	for want, path := range map[string]string{
		"nowhere: cannot be read":        "nowhere",
		"empty: holds no *.json":         filepath.Dir(write("empty/x.txt", "")),
		"other.json: completed = 0: not": write("other.json", "{}"),
	} {
		if _, err := ReadBenches([]string{path}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func FuzzParseBench(f *testing.F) {
	f.Add(aggregated)
	f.Add(detailed)
	f.Add(strings.Replace(detailed, `"itls"`, `"latencies"`, 1))
	f.Add(aggregated + detailed + "{")
	f.Fuzz(func(t *testing.T, text string) {
		found, err := ParseBench(strings.NewReader(text))
		if err != nil {
			var bad *badinput.Error
			if !errors.As(err, &bad) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("not one line of bad input: %v", err)
			}
			return
		}
		for _, b := range found {
			if b.Count < 1 || !(b.Rate > 0) || len(b.Measured) == 0 || len(b.Requests) != 0 && len(b.Requests) != b.Count {
				t.Fatalf("%q gives %+v", text, b)
			}
			last := 0.0
			for _, r := range b.Requests {
				if r.Input < 1 || r.Output < 1 || !(r.Arrival >= last) {
					t.Fatalf("%q gives request %+v after %v", text, r, last)
				}
				last = r.Arrival
			}
		}
	})
}
