package calibrate

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/scenario"
)

// TestEveryColumnOfStepsHasAnEffect changes a value of every column of a table of steps: the fit
// changes. Of the time columns a table has one.
func TestEveryColumnOfStepsHasAnEffect(t *testing.T) {
	header := slices.Concat(stepColumns, []string{"time_ms", "split"})
	table := func(header, row []string) string {
		text := strings.Join(header, ",") + "\n" + strings.Join(row, ",") + "\n"
		for _, r := range []string{"128,0,0,0,18,train", "512,0,0,0,38,train", "2048,0,0,0,120,train", "4000,4000,0,0,300,train", "0,0,1,200,9,train",
			"0,0,4,9000,10,train", "0,0,64,32000,14,train", "0,0,256,100000,27,train", "512,0,8,4000,39,holdout", "1024,9,3,900,60,train"} {
			text += r + "\n"
		}
		return text
	}
	fit := func(header, row []string) string {
		t.Helper()
		steps, err := ParseSteps(strings.NewReader(table(header, row)))
		if err != nil {
			t.Fatal(err)
		}
		f, err := FitSteps(t.Context(), steps, 0.2)
		if err != nil {
			t.Fatal(err)
		}
		return f.Profile("x")
	}
	row := []string{"700", "300", "5", "4000", "60", "train"}
	changed := map[string]string{"prefill_tokens": "600", "prefill_context": "900", "decode_sequences": "9", "decode_context_tokens": "90000", "split": "holdout"}
	before := fit(header, row)
	for i, column := range header {
		other := slices.Clone(row)
		if _, isTime := timeColumns[column]; isTime {
			other[i] = "90"
		} else if other[i] = changed[column]; other[i] == "" {
			t.Fatalf("no change of %s", column)
		}
		if fit(header, other) == before {
			t.Errorf("%s %s instead of %s: the same fit", column, other[i], row[i])
		}
	}
	for column := range timeColumns {
		other := slices.Clone(header)
		if other[4] = column; column != "time_ms" && fit(other, row) == before {
			t.Errorf("%s instead of time_ms: the same fit", column)
		}
	}
}

// resultChanges are what stands in a result, and what instead, for each key: in the
// aggregated one, and in the detailed one for the keys that begin with a star.
var resultChanges = map[string][2]string{
	"model_id":            {`"m"`, `"opt-13b"`},
	"request_rate":        {"4.0", "5.0"},
	"burstiness":          {"1.0", "0.5"},
	"max_concurrency":     {"null", "3"},
	"ramp_up_strategy":    {`"failed"`, `"ramp_up_strategy": "linear", "failed"`}, // refused
	"completed":           {`"completed": 10`, `"completed": 11`},
	"failed":              {`"failed": 0`, `"failed": 5`}, // refused
	"total_input_tokens":  {"1004", "2004"},
	"total_output_tokens": {"501", "801"},
	"median_ttft_ms":      {"40.5", "41.5"},
	"median_tpot_ms":      {"8.25", "8.5"},
	"median_e2el_ms":      {`"failed"`, `"median_e2el_ms": 700, "failed"`},
	"*input_lens":         {"[100, 200", "[101, 200"},
	"*output_lens":        {"[3, 1", "[4, 1"},
	"*ttfts":              {"[0.2", "[0.3"},
	"*itls":               {"[[0.01", "[[0.09"},
	"*latencies":          {`"ttfts"`, `"latencies": [0.5, 0.1, 0, 0.9], "ttfts"`},
	"*start_times":        {"1001.0", "1000.5"},
	"*queue_times":        {`"queue_times": [0.5`, `"queue_times": [0.2`},
}

// TestEveryKeyOfAResultHasAnEffect changes the value of every key that is read of a
// benchmark's result: what is simulated changes, or what is fitted to, or it is refused.
func TestEveryKeyOfAResultHasAnEffect(t *testing.T) {
	outcome := func(text string) string {
		benches, err := ParseBench(strings.NewReader(strings.ReplaceAll(text, `"m"`, `"llama-3.1-8b"`)))
		if err != nil {
			return "refused"
		}
		benches[0].Name = "result"
		d := Deployment{Model: benches[0].Model, Accelerator: "h100-sxm", TP: 1, Engine: "vllm-v1"}
		x, err := d.scenario(&benches[0], &scenario.Traces{})
		if err != nil {
			t.Fatal(err)
		}
		fitted, err := json.Marshal(benches[0].Measured)
		if err != nil {
			t.Fatal(err)
		}
		return x.Key() + string(fitted)
	}
	for _, key := range resultKeys() {
		text := aggregated
		change, there := resultChanges[key]
		if !there {
			change, there = resultChanges["*"+key]
			text = detailed
		}
		if !there || !strings.Contains(text, change[0]) {
			t.Errorf("no change of %s", key)
			continue
		}
		before, after := outcome(text), outcome(strings.Replace(text, change[0], change[1], 1))
		if before == "refused" || before == after {
			t.Errorf("%s: %s instead of %s changes nothing", key, change[1], change[0])
		}
	}
	if fields := reflect.TypeFor[benchResult]().NumField(); fields != len(resultChanges) {
		t.Errorf("%d changes of %d keys", len(resultChanges), fields)
	}
}
