package calibrate

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/units/badinput"
)

// Deployment is what the benchmark's server ran on.
type Deployment struct {
	Model       string // empty: as the results name it
	Accelerator string
	TP          int
	Engine      string   // profile to start from: a name of the catalog, or a path
	Set         []string // other keys of the experiment, as KEY=VALUE
}

// StrategyName is the name of the strategy in the experiment that repeats a
// benchmark.
const StrategyName = "measured"

// resolve takes the model from the results when it was not named, and refuses
// names that are not known.
func (d *Deployment) resolve(benches []Bench) error {
	if _, err := hardware.LookupAccelerator(d.Accelerator); err != nil {
		return badinput.At("--accelerator", err)
	}
	if d.TP < 1 {
		return &badinput.Error{Key: "--tp", Value: d.TP, Problem: "must be greater than 0"}
	}
	if d.Model != "" {
		_, err := model.Lookup(d.Model)
		return badinput.At("--model", err)
	}
	for _, b := range benches {
		if b.Model != benches[0].Model {
			return &badinput.Error{File: b.Name, Key: "model_id", Value: b.Model, Problem: "another model than in " + benches[0].Name,
				Allowed: "results of one deployment, or --model"}
		}
	}
	d.Model = benches[0].Model
	if _, err := model.Lookup(d.Model); err != nil {
		return &badinput.Error{File: benches[0].Name, Key: "model_id", Value: d.Model, Problem: "not a model of the catalog", Allowed: "--model with a name that `kneepoint list models` shows"}
	}
	return nil
}

// tree is the experiment that repeats a benchmark; trace is the file with its
// requests, where it has them.
func (d *Deployment) tree(b *Bench, trace, engine string) map[string]any {
	strategy := map[string]any{"name": StrategyName}
	if a, err := hardware.LookupAccelerator(d.Accelerator); err == nil && strings.HasPrefix(d.Engine, "vllm-v1") {
		strategy["max_num_batched_tokens"] = int64(a.VLLMTokenBudget())
	}
	return map[string]any{
		"title":    b.Name,
		"model":    map[string]any{"name": d.Model},
		"hardware": map[string]any{"accelerator": d.Accelerator, "tp": int64(d.TP), "engine": engine},
		"workload": b.workload(trace),
		"strategy": []map[string]any{strategy},
	}
}

// workload repeats the requests: at their times where these are known, else
// with gaps of the stated law that are rescaled to the stated rate, as the
// benchmark does.
func (b *Bench) workload(trace string) map[string]any {
	w := map[string]any{"arrival": b.arrival()}
	if trace != "" {
		w["trace"] = map[string]any{"path": trace, "format": "measured"}
		return w
	}
	w["num_requests"] = int64(b.Count)
	w["input"] = map[string]any{"type": "fixed", "mean": int64(b.Mean.Input)}
	w["output"] = map[string]any{"type": "fixed", "mean": int64(b.Mean.Output)}
	return w
}

func (b *Bench) arrival() map[string]any {
	a := map[string]any{"process": "gamma", "rate": b.Rate, "burstiness": b.Burstiness, "normalize": true}
	switch {
	case b.Scheduled:
		a = map[string]any{"process": "trace"}
	case math.IsInf(b.Rate, 1):
		a = map[string]any{"process": "at_once"}
	case b.Burstiness > 1e6:
		a = map[string]any{"process": "constant", "rate": b.Rate}
	}
	if b.MaxConcurrency > 0 {
		a["max_concurrency"] = int64(b.MaxConcurrency)
	}
	return a
}

// writeTrace writes the requests of a benchmark to a file that a workload can
// replay; it returns "" for one without.
func (b *Bench) writeTrace(folder string, number int) (string, error) {
	if len(b.Requests) == 0 {
		return "", nil
	}
	path := filepath.Join(folder, "requests-"+strconv.Itoa(number)+".csv")
	file, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	table := csv.NewWriter(file)
	if err := table.Write([]string{"arrival_s", "prompt_tokens", "output_tokens"}); err != nil {
		return "", err
	}
	for _, q := range b.Requests {
		row := []string{strconv.FormatFloat(q.Arrival, 'f', -1, 64), strconv.Itoa(q.Input), strconv.Itoa(q.Output)}
		if err := table.Write(row); err != nil {
			return "", err
		}
	}
	table.Flush()
	return path, table.Error()
}
