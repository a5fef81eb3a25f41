package results

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/sim/metrics"
)

// TestBenchTraffic: arrivals as the flags of vLLM's benchmark would say them.
func TestBenchTraffic(t *testing.T) {
	for name, c := range map[string]struct {
		traffic Traffic
		want    string // rate, burstiness, limit
	}{
		"poisson":       {Traffic{Process: "poisson", Rate: 4, Burstiness: 1}, `4 1 null`},
		"gamma":         {Traffic{Process: "gamma", Rate: 4, Burstiness: 0.25, MaxConcurrency: 9}, `4 0.25 9`},
		"constant":      {Traffic{Process: "constant", Rate: 4}, `4 "inf" null`},
		"on and off":    {Traffic{Process: "onoff", Rate: 4}, `4 null null`},
		"at once":       {Traffic{Process: "at_once"}, `"inf" 1 null`},
		"closed":        {Traffic{Process: "closed", Concurrency: 7}, `"inf" 1 7`},
		"users":         {Traffic{Conversations: true, Users: 5}, `"inf" 1 5`},
		"conversations": {Traffic{Process: "poisson", Rate: 4, Burstiness: 1, Conversations: true}, `3.5 1 null`},
		"own arrivals":  {Traffic{Process: "poisson", Rate: 4, Burstiness: 1, OwnArrivals: true}, `3.5 1 null`},
		"trace":         {Traffic{Process: "trace"}, `3.5 null null`},
	} {
		t.Run(name, func(t *testing.T) {
			got := c.traffic.bench(&Run{Outcome: Outcome{Metrics: metrics.Values{metrics.OfferedRate: 3.5}}})
			var words []string
			for _, key := range []string{"request_rate", "burstiness", "max_concurrency"} {
				text, err := json.Marshal(got[key])
				if err != nil {
					t.Fatal(err)
				}
				words = append(words, string(text))
			}
			if text := strings.Join(words, " "); text != c.want {
				t.Errorf("is %s, want %s", text, c.want)
			}
		})
	}
}

// TestBenchRequests: one that did not complete has no tokens and an error.
func TestBenchRequests(t *testing.T) {
	rec := &metrics.Record{Requests: []metrics.Request{
		{State: metrics.Completed, Arrival: 1, ClientQueue: 0.5, First: 3, Last: 6, Input: 20, Output: 9, Generated: 4},
		{State: metrics.Rejected, Arrival: 2, Input: 30, Output: 5},
		{State: metrics.Unfinished, Arrival: 4, First: 5, Input: 40, Output: 8, Generated: 3},
	}}
	got, err := json.Marshal(benchRequests(rec))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"errors":["","rejected","unfinished"],"generated_texts":["","",""],"input_lens":[20,30,40],"latencies":[5,0,0],` +
		`"output_lens":[4,0,0],"queue_times":[0.5,0,0],"start_times":[1,2,4],"ttfts":[2,0,0]}`
	if string(got) != want {
		t.Errorf("is\n%s\nwant\n%s", got, want)
	}
}

// TestBenchesOfAnyResults: whatever runs are called and wherever they are, each has a file of its
// own whose name any system takes, and every metric is there, null where it has no value.
func TestBenchesOfAnyResults(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		res := randomResults(t)
		folder, err := OpenFolder(filepath.Join(dir, "benches"))
		if err != nil {
			t.Fatal(err)
		}
		defer folder.Discard()
		log := folder.NewBenchLog(&res.Plan)
		for i := range res.Runs {
			err = errors.Join(err, log.Add(&res.Runs[i], nil))
		}
		if err = errors.Join(err, log.Close()); err == nil {
			_, err = folder.Commit()
		}
		if err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(dir, "benches", "serving-*.json"))
		if err != nil || len(files) != len(res.Runs) {
			t.Fatalf("%d files of %d runs (%v)", len(files), len(res.Runs), err)
		}
		slices.Sort(files)
		for i, path := range files {
			checkBench(t, path, &res.Runs[i])
		}
	})
}

// checkBench compares a file with its run.
func checkBench(t rapid.TB, path string, run *Run) {
	name := filepath.Base(path)
	if len(name) > 120 || strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789-._") != "" {
		t.Fatalf("a file is called %q", name)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var b map[string]any
	if err := json.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	if b["strategy"] != run.Strategy || b["run_number"] != float64(run.Replication) {
		t.Fatalf("%s is of %v, want %s %d", name, b["strategy"], run.Strategy, run.Replication)
	}
	for _, key := range metrics.Keys() {
		x, there := run.Metrics[key]
		if got, written := b[key]; !written || there != (got != nil) || there && got != x {
			t.Fatalf("%s: %s is %v, want %v", name, key, got, x)
		}
	}
}

// TestBenchCommands: names are one word for a shell.
func TestBenchCommands(t *testing.T) {
	p := &Plan{Strategies: []string{"a"}, Points: []PlannedPoint{{}}, Facts: Facts{
		Strategies: []Deployment{{Model: "a b'c", Accelerator: "h", TP: 2, PP: 1, DP: 1, Replicas: 3}}, Traffic: Traffic{Process: "closed", Concurrency: 4}}}
	b := p.bench(&Run{Strategy: "a", Outcome: Outcome{Metrics: metrics.Values{metrics.CompletedRequests: 7, metrics.RejectedRequests: 2}}})
	want := map[string]string{
		"server_command": `vllm serve 'a b'\''c' --tensor-parallel-size 2 --pipeline-parallel-size 1 --data-parallel-size 3`,
		"client_command": `vllm bench serve --model 'a b'\''c' --request-rate inf --num-prompts 9 --max-concurrency 4`,
	}
	for key, command := range commands(b) {
		if command != want[key] {
			t.Errorf("%s is %s, want %s", key, command, want[key])
		}
	}
	if b["gpu_type"] != "h\nh\nh\nh\nh\nh" || b["num_gpus"] != 6 || b["failed"] != 2.0 {
		t.Errorf("ran on %v (%v), %v failed", b["gpu_type"], b["num_gpus"], b["failed"])
	}
}
