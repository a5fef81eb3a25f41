package validate

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kneepoint/units/badinput"
)

// e2eColumns are the columns of the files that tests write, in their order.
const e2eColumns = "id,model,gpu,tp,precision,engine,engine_version,request_rate_rps,num_requests,prompt_tokens_mean,output_tokens_mean,per_request_file,distinct_prompts,prefix_caching,kv_tokens_gpu,gpu_memory_utilization,max_num_seqs,max_num_batched_tokens,cpu_offload,client,dp,ep,replicas,max_model_len,ttft_mean_ms,ttft_p50_ms,ttft_p90_ms,ttft_p95_ms,ttft_p99_ms,tpot_mean_ms,tpot_p50_ms,tpot_p90_ms,tpot_p95_ms,tpot_p99_ms,e2e_mean_ms,e2e_p50_ms,e2e_p90_ms,e2e_p95_ms,e2e_p99_ms"

// e2eRow is a row with the settings that tests change: column=value.
func e2eRow(changes ...string) string {
	return csvRow(e2eColumns, []string{"id=run", "model=meta-llama/Llama-3.1-8B-Instruct", "gpu=H100-SXM5-80GB", "tp=1", "precision=bf16", "engine=vLLM",
		"request_rate_rps=4", "num_requests=40", "prompt_tokens_mean=200", "output_tokens_mean=50", "ttft_mean_ms=20", "tpot_mean_ms=8",
		"e2e_mean_ms=400", "e2e_p99_ms=500"}, changes)
}

const siliconColumns = "id,backend,backend_version,model_path,system,precision,mode,isl,osl,batch_size,tp_size,pp_size,attention_dp_size,moe_ep_size,silicon_ttft_ms,silicon_tpot_ms," +
	"prefill_num_workers,prefill_batch_size,prefill_tp_size,prefill_pp_size,prefill_attention_dp_size,prefill_moe_ep_size," +
	"decode_num_workers,decode_batch_size,decode_tp_size,decode_pp_size,decode_attention_dp_size,decode_moe_ep_size"

func siliconRow(changes ...string) string {
	return csvRow(siliconColumns, []string{"id=run", "backend=vllm", "model_path=meta-llama/Llama-3.1-8B-Instruct", "system=h100_sxm", "mode=agg",
		"isl=1000", "osl=100", "batch_size=4", "tp_size=1", "pp_size=1", "silicon_ttft_ms=50", "silicon_tpot_ms=8"}, changes)
}

// disaggregated are the cells of a row whose prompts and answers have a worker each.
var disaggregated = []string{"mode=disagg", "prefill_num_workers=1", "prefill_batch_size=1", "decode_num_workers=1", "decode_batch_size=4"}

func disaggregatedRow(changes ...string) string {
	return siliconRow(append(slices.Clone(disaggregated), changes...)...)
}

func csvRow(columns string, settings, changes []string) string {
	cells := map[string]string{}
	for _, s := range append(settings, changes...) {
		column, value, _ := strings.Cut(s, "=")
		cells[column] = value
	}
	names := strings.Split(columns, ",")
	for i, name := range names {
		names[i] = cells[name]
	}
	return strings.Join(names, ",")
}

// measurements writes a folder of measurements with such rows.
func measurements(t *testing.T, e2e, silicon []string) string {
	t.Helper()
	dir := t.TempDir()
	e2e, silicon = numbered(e2e), numbered(silicon)
	if e2e != nil {
		write(t, filepath.Join(dir, "e2e", "experiments.csv"), e2eColumns+"\n"+strings.Join(e2e, "\n")+"\n")
	}
	if silicon != nil {
		write(t, filepath.Join(dir, "silicon", "closed_loop.csv"), siliconColumns+"\n"+strings.Join(silicon, "\n")+"\n")
	}
	return dir
}

// numbered gives rows that are all called "run" names of their own.
func numbered(rows []string) []string {
	rows = slices.Clone(rows)
	for i := 1; i < len(rows); i++ {
		if rest, ok := strings.CutPrefix(rows[i], "run,"); ok {
			rows[i] = fmt.Sprintf("run %d,%s", i+1, rest)
		}
	}
	return rows
}

// write writes a file, gzipped where its name says so.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w := io.WriteCloser(file)
	if strings.HasSuffix(path, ".gz") {
		w = gzip.NewWriter(file)
		defer w.Close()
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
}

// read reads measurements that must be right.
func read(t *testing.T, dir string) []Case {
	t.Helper()
	cases, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// one reads the only case of a file with one row.
func one(t *testing.T, e2e, silicon []string) Case {
	t.Helper()
	cases := read(t, measurements(t, e2e, silicon))
	if len(cases) != 1 {
		t.Fatalf("%d cases, want 1", len(cases))
	}
	return cases[0]
}

// simulated runs cases that must not fail.
func simulated(t *testing.T, cases []Case) ([]Row, []Skipped) {
	t.Helper()
	rows, skipped, err := Run(t.Context(), cases, 2, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	return rows, skipped
}

// refused fails unless err is wrong input, told in one line, that contains all of want.
func refused(t *testing.T, err error, want ...string) {
	t.Helper()
	var bad *badinput.Error
	if !errors.As(err, &bad) {
		t.Fatalf("got %v, want a *badinput.Error", err)
	}
	for _, text := range want {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("%q does not say %q", err, text)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("%q has two lines", err)
	}
}
