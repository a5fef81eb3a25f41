package main

import "fmt"

// row is an experiment of one simulation.
type row struct {
	name     string
	requests int
	replicas int
	workload string // tables below [workload]
	trace    bool   // prompts with hash ids, of a file beside
	strategy string // keys and tables of the strategy
}

// text is the experiment file, of which a trace lies at a path.
func (r *row) text(trace string) string {
	workload := r.workload
	if r.trace {
		workload = fmt.Sprintf("trace = { format = \"mooncake\", path = %q }\n", trace)
	}
	return fmt.Sprintf(`title = %q

[model]
name = "llama-3.1-8b"

[hardware]
accelerator = "h100-sxm"
replicas = %d

[workload]
num_requests = %d
%s
[[strategy]]
name = "measured"
max_num_seqs = 256
%s`, r.name, max(1, r.replicas), r.requests, workload, r.strategy)
}

// poisson is requests of 512 tokens that come at a rate, and are answered with a number of tokens on average.
func poisson(rate, output float64) string {
	return fmt.Sprintf("arrival = { process = \"poisson\", rate = %g }\n", rate) + lengths(output)
}

// closed is the same by clients who think for a second.
func closed(clients int, output float64) string {
	return fmt.Sprintf("arrival = { process = \"closed\", concurrency = %d, think_time = \"1s\" }\n", clients) + lengths(output)
}

func lengths(output float64) string {
	return "input = { type = \"normal\", mean = 512, std = 128, min = 64, max = 1024 }\n" +
		fmt.Sprintf("output = { type = \"normal\", mean = %g, std = %g, min = 16, max = %g }\n", output, output/4, 2*output)
}

// sessions is conversations of six turns by a number of users.
func sessions(users int) string {
	return fmt.Sprintf("session = { users = %d, turns = 6, think_time = \"30s\" }\n", users) +
		`session.first_input = { type = "normal", mean = 512, std = 128, min = 64, max = 1024 }
session.input = { type = "normal", mean = 128, std = 32, min = 16, max = 256 }
session.output = { type = "normal", mean = 256, std = 64, min = 16, max = 512 }
`
}

const (
	plainRow = "plain, 256 output tokens"
	longer   = ", 4,096" // ends the name of a row that is the one before it with longer outputs

	draft  = "speculation = { method = \"draft\", draft = \"llama-3.2-1b\", num_speculative_tokens = 4, acceptance = 0.6"
	ngram  = "speculation = { method = \"ngram\", num_speculative_tokens = 4, acceptance = 0.6 }\n"
	below  = "tiers = [{ name = \"host\", size = \"200GB\", bandwidth = \"50GB/s\" }]"
	scarce = "hardware.kv_tokens = 18000\n"
)

// rows are all, the plain one first. Those of 4,096 output tokens come at a rate that makes about the same batch.
var rows = []row{
	{name: plainRow, requests: 200_000, workload: poisson(10, 256)},
	{name: "plain, 4,096", requests: 20_000, workload: poisson(0.625, 4096)},
	{name: "overload", requests: 100_000, workload: poisson(94, 256)},
	{name: "16 replicas", requests: 200_000, replicas: 16, workload: poisson(160, 256)},
	{name: "closed loop", requests: 100_000, workload: closed(20, 256)},
	{name: "closed loop, 16 replicas", requests: 100_000, replicas: 16, workload: closed(320, 256)},
	{name: "closed loop, 16 replicas, 4,096", requests: 20_000, replicas: 16, workload: closed(640, 4096)},
	{name: "max_concurrency, 16 replicas", requests: 100_000, replicas: 16, workload: poisson(160, 256) + "arrival.max_concurrency = 960\n"},
	{name: "50 prefixes", requests: 100_000, workload: poisson(10, 256) + "prefix = { count = 50, tokens = 512 }\n"},
	{name: "sessions", requests: 50_000, workload: sessions(200)},
	{name: "sessions, memory short", requests: 50_000, workload: sessions(200), strategy: "hardware.kv_tokens = 100000\n"},
	{name: "sessions, lfu", requests: 50_000, workload: sessions(200), strategy: "kv.eviction = \"lfu\"\n"},
	{name: "sessions, length-aware", requests: 50_000, workload: sessions(200), strategy: "kv.eviction = \"length-aware\"\n"},
	{name: "sessions, 4 replicas", requests: 50_000, replicas: 4, workload: sessions(800)},
	{name: "sessions, 16 replicas", requests: 50_000, replicas: 16, workload: sessions(3200)},
	{name: "hash ids", requests: 40_000, trace: true},
	{name: "hash ids, length-aware", requests: 40_000, trace: true, strategy: "kv.eviction = \"length-aware\"\n"},
	{name: "memory short", requests: 50_000, workload: poisson(10, 256), strategy: scarce},
	{name: "swap", requests: 50_000, workload: poisson(10, 256), strategy: "kv = { offload = \"swap\", " + below + " }\n"},
	{name: "swap, 4,096", requests: 20_000, workload: poisson(0.625, 4096), strategy: "kv = { offload = \"swap\", " + below + " }\n"},
	{name: "layerwise", requests: 50_000, workload: poisson(10, 256), strategy: "kv = { offload = \"layerwise\", " + below + " }\n"},
	{name: "layerwise, 4,096", requests: 20_000, workload: poisson(0.625, 4096), strategy: "kv = { offload = \"layerwise\", " + below + " }\n"},
	{name: "draft model", requests: 50_000, workload: poisson(10, 256), strategy: draft + " }\n"},
	{name: "draft model, 4,096", requests: 20_000, workload: poisson(0.625, 4096), strategy: draft + " }\n"},
	{name: "draft model, adaptive", requests: 50_000, workload: poisson(10, 256), strategy: draft + ", adaptive = true }\n"},
	{name: "n-grams", requests: 50_000, workload: poisson(10, 256), strategy: ngram},
	{name: "pipeline of 2", requests: 50_000, workload: poisson(10, 256), strategy: "hardware.pp = 2\n"},
	{name: "pipeline of 2, 4,096", requests: 20_000, workload: poisson(0.625, 4096), strategy: "hardware.pp = 2\n"},
	{name: "prompts of 8,192 in chunks of 128", requests: 30_000, strategy: "max_num_batched_tokens = 128\n",
		workload: "arrival = { process = \"poisson\", rate = 1.5 }\ninput = { type = \"fixed\", mean = 8192 }\noutput = { type = \"fixed\", mean = 256 }\n"},
}
