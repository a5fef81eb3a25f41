package experiments

import (
	"context"
	"strings"
	"testing"
)

// TestSyntheticStepsObeyTheEngine: where a file names the engine that takes synthetic
// steps, its front end and its scheduling count; without one there are none.
func TestSyntheticStepsObeyTheEngine(t *testing.T) {
	ttft := func(engine string) float64 {
		text := strings.NewReplacer("kv_tokens = 10000", "kv_tokens = 10000\n"+engine, "[1, 2]", "[100]").Replace(small)
		res, err := experiment(t, text).Run(context.Background(), Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		return res.Runs[0].Metrics["mean_ttft_ms"]
	}
	none, v0, v1 := ttft(""), ttft(`engine = "vllm-v0-2023"`), ttft(`engine = "vllm-v1"`)
	if none >= v0 || ttft(`engine = "ideal"`) != none {
		t.Errorf("mean TTFT %v ms without an engine, %v with the front end of one", none, v0)
	}
	t.Logf("mean TTFT: %.2f ms without, %.2f with vllm-v0-2023, %.2f with vllm-v1", none, v0, v1)
	if v1 <= none+4.02+0.5 { // its front end takes 4.02 ms, and asynchronous scheduling a step of 10 ms of some requests
		t.Errorf("mean TTFT %v ms without an engine, %v with asynchronous scheduling", none, v1)
	}
}
