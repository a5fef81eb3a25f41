package results

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"strings"

	"kneepoint/sim/metrics"
)

// BenchLog writes runs as results of `vllm bench serve --save-result`, one file a run, and all
// of them in one list, as `vllm bench sweep` leaves them.
type BenchLog struct {
	folder *Folder
	plan   *Plan
	runs   []map[string]any // as in the list
}

// The files of a folder of benchmarks. The prefix and the commands are what the scripts of
// vLLM's performance suite look for.
const (
	benchPrefix    = "serving-"
	benchCommands  = ".commands"
	benchSummary   = "summary.json"
	mostNameLength = 80 // bytes of a file's name that say what the run is
)

// NewBenchLog starts benchmarks in the folder, of runs of a plan. Close must follow.
func (f *Folder) NewBenchLog(plan *Plan) *BenchLog { return &BenchLog{folder: f, plan: plan} }

// Add writes one run. With a record its requests are in the file one by one, as
// --save-detailed has them; rec is read during the call alone. Runs must be added one at a
// time, in the order of results. Errors are those of the files.
func (l *BenchLog) Add(run *Run, rec *metrics.Record) error {
	b := l.plan.bench(run)
	l.runs = append(l.runs, b)
	name := fmt.Sprintf("%s%04d-%s", benchPrefix, len(l.runs), l.plan.fileName(run))
	if err := l.folder.Create(name+benchCommands, encoded(commands(b))); err != nil {
		return err
	}
	if rec != nil {
		b = maps.Clone(b)
		maps.Copy(b, benchRequests(rec))
	}
	return l.folder.Create(name+".json", encoded(b))
}

// Close writes the list of all runs.
func (l *BenchLog) Close() error { return l.folder.Create(benchSummary, encoded(list(l.runs))) }

func encoded(v any) func(io.Writer) error {
	return func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		return e.Encode(v)
	}
}

// fileName says in a file's name which strategy a run is of, and at which point.
func (p *Plan) fileName(run *Run) string {
	text := run.Strategy
	for i := range p.Sweep {
		text += "-" + p.Sweep[i].cell(run.Point[p.Sweep[i].Path])
	}
	name := []byte(text[:min(len(text), mostNameLength)])
	for i, c := range name {
		if !strings.ContainsRune("-._", rune(c)) && (c < '0' || c > '9') && (c|' ' < 'a' || c|' ' > 'z') {
			name[i] = '_'
		}
	}
	return fmt.Sprintf("%s-run%d", name, run.Replication)
}

// noDate is the date of every benchmark: files of equal runs are equal.
const noDate = "19700101-000000"

// bench is a run as a benchmark, without its requests: vLLM's keys first, then what it was run
// on, by the names of vLLM's flags, the swept values by their paths, and every metric. A
// metric without a value is null.
func (p *Plan) bench(run *Run) map[string]any {
	d := p.deployment(run)
	accelerators := make([]string, d.TP*d.PP*d.DP*d.Replicas)
	for i := range accelerators {
		accelerators[i] = d.Accelerator
	}
	b := map[string]any{
		"date": noDate, "endpoint_type": Tool, "backend": Tool, "label": run.Strategy, "model_id": d.Model, "tokenizer_id": d.Model,
		"num_prompts": run.sent(), "failed": run.Metrics.Offered() - run.Metrics[metrics.CompletedRequests],
		"tensor_parallel_size": d.TP, "pipeline_parallel_size": d.PP, "data_parallel_size": d.DP * d.Replicas, // replicas, too, are vLLM's
		"num_gpus": len(accelerators), "gpu_type": strings.Join(accelerators, "\n"), // as nvidia-smi lists them
		"kneepoint_version": p.Version, "experiment": p.Name, "strategy": run.Strategy, "seed": run.Seed, "run_number": run.Replication,
	}
	maps.Copy(b, p.traffic(run).bench(run))
	for path, v := range run.Point {
		b[path] = v
	}
	for _, d := range metrics.Definitions {
		b[d.Key] = nil
		if x, there := run.Metrics[d.Key]; there {
			b[d.Key] = x
		}
	}
	return b
}

// bench is the traffic as the flags of vLLM's benchmark would say it. A closed loop is an
// infinite rate with a limit on what is in flight. The rate of traffic that has none of its own
// is the one that was offered.
func (t *Traffic) bench(run *Run) map[string]any {
	all := map[string]any{"request_rate": any("inf"), "burstiness": 1.0, "max_concurrency": nil}
	closed := max(t.Concurrency, t.Users)
	if limit := max(closed, t.MaxConcurrency); limit > 0 {
		all["max_concurrency"] = limit
	}
	if closed > 0 || t.Process == "at_once" {
		return all
	}
	offered, known := run.Metrics[metrics.OfferedRate]
	switch {
	case t.Rate > 0 && !t.Conversations && !t.OwnArrivals:
		all["request_rate"] = t.Rate
	case known:
		all["request_rate"] = offered
	}
	switch {
	case t.Process == "constant":
		all["burstiness"] = "inf"
	case t.Burstiness > 0:
		all["burstiness"] = t.Burstiness
	default:
		all["burstiness"] = nil // no gamma law of gaps
	}
	return all
}

// commands are those that would measure the same of vLLM, as far as flags can say it: vLLM's
// scripts read the columns of their tables from them.
func commands(b map[string]any) map[string]string {
	serve := fmt.Sprintf("vllm serve %s --tensor-parallel-size %v --pipeline-parallel-size %v --data-parallel-size %v",
		quoted(b["model_id"]), b["tensor_parallel_size"], b["pipeline_parallel_size"], b["data_parallel_size"])
	bench := fmt.Sprintf("vllm bench serve --model %s --request-rate %v --num-prompts %v",
		quoted(b["model_id"]), b["request_rate"], b["num_prompts"])
	if limit := b["max_concurrency"]; limit != nil {
		bench += fmt.Sprintf(" --max-concurrency %v", limit)
	}
	return map[string]string{"server_command": serve, "client_command": bench}
}

// quoted is text as a shell reads it as one word.
func quoted(text any) string { return "'" + strings.ReplaceAll(fmt.Sprint(text), "'", `'\''`) + "'" }

// benchRequests are the requests of a run by list, times in seconds. One that did not complete
// has no tokens and an error. Nothing generates texts, and the times between single tokens are
// not recorded, so that itls is left out: latencies has when each ended.
func benchRequests(rec *metrics.Record) map[string]any {
	n := len(rec.Requests)
	inputs, outputs, texts, errs := make([]int32, n), make([]int32, n), make([]string, n), make([]string, n)
	starts, queues, ttfts, latencies := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range rec.Requests {
		r := &rec.Requests[i]
		inputs[i], starts[i], queues[i] = r.Input, float64(r.Arrival), float64(r.ClientQueue)
		if r.State != metrics.Completed {
			errs[i] = r.State.String()
			continue
		}
		outputs[i], ttfts[i], latencies[i] = r.Generated, float64(r.TTFT()), float64(r.E2EL())
	}
	return map[string]any{"input_lens": inputs, "output_lens": outputs, "ttfts": ttfts, "latencies": latencies,
		"start_times": starts, "queue_times": queues, "generated_texts": texts, "errors": errs}
}
