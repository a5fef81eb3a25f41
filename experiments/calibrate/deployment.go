package calibrate

import (
	"math"
	"slices"
	"strings"

	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/units"
	"kneepoint/units/badinput"
	"kneepoint/workloads"
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

// statedBy are keys that are stated elsewhere, and where.
var statedBy = map[string]string{
	"model.name":           "the results, or by --model",
	"hardware.accelerator": "--accelerator",
	"hardware.tp":          "--tp",
	"hardware.engine":      "--engine",
	"hardware.cost_model":  "calibrate: an engine's constants count with the roofline alone",
}

// resolve sets the model to that of the results where it was not named, and refuses
// names that are not known, and results of several models.
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
		return &badinput.Error{
			File:    benches[0].Name,
			Key:     "model_id",
			Value:   d.Model,
			Problem: "not a model of the catalog",
			Allowed: "--model with a name that `kneepoint list models` shows",
		}
	}
	return nil
}

// checkSet refuses keys that are not of the deployment: other traffic, another way to
// measure it or another seed would be a fit to something that nobody measured. It also
// refuses those that are stated elsewhere.
func (d *Deployment) checkSet() error {
	for _, assignment := range d.Set {
		key, _, isAssignment := strings.Cut(assignment, "=")
		if key = strings.TrimSpace(key); !isAssignment {
			continue // which the experiment refuses
		}
		if by := statedBy[key]; by != "" {
			return &badinput.Error{Key: "--set", Value: assignment, Problem: key + " is stated by " + by, Allowed: "other keys of the deployment"}
		}
		if !ofDeployment(key) {
			return &badinput.Error{
				Key:     "--set",
				Value:   assignment,
				Problem: "not a key of the deployment: the benchmark says what was sent, and how it was measured",
				Allowed: "model.KEY, hardware.KEY, or strategy." + StrategyName + ".KEY",
			}
		}
	}
	return nil
}

// ofDeployment tells whether a key is one of the model, the hardware or the strategy. The
// strategy has no deployment of its own, since there is no other.
func ofDeployment(key string) bool {
	table, rest, _ := strings.Cut(key, ".")
	if table != "strategy" {
		return (table == "model" || table == "hardware") && rest != ""
	}
	rest, named := strings.CutPrefix(rest, StrategyName+".")
	first, _, _ := strings.Cut(rest, ".")
	return named && !slices.Contains([]string{"", "name", "model", "hardware"}, first)
}

// requestsPath is what the experiment of a benchmark calls its requests, which are
// in no file.
const requestsPath = "requests"

// tree is the experiment that repeats a benchmark, with the engine's own limits.
func (d *Deployment) tree(b *Bench) map[string]any {
	return map[string]any{
		"title":    b.Name,
		"model":    map[string]any{"name": d.Model},
		"hardware": map[string]any{"accelerator": d.Accelerator, "tp": int64(d.TP), "engine": d.Engine},
		"workload": b.workload(),
		"strategy": []map[string]any{{"name": StrategyName}},
	}
}

// workload repeats the requests: at their times where these are known, else
// with gaps of the stated law that are rescaled to the stated rate, as the
// benchmark does.
func (b *Bench) workload() map[string]any {
	w := map[string]any{"arrival": b.arrival()}
	if len(b.Requests) > 0 {
		w["trace"] = map[string]any{"path": requestsPath, "format": "measured"}
		return w
	}
	w["num_requests"] = int64(b.Count)
	w["input"] = map[string]any{"type": "fixed", "mean": int64(b.Mean.Input)}
	w["output"] = map[string]any{"type": "fixed", "mean": int64(b.Mean.Output)}
	return w
}

// arrival is the [workload.arrival] table. Gaps of very large burstiness are constant.
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

// trace is the requests of a benchmark, to be replayed.
func (b *Bench) trace() (*workloads.Trace, error) {
	rows := make([]workloads.TraceRow, len(b.Requests))
	for i, q := range b.Requests {
		rows[i] = workloads.TraceRow{Arrival: units.Seconds(q.Arrival), Input: q.Input, Output: q.Output}
	}
	return workloads.NewTrace(rows)
}
