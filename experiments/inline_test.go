package experiments

import (
	"strings"
	"testing"
)

// TestInlineTables reads an experiment whose tables and lists are all written in one
// line each, which a parser hands on as other types.
func TestInlineTables(t *testing.T) {
	const inline = `title = "inline"
model = { name = "llama-3.1-8b" }
hardware = { accelerator = "h100-sxm" }
workload = { num_requests = 1, arrival = { rate = 1 }, input = { type = "fixed", mean = 9 }, output = { type = "fixed", mean = 9 } }
strategy = [{ name = "a", hardware = { tp = 2 } }, { name = "b" }]
sweep = { "workload.arrival.rate" = [1, 2] }
`
	e := experiment(t, inline)
	if n := e.Scenario(0).Pools[0].Deployment.Roofline.TP; n != 2 || e.Runs() != 4 {
		t.Errorf("tp = %d in the first of %d runs", n, e.Runs())
	}
	f, err := Parse("inline.toml", strings.Replace(inline, "tp = 2", "tp = 3", 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Check(); err == nil || !strings.Contains(err.Error(), `(strategy "a")`) {
		t.Errorf("a wrong override: %v", err)
	}
}
