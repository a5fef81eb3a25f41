package validate

import (
	"errors"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"kneepoint/hardware"
	"kneepoint/units/badinput"
	"kneepoint/workloads"
)

// e2eMetrics are the measured columns and the results that predict them.
var e2eMetrics = latencyColumns([]string{"ttft", "tpot", "e2e"}, map[string]string{"e2e": "e2el"})

// latencyColumns are the columns of latencies with the keys of results, whose names for
// statistics and for some latencies differ.
func latencyColumns(names []string, keys map[string]string) []Measured {
	var all []Measured
	for _, name := range names {
		key := name
		if k, ok := keys[name]; ok {
			key = k
		}
		for _, s := range []struct{ column, key string }{{"mean", "mean"}, {"p50", "median"}, {"p90", "p90"}, {"p95", "p95"}, {"p99", "p99"}} {
			all = append(all, Measured{Metric: name + "_" + s.column + "_ms", Key: s.key + "_" + key + "_ms"})
		}
	}
	return all
}

// readE2E reads e2e/experiments.csv in dir: runs at a given rate, or with the requests
// of a file of their own.
func readE2E(dir string) ([]Case, error) {
	t, err := readTable(filepath.Join(dir, "e2e", "experiments.csv"), []string{"id", "model", "gpu", "tp", "precision", "engine",
		"request_rate_rps", "num_requests", "prompt_tokens_mean", "output_tokens_mean", "per_request_file", "ttft_mean_ms", "tpot_mean_ms", "e2e_mean_ms"})
	if err != nil {
		return nil, err
	}
	var cases []Case
	for i := range t.rows {
		c, err := e2eCase(t, i, filepath.Join(dir, "e2e"))
		if err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// e2eCase makes the case of row i. A row that cannot be simulated says why in Skip; an
// error is one of the file.
func e2eCase(t *table, i int, folder string) (Case, error) {
	row := t.rows[i]
	c := Case{ID: row["id"], Set: "e2e", Folder: folder}
	var err error
	if c.Measured, err = t.measured(i, e2eMetrics); err != nil {
		return c, err
	}
	c.Labels = map[string]string{
		"engine":    engineProfile(row["engine"], ""),
		"version":   version(row["engine"], row["engine_version"]),
		"tp":        row["tp"],
		"precision": e2ePrecision(row),
		"model":     row["model"],
		"prefill":   prefillKind(row),
	}
	a, known := accelerator(row["gpu"])
	switch {
	case !known:
		c.Skip = "unknown accelerator " + row["gpu"]
	case c.Labels["engine"] == "":
		c.Skip = "no profile of engine " + row["engine"]
	case strings.Contains(row["cpu_offload"], "LMCache KV offload"):
		c.Skip = "KV offload to the CPU changes this run and is not simulated"
	}
	if c.Labels["prefill"] == "unknown" {
		c.Measured = withoutMetric(c.Measured, "ttft_")
	}
	if c.Skip == "" {
		c.Labels["accelerator"] = a.Name
		err = e2eTree(t, i, a, &c)
	}
	return c, err
}

// e2ePrecision is the precision of weights and activations, without a remark in brackets; the 16-bit formats
// cost the same.
func e2ePrecision(row map[string]string) string {
	precision, _, _ := strings.Cut(strings.ToLower(row["precision"]), "(")
	switch precision = strings.TrimSpace(precision); precision {
	case "", "fp16/bf16", "auto":
		return "bf16"
	case "awq", "gptq", "w4a16":
		return "int4"
	case "w8a8":
		return "int8"
	default:
		return precision
	}
}

// prefillKind says whether prompts were computed or found in the prefix cache.
// Of multi-turn conversations it is not known, which makes their measured TTFT
// useless.
func prefillKind(row map[string]string) string {
	switch {
	case row["distinct_prompts"] != "":
		return "cached"
	case strings.Contains(strings.ToLower(row["prefix_caching"]), "unknown"):
		return "unknown"
	default:
		return "computed"
	}
}

// withoutMetric leaves out the measured numbers whose name has a prefix.
func withoutMetric(all []Measured, prefix string) []Measured {
	var kept []Measured
	for _, m := range all {
		if !strings.HasPrefix(m.Metric, prefix) {
			kept = append(kept, m)
		}
	}
	return kept
}

// e2eTree sets the experiment of row i, on accelerator a, as the case's tree. What the
// row leaves open stays at the defaults of experiments, which are the engine's own.
func e2eTree(t *table, i int, a *hardware.Accelerator, c *Case) error {
	row := t.rows[i]
	tp, err := t.requiredWhole(i, "tp")
	if err != nil {
		return err
	}
	precision := c.Labels["precision"]
	deployment := map[string]any{"accelerator": a.Name, "tp": tp, "engine": c.Labels["engine"]}
	model := map[string]any{"name": row["model"], "weights": precision, "activations": activations(a, precision)}
	strategy := map[string]any{"name": "measured"}
	for _, setting := range []struct {
		column string
		table  map[string]any
		key    string
	}{
		{"dp", deployment, "dp"},
		{"ep", deployment, "ep"},
		{"replicas", deployment, "replicas"},
		{"kv_tokens_gpu", deployment, "kv_tokens"},
		{"max_model_len", model, "max_model_len"},
		{"max_num_seqs", strategy, "max_num_seqs"},
		{"max_num_batched_tokens", strategy, "max_num_batched_tokens"},
	} {
		n, given, err := t.whole(i, setting.column, 1)
		if err != nil {
			return err
		}
		if given {
			setting.table[setting.key] = n
		}
	}
	utilization, given, err := t.positive(i, "gpu_memory_utilization")
	if err == nil && utilization > 1 {
		err = t.wrong(i, "gpu_memory_utilization", "more than all of the memory", "a share, above 0 and at most 1")
	}
	if err != nil {
		return err
	}
	if given && deployment["kv_tokens"] == nil { // which says what it leaves
		deployment["gpu_memory_utilization"] = utilization
	}
	workload, err := e2eWorkload(t, i, c.Folder)
	c.Tree = map[string]any{"title": c.ID, "model": model, "hardware": deployment, "workload": workload,
		"strategy": []map[string]any{strategy}}
	return err
}

// checkRequests refuses a file of requests that cannot be replayed.
func (t *table) checkRequests(i int, path string) error {
	_, err := workloads.LoadTrace(path, workloads.TraceSpec{Path: path, Format: "measured"})
	var bad *badinput.Error
	if errors.As(err, &bad) && bad.File == "" {
		return t.wrong(i, "per_request_file", bad.Problem, "a file beside this one, or an empty cell")
	}
	return err
}

// inFlight is how a client says that it had a limit of requests in flight.
var inFlight = regexp.MustCompile(`max (\d+) in flight`)

// e2eWorkload replays the per-request file of a row, or has its fixed lengths
// arrive at its rate: exponential gaps, rescaled to the length of the run as
// the load generator does it.
func e2eWorkload(t *table, i int, folder string) (map[string]any, error) {
	row := t.rows[i]
	if file := row["per_request_file"]; file != "" {
		if err := t.checkRequests(i, filepath.Join(folder, file)); err != nil {
			return nil, err
		}
		workload := map[string]any{"trace": map[string]any{"path": file, "format": "measured"}}
		if limit := inFlight.FindStringSubmatch(row["client"]); limit != nil {
			n, err := strconv.ParseInt(limit[1], 10, 32)
			workload["arrival"] = map[string]any{"process": "trace", "max_concurrency": n}
			return workload, err
		}
		return workload, nil
	}
	requests, err := t.requiredWhole(i, "num_requests")
	if err != nil {
		return nil, err
	}
	var x [3]float64
	for k, column := range []string{"request_rate_rps", "prompt_tokens_mean", "output_tokens_mean"} {
		if x[k], err = t.required(i, column); err != nil {
			return nil, err
		}
	}
	workload := map[string]any{
		"num_requests": requests,
		"arrival":      map[string]any{"process": "poisson", "rate": x[0], "normalize": true},
		"input":        map[string]any{"type": "fixed", "mean": x[1]},
		"output":       map[string]any{"type": "fixed", "mean": x[2]},
	}
	distinct, given, err := t.whole(i, "distinct_prompts", 1)
	if given {
		workload["prefix"] = map[string]any{"distinct": distinct}
	}
	return workload, err
}
