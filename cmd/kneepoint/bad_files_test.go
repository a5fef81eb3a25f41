package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// reader is a file that kneepoint reads, and the command line that has it read.
type reader struct {
	name string   // of the file
	args []string // which name it
	good string   // its text

	columns []string // of a table: with numbers in all that are not words
	words   []string // the columns that hold no number
	empty   []string // the columns that may be empty
	json    bool     // an object a line, with columns as keys; else CSV
}

const (
	benchResult = `{"model_id": "llama-3.1-8b", "request_rate": 4.5, "burstiness": 1, "completed": 20, "failed": 0, "total_input_tokens": 5120, ` +
		`"total_output_tokens": 400, "median_ttft_ms": 30, "median_tpot_ms": 9.5}` + "\n"
	modelConfig = `{"architectures": ["LlamaForCausalLM"], "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32, "num_key_value_heads": 8, ` +
		`"vocab_size": 128256, "intermediate_size": 14336, "max_position_embeddings": 131072, "head_dim": 128}` + "\n"
)

// readers are all of them.
var readers = []reader{
	{name: "bad/azure.csv", args: tracing("azure", "bad/azure.csv"), columns: []string{"TIMESTAMP", "ContextTokens", "GeneratedTokens"},
		words: []string{"TIMESTAMP"}, good: "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46,374,44\n"},
	{name: "bad/measured.csv", args: tracing("measured", "bad/measured.csv"), columns: []string{"arrival_s", "prompt_tokens", "output_tokens"},
		good: "arrival_s,prompt_tokens,output_tokens\n5,374,44\n"},
	{name: "bad/mooncake.jsonl", args: tracing("mooncake", "bad/mooncake.jsonl"), json: true,
		columns: []string{"timestamp", "input_length", "output_length", "hash_ids"}, words: []string{"hash_ids"},
		good: `{"timestamp": 5, "input_length": 374, "output_length": 44, "hash_ids": [1]}` + "\n"},
	{name: "bad/bailian.jsonl", args: tracing("bailian", "bad/bailian.jsonl"), json: true,
		columns: []string{"timestamp", "input_length", "output_length", "hash_ids"}, words: []string{"hash_ids"},
		good: `{"timestamp": 5, "input_length": 13, "output_length": 44, "hash_ids": [1]}` + "\n"},
	{name: "bad/steps.csv", args: []string{"calibrate", "--steps", "bad/steps.csv"},
		columns: []string{"prefill_tokens", "prefill_context", "decode_sequences", "decode_context_tokens", "time_ms"},
		empty:   []string{"prefill_tokens", "prefill_context", "decode_sequences", "decode_context_tokens"},
		good:    timedSteps},
	{name: "bad/silicon/closed_loop.csv", args: []string{"validate", "bad"},
		columns: []string{"id", "backend", "model_path", "system", "precision", "mode", "isl", "osl", "batch_size", "tp_size", "attention_dp_size",
			"moe_ep_size", "silicon_ttft_ms", "silicon_tpot_ms"},
		words: []string{"id", "backend", "model_path", "system", "precision", "mode"},
		empty: []string{"attention_dp_size", "moe_ep_size", "silicon_ttft_ms", "silicon_tpot_ms"},
		good: "id,backend,model_path,system,precision,mode,isl,osl,batch_size,tp_size,attention_dp_size,moe_ep_size,silicon_ttft_ms,silicon_tpot_ms\n" +
			"a,vllm,meta-llama/Llama-3.1-8B,h100_sxm,bf16,agg,100,20,2,1,1,1,30,8\n"},
	{name: "bad/e2e/experiments.csv", args: []string{"validate", "bad"},
		columns: []string{"id", "model", "gpu", "tp", "precision", "engine", "request_rate_rps", "num_requests", "prompt_tokens_mean",
			"output_tokens_mean", "per_request_file", "ttft_mean_ms", "tpot_mean_ms", "e2e_mean_ms"},
		words: []string{"id", "model", "gpu", "precision", "engine", "per_request_file"}, empty: []string{"ttft_mean_ms", "tpot_mean_ms", "e2e_mean_ms"},
		good: "id,model,gpu,tp,precision,engine,request_rate_rps,num_requests,prompt_tokens_mean,output_tokens_mean,per_request_file,ttft_mean_ms," +
			"tpot_mean_ms,e2e_mean_ms\na,meta-llama/Llama-3.1-8B,H100-SXM5-80GB,1,bf16,vLLM,4,40,200,50,,20,8,400\n"},
	{name: "bad/bench.json", args: []string{"calibrate", "--bench", "bad/bench.json", "--accelerator", "h100-sxm", "--fit", "request_fixed", "--holdout", "0"}, json: true,
		columns: []string{"model_id", "request_rate", "burstiness", "completed", "failed", "total_input_tokens", "total_output_tokens",
			"median_ttft_ms", "median_tpot_ms"}, words: []string{"model_id"}, good: benchResult + benchResult + benchResult},
	{name: "bad/model/config.json", args: []string{"run", "small.toml", "--set", "model.name=bad/model/config.json"}, json: true,
		columns: []string{"architectures", "num_hidden_layers", "hidden_size", "num_attention_heads", "num_key_value_heads", "vocab_size", "intermediate_size",
			"max_position_embeddings", "head_dim"}, words: []string{"architectures"}, good: modelConfig},
	{name: "bad/engine.toml", args: []string{"run", "small.toml", "--set", "hardware.engine=bad/engine.toml"}, good: "like = \"vllm-v1\"\nstep_cpu = \"2ms\"\n"},
	{name: "bad/x.toml", args: []string{"run", "bad/x.toml"}, good: "title = \"x\"\n"},
}

