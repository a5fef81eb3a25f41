package validate

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"kneepoint/hardware"
	"kneepoint/sim/metrics"
)

var siliconMetrics = []Measured{{Metric: "silicon_ttft_ms", Key: metrics.MeanTTFT}, {Metric: "silicon_tpot_ms", Key: metrics.MeanTPOT}}

// exists reports whether there is something at a path.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// readSilicon reads silicon/closed_loop.csv in dir: runs at a fixed
// concurrency with fixed lengths.
func readSilicon(dir string) ([]Case, error) {
	t, err := readTable(
		filepath.Join(dir, "silicon", "closed_loop.csv"),
		[]string{"id", "backend", "model_path", "system", "precision", "mode",
			"isl", "osl", "batch_size", "tp_size", "attention_dp_size", "moe_ep_size", "silicon_ttft_ms", "silicon_tpot_ms"},
	)
	if err != nil {
		return nil, err
	}
	var cases []Case
	for i := range t.rows {
		c, err := siliconCase(t, i)
		if err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	skipSpeculated(cases, t)
	return cases, nil
}

// siliconCase makes the case of row i. A row that cannot be simulated says why in Skip;
// an error is one of the file.
func siliconCase(t *table, i int) (Case, error) {
	row := t.rows[i]
	c := Case{ID: row["id"], Set: "silicon", Labels: map[string]string{
		"engine": engineProfile(row["backend"], row["backend_version"]), "version": version(row["backend"], row["backend_version"]),
		"precision": siliconPrecision(row), "model": row["model_path"], "mode": row["mode"], "prefill": "computed", "tp": row["tp_size"]}}
	var err error
	if c.Measured, err = t.measured(i, siliconMetrics); err != nil {
		return c, err
	}
	if startsInTheMean(row) {
		c.Measured, c.Labels["prefill"] = withoutMetric(c.Measured, "silicon_ttft"), "unknown"
	}
	a, known := accelerator(row["system"])
	switch {
	case !known:
		c.Skip = "unknown accelerator " + row["system"]
	case c.Labels["engine"] == "":
		c.Skip = "no profile of engine " + row["backend"]
	case row["mode"] == "agg":
		c.Labels["accelerator"] = a.Name
		err = siliconTree(t, i, a, &c)
	case row["mode"] == "disagg":
		c.Labels["accelerator"] = a.Name
		err = disaggregatedTree(t, i, a, &c)
	default:
		c.Skip = "unknown mode " + row["mode"]
	}
	return c, err
}

// siliconPrecision is the precision of weights and activations. Rows that name
// none are the models' own checkpoints.
func siliconPrecision(row map[string]string) string {
	switch precision := strings.TrimSpace(row["precision"]); {
	case precision != "":
		return precision
	case isGPTOSS(row["model_path"]):
		return "fp4"
	default:
		return "bf16"
	}
}

// isGPTOSS tells whether a model is one whose experts are published in MXFP4.
func isGPTOSS(model string) bool { return strings.Contains(model, "gpt-oss") }

// siliconTree sets the experiment of row i, on accelerator a, as the case's tree: as
// many clients as attention groups have slots, each of which sends its next request
// when the last one ends. A batch may have 256 sequences or more: engines are not limited
// to the concurrency that was measured.
func siliconTree(t *table, i int, a *hardware.Accelerator, c *Case) error {
	var x [4]int64
	for k, column := range []string{"isl", "osl", "batch_size", "tp_size"} {
		var err error
		if x[k], err = t.requiredWhole(i, column); err != nil {
			return err
		}
	}
	var split parallelism
	if err := split.read(t, i, ""); err != nil {
		return err
	}
	if x[3]*split.groups*split.stages > int64(a.Server()) {
		c.Skip = unknownNetwork
		return nil
	}
	deployment := map[string]any{"accelerator": a.Name, "engine": c.Labels["engine"], "tp": x[3]}
	split.set(deployment)
	if onFour(t.rows[i]) {
		deployment["gpu_memory_utilization"] = 0.95
	}
	p, slots := protocolOf(t.rows[i]), x[2]*split.groups
	clients := slots + p.queued
	c.Tree = map[string]any{
		"title": c.ID, "model": siliconModel(t.rows[i], a, c.Labels["precision"]), "hardware": deployment,
		"workload": p.workload(clients, x[0], x[1]),
		"strategy": []map[string]any{p.strategy(x[0], stepTokens(t.rows[i]), slots)},
	}
	c.Labels["concurrency"] = strconv.FormatInt(slots, 10)
	c.Held = heldSteps(t.rows[i], float64(clients), (1-p.spread/2)*float64(x[1]), float64(split.groups))
	return nil
}

const unknownNetwork = "the network between its servers is not recorded"

// siliconModel is the [model] table of a row.
func siliconModel(row map[string]string, a *hardware.Accelerator, precision string) map[string]any {
	model := map[string]any{"name": row["model_path"], "weights": precision, "activations": activations(a, precision)}
	if isGPTOSS(row["model_path"]) && model["activations"] == "fp4" {
		model["activations"] = "fp8" // MXFP4 experts have inputs in MXFP8 on Blackwell in the recipes of either engine
	}
	if precision != "bf16" && !inSixteenBits(row) {
		model["kv"] = "fp8" // as these checkpoints and their recipes have it
	}
	return model
}

// inSixteenBits tells whether a server kept keys and values in 16 bits beside quantized weights:
// vLLM's on H100. The recipe of gpt-oss there names no precision for them, so that they have the
// model's (SemiAnalysisAI/InferenceX, benchmarks/gptoss_fp4_h100.sh). Llama-3.1-70B's requests queue
// for 6 to 59 s on two accelerators with 32 and 64 clients, as they do where 224,000 tokens fit, and
// not where 448,000 do.
func inSixteenBits(row map[string]string) bool {
	return row["backend"] == "vllm" && row["system"] == "h100_sxm"
}

// parallelism is how a row's deployment is split beyond tensor parallelism. Experts are
// spread over the same accelerators, so that they need no more of these.
type parallelism struct {
	groups, experts, stages int64 // at least 1
}

// read reads the columns of row i whose names begin with a prefix; an empty cell is 1, and
// so is 0: a model without experts has no groups of them.
func (s *parallelism) read(t *table, i int, prefix string) error {
	for _, cell := range []struct {
		column string
		into   *int64
	}{{"attention_dp_size", &s.groups}, {"moe_ep_size", &s.experts}, {"pp_size", &s.stages}} {
		n, _, err := t.whole(i, prefix+cell.column, 0)
		if err != nil {
			return err
		}
		*cell.into = max(n, 1)
	}
	return nil
}

// set sets the keys of a [hardware] table that differ from their default of 1.
func (s *parallelism) set(deployment map[string]any) {
	for key, n := range map[string]int64{"dp": s.groups, "ep": s.experts, "pp": s.stages} {
		if n > 1 {
			deployment[key] = n
		}
	}
}
