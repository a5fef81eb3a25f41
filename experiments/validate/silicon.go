package validate

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"kneepoint/hardware"
	"kneepoint/sim/metrics"
)

// protocol is what closed_loop.csv does not say of how a row was measured, and
// TTFT depends on: with lengths that are all the same, clients that start
// together stay together, and every prompt waits for all others.
type protocol struct {
	waves    int64   // requests of each client
	spread   float64 // lengths are uniform in [(1 - spread)·stated, stated]
	oneByOne bool    // a step has room for one prompt and the decodes of the batch
	queued   int64   // requests in flight beyond the engine's slots
}

// stepTokens is the size of a step in the recipes of the InferenceMAX benchmarks.
const stepTokens = 8192

// usualProtocol is that of the InferenceMAX benchmarks, from which most rows
// come: ten requests per client, --random-range-ratio 0.8.
var usualProtocol = protocol{waves: 10, spread: 0.2}

// protocols are those of campaigns whose TTFT shows that they were measured in
// another way. All prompts came at once, and once; or lengths were as stated and
// prompts passed one by one, so that clients follow each other for good: TTFT is
// then that of three steps with a prompt each, whatever the concurrency. Of the
// 8B model one request more than there were slots was in flight, which waits for a
// request's time over the concurrency.
var protocols = map[string]protocol{
	"sglang 0.5.1.post1": {waves: 1},
	"trtllm 1.0.0rc3":    {waves: 10, oneByOne: true},
	"trtllm 1.0.0rc3 meta-llama/Llama-3.1-8B-Instruct": {waves: 10, oneByOne: true, queued: 1},
}

// protocolOf is how a row was measured.
func protocolOf(row map[string]string) protocol {
	campaign := row["backend"] + " " + row["backend_version"]
	for _, key := range []string{campaign + " " + row["model_path"], campaign} {
		if p, special := protocols[key]; special {
			return p
		}
	}
	return usualProtocol
}

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
	return cases, nil
}

// siliconCase makes the case of row i. A row that cannot be simulated says why in Skip;
// an error is one of the file.
func siliconCase(t *table, i int) (Case, error) {
	row := t.rows[i]
	c := Case{ID: row["id"], Set: "silicon", Labels: map[string]string{
		"engine": engineProfile(row["backend"]), "precision": siliconPrecision(row), "model": row["model_path"], "mode": row["mode"], "prefill": "computed"}}
	var err error
	if c.Measured, err = t.measured(i, siliconMetrics); err != nil {
		return c, err
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
	case strings.Contains(row["model_path"], "gpt-oss"):
		return "fp4"
	default:
		return "bf16"
	}
}

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
	p, slots := protocolOf(t.rows[i]), x[2]*split.groups
	clients := slots + p.queued
	c.Tree = map[string]any{
		"title": c.ID, "model": siliconModel(t.rows[i], a, c.Labels["precision"]), "hardware": deployment,
		"workload": p.workload(clients, x[0], x[1]),
		"strategy": []map[string]any{p.strategy(x[0], slots)},
	}
	c.Labels["concurrency"] = strconv.FormatInt(slots, 10)
	return nil
}

const unknownNetwork = "the network between its servers is not recorded"

// siliconModel is the [model] table of a row.
func siliconModel(row map[string]string, a *hardware.Accelerator, precision string) map[string]any {
	model := map[string]any{"name": row["model_path"], "weights": precision, "activations": activations(a, precision)}
	if precision != "bf16" {
		model["kv"] = "fp8" // as these checkpoints and their recipes have it
	}
	return model
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

// workload is that of clients who send one request after another.
func (p protocol) workload(clients, input, output int64) map[string]any {
	return map[string]any{
		"num_requests": clients * p.waves,
		"arrival":      map[string]any{"process": "closed", "concurrency": clients, "start": "at_once"},
		"input":        p.lengths(input),
		"output":       p.lengths(output),
	}
}

// strategy is the [[strategy]] table of a run with prompts of a number of tokens and a
// number of slots for requests in flight.
func (p protocol) strategy(prompt, slots int64) map[string]any {
	strategy := map[string]any{"name": "measured", "max_num_seqs": max(slots, 256), "max_num_batched_tokens": int64(stepTokens)}
	if p.queued > 0 {
		strategy["max_num_seqs"] = slots
	}
	if p.oneByOne {
		strategy["max_num_batched_tokens"] = prompt + slots
	}
	return strategy
}

// lengths is the law of a stated length in tokens.
func (p protocol) lengths(stated int64) map[string]any {
	if p.spread == 0 {
		return map[string]any{"type": "fixed", "mean": stated}
	}
	return map[string]any{"type": "uniform", "min": int64((1 - p.spread) * float64(stated)), "max": stated}
}