// tracing is the run of a trace.
func tracing(format, path string) []string {
	return []string{"run", "trace.toml", "--set", "workload.trace.format=" + format, "--set", "workload.trace.path=" + path}
}

// writeGood writes what bad inputs are made of besides writeInputs.
func writeGood(t *testing.T, dir string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "small.toml"))
	if err != nil {
		t.Fatal(err)
	}
	before, after, _ := strings.Cut(string(text), "[workload]")
	_, after, _ = strings.Cut(after, "[slo]")
	after, _, _ = strings.Cut(after, "[sweep]")
	for name, text := range map[string]string{
		"custom.toml": strings.Replace(string(text), `accelerator = "h100-sxm"`, `custom = { like = "h100-sxm" }`, 1),
		"trace.toml":  before + "[workload.trace]\npath = \"x\"\nformat = \"azure\"\n[slo]" + after,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// badFiles are damages of every file that is read.
func badFiles() []badInput {
	var all []badInput
	for _, r := range readers {
		all = append(all, r.damaged()...)
		if len(r.columns) > 0 {
			all = append(all, r.badColumns()...)
		}
	}
	return all
}

// input is the reader's command line with another text.
func (r *reader) input(what, text string, says ...string) badInput {
	return badInput{r.name + ": " + what, r.args, map[string]string{r.name: text}, append([]string{filepath.Base(r.name)}, says...)}
}

// damaged are files that are no such file at all.
func (r *reader) damaged() []badInput {
	utf16 := "\xff\xfe"
	for _, c := range r.good {
		utf16 += string(c) + "\x00"
	}
	all := []badInput{
		r.input("empty", ""),
		r.input("blank", "\n \n"),
		r.input("a page", "<!DOCTYPE html>\n<html><body>404</body></html>\n"),
		r.input("an image", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00"),
		r.input("UTF-16", utf16),
		r.input("zeros", strings.Repeat("\x00", 100)),
		r.input("a broken gzip", "\x1f\x8b\x08\x00\x00"),
		r.input("cut", r.good[:len(r.good)*2/3-3]),
		r.input("a quote that does not end", r.good+"\"a"),
	}
	if r.name == "bad/e2e/experiments.csv" {
		return all // which need not be there
	}
	missing := r.input("not there", "")
	missing.files, missing.says = nil, append(missing.says, "cannot be read|no such|holds no measurements")[1:]
	isFolder := r.input("a folder", "")
	isFolder.files = map[string]string{r.name + "/x": ""}
	return append(all, missing, isFolder)
}

// row is the table with a value in place of a column's; "" as the column leaves it out.
func (r *reader) row(change func(column, value string) (name, text string)) string {
	lines := strings.Split(strings.TrimSpace(r.good), "\n")
	if r.json {
		text := strings.TrimSuffix(strings.TrimPrefix(lines[0], "{"), "}")
		var fields []string
		for _, field := range strings.Split(text, ", ") {
			key, value, _ := strings.Cut(field, ": ")
			if name, value := change(strings.Trim(key, `"`), value); name != "" {
				fields = append(fields, fmt.Sprintf("%q: %s", name, value))
			}
		}
		lines[0] = "{" + strings.Join(fields, ", ") + "}"
		return strings.Join(lines, "\n") + "\n"
	}
	var names, values []string
	cells := strings.Split(lines[1], ",")
	for i, name := range strings.Split(lines[0], ",") {
		if name, value := change(name, cells[i]); name != "" {
			names, values = append(names, name), append(values, value)
		}
	}
	return strings.Join(names, ",") + "\n" + strings.Join(append([]string{strings.Join(values, ",")}, lines[2:]...), "\n") + "\n"
}

// optional are keys of JSON that need not be there.
var optional = []string{"burstiness", "failed", "median_ttft_ms", "median_tpot_ms",
	"num_key_value_heads", "intermediate_size", "max_position_embeddings", "head_dim"}

// badColumns are tables in which one column is missing, misspelled, there twice, or has a
// wrong value.
func (r *reader) badColumns() []badInput {
	var all []badInput
	for _, column := range r.columns {
		replaced := func(name, value string) string {
			return r.row(func(c, v string) (string, string) {
				if c != column {
					return c, v
				}
				if value != "" {
					v = value
				}
				return name, v
			})
		}
		if !slices.Contains(optional, column) {
			all = append(all, r.input("without "+column, replaced("", ""), column))
		}
		if !r.json {
			all = append(all, r.input(column+" misspelled", replaced(misspell(column), ""), column, "did you mean|allowed"))
		}
		all = append(all, r.input(column+" twice", r.twice(column), column, "twice"))
		if slices.Contains(r.words, column) {
			continue
		}
		for _, v := range r.badNumbers(column) {
			shown := strings.Trim(v, ` "`)
			if v == "null" { // which is how some write that there is nothing
				shown = "null|missing| = 0"
			}
			all = append(all, r.input(column+" = "+v, replaced(column, v), column, shown))
		}
	}
	if !r.json {
		lines := strings.SplitAfter(r.good, "\n")
		return append(all, r.input("only a header", lines[0], "rows"),
			r.input("a short row", lines[0]+"1,2\n", ":2: "),
			r.input("a wide row", r.good+strings.TrimSpace(lines[1])+",9\n", fmt.Sprintf(":%d: ", len(lines))))
	}
	return append(all, r.input("a list", "[1, 2]"), r.input("a number", "5"), r.input("null", "null"))
}

// twice is the table in which a column stands twice.
func (r *reader) twice(column string) string {
	value := ""
	text := r.row(func(c, v string) (string, string) {
		if c == column {
			value = v
		}
		return c, v
	})
	if r.json {
		return strings.Replace(text, "{", fmt.Sprintf("{%q: %s, ", column, value), 1)
	}
	header, row, _ := strings.Cut(text, "\n")
	return column + "," + header + "\n" + value + "," + row
}

// badNumbers are texts that no column of numbers may have.
func (r *reader) badNumbers(column string) []string {
	if r.json {
		numbers := []string{"-1", `"many"`, "[5]", "true", "1e400", "{}"}
		if strings.HasSuffix(r.name, "config.json") { // dimensions
			numbers = append(numbers, "0", "1.5", "99999999999")
		}
		if !slices.Contains(optional, column) {
			return append(numbers, "null", `""`)
		}
		return numbers
	}
	numbers := []string{"many", "-1", "+1", "1_0", "0x1p9", "Inf", "NaN", "1e400", "1.2.3"}
	if !slices.Contains(r.empty, column) {
		numbers = append(numbers, " ")
	}
	return numbers
}
