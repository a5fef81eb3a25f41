package validate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// changed is a value of a column that is another than that of the tests' rows, and what
// else the row has where that is needed for an effect.
type changed struct {
	value string
	with  []string
}

var e2eChanges = map[string]changed{
	"id": {"other", nil}, "model": {"facebook/opt-13b", nil}, "gpu": {"A100-SXM4-80GB", nil}, "tp": {"2", nil}, "precision": {"fp8", nil},
	"engine": {"sglang", nil}, "engine_version": {"0.9.1", nil}, "request_rate_rps": {"5", nil}, "num_requests": {"50", nil}, "prompt_tokens_mean": {"300", nil},
	"output_tokens_mean": {"60", nil}, "per_request_file": {"a.csv", nil}, "distinct_prompts": {"3", nil}, "prefix_caching": {"unknown", nil},
	"kv_tokens_gpu": {"5000", nil}, "gpu_memory_utilization": {"0.5", nil}, "max_num_seqs": {"7", nil}, "max_num_batched_tokens": {"900", nil},
	"cpu_offload": {"LMCache KV offload", nil}, "client": {"max 3 in flight", []string{"per_request_file=a.csv"}}, "dp": {"2", nil}, "ep": {"2", nil},
	"replicas": {"2", nil}, "max_model_len": {"500", nil},
}

var siliconChanges = map[string]changed{
	"id": {"other", nil}, "backend": {"sglang", nil}, "backend_version": {"0.5.1.post1", []string{"backend=sglang"}},
	"model_path": {"facebook/opt-13b", nil}, "system": {"a100_sxm", nil}, "precision": {"fp8", nil}, "mode": {"disagg", nil}, "isl": {"90", nil},
	"osl": {"90", nil}, "batch_size": {"9", nil}, "tp_size": {"2", nil}, "attention_dp_size": {"2", nil}, "moe_ep_size": {"2", nil}, "pp_size": {"2", nil},
	"silicon_ttft_ms": {"51", nil}, "silicon_tpot_ms": {"9", nil},
}

// workerChanges are changes of what the workers of either role are.
func workerChanges() map[string]changed {
	all := map[string]changed{}
	for _, role := range []string{"prefill", "decode"} {
		for column, value := range map[string]string{"num_workers": "3", "batch_size": "2", "tp_size": "2", "pp_size": "2", "attention_dp_size": "2", "moe_ep_size": "2"} {
			all[role+"_"+column] = changed{value, disaggregated}
		}
	}
	return all
}

// TestEveryColumnHasAnEffect changes the value of each column that is read, of those that
// the documentation names: the case changes. A column of the documentation that has no
// change here is an error, and so is one that the code names and the documentation does
// not.
func TestEveryColumnHasAnEffect(t *testing.T) {
	for _, m := range e2eMetrics {
		e2eChanges[m.Metric] = changed{"77", nil}
	}
	maps.Copy(siliconChanges, workerChanges())
	for _, set := range []struct {
		name, columns, source, published string
		row                              func(...string) string
		changes                          map[string]changed
	}{{"e2e/experiments.csv", e2eColumns, "e2e.go", publishedE2E, e2eRow, e2eChanges}, {"silicon/closed_loop.csv", siliconColumns, "silicon.go", publishedSilicon, siliconRow, siliconChanges}} {
		documented := documentedColumns(t, set.name)
		for _, column := range documented {
			if _, there := set.changes[column]; !there {
				t.Errorf("%s: no change of %s", set.name, column)
			}
		}
		for column, c := range set.changes {
			if !slices.Contains(documented, column) {
				t.Errorf("%s: %s is not documented", set.name, column)
			}
			before := caseOf(t, set.name, set.columns, column, set.row(c.with...))
			after := caseOf(t, set.name, set.columns, column, set.row(append(c.with, column+"="+c.value)...))
			if cmp.Equal(before, after) {
				t.Errorf("%s: %s = %s changes nothing", set.name, column, c.value)
			}
		}
		for _, column := range namedInSource(t, set.source, set.published) {
			if _, there := set.changes[column]; !there {
				t.Errorf("%s reads %s, which has no change here", set.source, column)
			}
		}
	}
}

// caseOf is the case of a row of a file, without the folder, which differs.
func caseOf(t *testing.T, file, columns, column, row string) Case {
	t.Helper()
	header := strings.Split(columns, ",")
	if !slices.Contains(header, column) {
		t.Fatalf("the tests' rows have no %s", column)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, file), columns+"\n"+row+"\n")
	write(t, filepath.Join(dir, "e2e", "a.csv"), "arrival_s,prompt_tokens,output_tokens\n0,5,5\n")
	c := read(t, dir)[0]
	c.Folder = ""
	return c
}

// documentedColumns are those that docs/calibration.md names in the table of a file.
func documentedColumns(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile("../../docs/calibration.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "| `"+file+"` | |\n|---|---|\n")
	if !found {
		t.Fatalf("no table of %s", file)
	}
	table, _, _ = strings.Cut(table, "\n\n")
	var names []string
	for _, line := range strings.Split(table, "\n") {
		cell, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cell, -1) {
			names = append(names, name[1])
		}
	}
	if i := slices.Index(names, "ttft_"); i >= 0 { // latencies are named by their parts
		names = names[:i]
		for _, m := range e2eMetrics {
			if !slices.Contains(names, m.Metric) {
				names = append(names, m.Metric)
			}
		}
	}
	return names
}

// namedInSource are the words of a source file in quotes that are columns of the
// published tables.
func namedInSource(t *testing.T, name, published string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil && slices.Contains(strings.Fields(published), text) {
				named = append(named, text)
			}
		}
		return true
	})
	if len(named) < 10 {
		t.Fatalf("%s names only %v", name, named)
	}
	return named
}

// What columns the published tables have.
const (
	publishedE2E = "id source gpu num_gpus tp dp ep replicas precision engine_version max_num_seqs max_num_batched_tokens max_model_len" +
		" chunked_prefill prefix_caching kv_blocks_gpu kv_tokens_gpu gpu_memory_utilization cpu_offload client arrival_process request_rate_rps" +
		" duration_s num_failed distinct_prompts prompt_tokens_mean prompt_tokens_min prompt_tokens_max output_tokens_mean per_request_file" +
		" ttft_definition request_throughput_rps output_throughput_tok_s total_throughput_tok_s mean_concurrency notes"
	publishedSilicon = "id backend backend_version model_path system mode isl osl gemm_quant_mode moe_quant_mode batch_size tp_size pp_size" +
		" attention_dp_size moe_tp_size moe_ep_size prefill_batch_size prefill_num_workers decode_batch_size decode_num_workers" +
		" silicon_ttft_ms silicon_tpot_ms"
)
