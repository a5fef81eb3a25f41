package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/image/font/gofont/goregular"
)

// writeInputs writes what the command lines of tests name: an experiment, timed steps,
// the results of benchmarks, and measurements.
func writeInputs(t *testing.T, dir string) {
	t.Helper()
	small, err := os.ReadFile(filepath.Join(sourceFolder, "testdata", "small.toml"))
	if err != nil {
		t.Fatal(err)
	}
	bench := ""
	for i, ttft := range []string{"31.5", "38.1", "52.4", "140.9", "57.3"} {
		bench += fmt.Sprintf(`{"model_id": "llama-3.1-8b", "request_rate": %d, "completed": 20, "failed": 0, "total_input_tokens": 5120, `+
			`"total_output_tokens": 400, "median_ttft_ms": %s, "median_tpot_ms": 9.5}`+"\n", i+1, ttft)
	}
	for name, text := range map[string]string{
		"small.toml": string(small),
		"paper.toml": string(small) + "[paper]\nname = \"A paper\"\n[[curve]]\nfigure = \"Figure 1\"\nstrategy = \"static\"\nmetric = \"mean_ttft_ms\"\npoints = [[2, 60], [8, 90]]\n",
		"bench.json": bench,
		"steps.csv":  timedSteps,

		"goregular.ttf": string(goregular.TTF), // has ₙ and ⁺, as the built-in font has not
		"measured/silicon/closed_loop.csv": `id,backend,model_path,system,precision,mode,isl,osl,batch_size,tp_size,attention_dp_size,moe_ep_size,silicon_ttft_ms,silicon_tpot_ms
a,vllm,meta-llama/Llama-3.1-8B,h100_sxm,,agg,100,20,2,1,,,30,8
b,vllm,Qwen/Qwen3-14B,h100_sxm,,agg,100,20,2,1,,,40,14
`,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
