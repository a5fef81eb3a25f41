package workloads

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

func FuzzAzure(f *testing.F) {
	fuzzTrace(f, "azure", "azure-2023/AzureLLMInferenceTrace_code.csv.gz", smallTrace,
		"TIMESTAMP,ContextTokens,GeneratedTokens\n2024-05-10T00:00:00+00:00,1,1\n",
		"GeneratedTokens,\"TIMESTAMP\",ContextTokens\n1,0000-01-01 00:00:00,1\n1,9999-12-31 23:59:59,1\n",
		"\x1f\x8b\x08")
}

func FuzzMeasured(f *testing.F) {
	fuzzTrace(f, "measured", "../measured/e2e/requests/res-qwen3-14b-h100-rate2_vanilla.csv.gz",
		"arrival_s,prompt_tokens,output_tokens,ttft_ms\n0.0,10,3,5.5\n0.25,20,4,\n7,30,1,9\n",
		"\ufeffprompt_tokens,output_tokens,arrival_s\n1,1,1e308\n2,2,1.7e308\n")
}

func FuzzMooncake(f *testing.F) {
	fuzzTrace(f, "mooncake", "mooncake/toolagent_trace.first8KiB.jsonl", hashedTrace,
		`{"timestamp": "7", "input_length": 5e2, "output_length": 3, "hash_ids": [-1]}`,
		`{"timestamp": 1e308, "input_length": 1, "output_length": 1, "hash_ids": null}`)
}

func FuzzBailian(f *testing.F) {
	fuzzTrace(f, "bailian", "qwen-bailian/qwen_traceA_blksz_16.first8KiB.jsonl", hashedTrace,
		`{"timestamp": 0.5, "input_length": 33, "output_length": 1, "hash_ids": [9, 8, 7]}`)
}

func FuzzBurstGPT(f *testing.F) {
	fuzzTrace(f, "burstgpt", "burstgpt/BurstGPT_1.first400.csv", "Timestamp,Session ID,Request tokens,Response tokens\n19440110.0,a,5,1\n19440110.0,a,0,0\n19440111.0,a,9,3\n")
}

func FuzzVLLM(f *testing.F) {
	fuzzTrace(f, "vllm", "qwen-bailian/qwen_traceA_blksz_16.first8KiB.jsonl", `{"timestamp": 0.5, "input_length": 33, "output_length": 1, "hash_ids": [9, 8, 7]}`,
		`{"total_input_tokens": 9, "input_lens": [5, 4, 4], "output_lens": [1, 0, 3], "start_times": [9.5, 9.25, 1e3]}`,
		`{"total_input_tokens": 9, "input_lens": [5], "output_lens": [1], "start_times": [-1e308]}`)
}

func FuzzWeka(f *testing.F) {
	fuzzTrace(f, "weka", "", wekaSession, `{"block_size": 1, "hash_id_scope": "global", "requests": [{"t": 0, "in": 1, "out": 1, "hash_ids": [-5]}]}`)
}

func FuzzRAGPulse(f *testing.F) {
	folder := ragPulseFiles(f, "")
	f.Add(ragPulseTrace)
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(filepath.Join(folder, "0_trace.jsonl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		trace, err := LoadTrace(folder, TraceSpec{Path: folder, Format: "ragpulse"})
		if err != nil {
			badInput(t, err)
			return
		}
		before := 0.0
		for _, r := range drain(replayed(trace)) {
			if float64(r.Arrival) < before || r.Input < r.Named || r.Output < 1 || r.Content != nil && len(r.Content.IDs) != (r.Named+15)/16 {
				t.Fatalf("request %+v", r)
			}
			before = float64(r.Arrival)
		}
	})
}

func FuzzCSV(f *testing.F) {
	fuzzTrace(f, "csv", "burstgpt/BurstGPT_1.first400.csv", "timestamp,input_tokens,output_tokens,session_id\n1700000000.5,10,3,a\n1700000001,20,4,a\n1700000002,30.0,4,\n",
		"time,prompt tokens,completion_tokens\n2024-05-10T00:00:00Z,1,1\n2024-05-10T00:00:00Z,1,1\n",
		"output_len,input_len,start_time\n1073741824,1073741824,1e11\n1,1,1e308\n")
}

func FuzzJSONL(f *testing.F) {
	fuzzTrace(f, "jsonl", "qwen-bailian/qwen_traceA_blksz_16.first8KiB.jsonl", `{"timestamp": "7", "input_length": 5, "output_length": 3}`+"\n"+`{"timestamp": 8, "input_length": 5, "output_length": 3}`,
		`{"time": "2024-05-10T00:00:00Z", "input_tokens": 5, "output_tokens": 3, "session_id": null}`+"\n"+`{"time": "2024-05-10 00:00:01", "input_tokens": 9, "output_tokens": 3, "session_id": "a"}`)
}

// fuzzTrace replays whatever part of whatever text is read as a trace: it is refused in one
// line, or every row is sent as often as was asked for, in order, at times and with
// lengths that are possible. The seeds are ours and, where it is there, the head of a
// real file.
func fuzzTrace(f *testing.F, format, real string, seeds ...string) {
	for _, seed := range append(seeds, head(real, 4)) {
		f.Add(seed, 1.0, 0.0, 0.0, 0, 1)
		f.Add(seed, 1e-3, 0.1, 4.0, 2, 3)
	}
	path := filepath.Join(f.TempDir(), "trace")
	f.Fuzz(func(t *testing.T, text string, scale, start, end float64, limit, repeat int) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		spec := TraceSpec{Path: path, Format: format, TimeScale: scale, Start: units.Seconds(start), End: units.Seconds(end),
			Limit: limit, Repeat: repeat, BlockSize: limit % 2 * openBlocks[format]}
		trace, err := LoadTrace(path, spec)
		if err != nil {
			var bad *badinput.Error
			if trace != nil || !errors.As(err, &bad) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("trace %v beside error %q", trace, err)
			}
			return
		}
		rows := trace.Rows()
		if rows < 1 || limit > 0 && rows > limit || trace.Requests()/rows != max(1, repeat) && trace.Requests() != math.MaxInt {
			t.Fatalf("%d rows, %d requests", rows, trace.Requests())
		}
		if trace.Requests() <= 1<<16 {
			possible(t, drain(replayed(trace)), trace.Requests())
		}
	})
}

// possible demands n requests in order.
func possible(t *testing.T, requests []Request, n int) {
	t.Helper()
	if len(requests) != n {
		t.Fatalf("%d requests of %d", len(requests), n)
	}
	before := units.Seconds(0)
	for i, r := range requests {
		if r.ID != i || !(r.Arrival >= before) || math.IsInf(float64(r.Arrival), 0) || r.Input < 1 || r.Output < 1 ||
			r.Named > r.Input+r.Output || r.Content != nil && r.Input-r.Named >= r.Content.Span {
			t.Fatalf("request %+v after one at %v", r, before)
		}
		before = r.Arrival
	}
}

// head is the first lines of a file below ../shared/traces; empty where it is not there.
func head(name string, lines int) string {
	file, err := os.Open(filepath.Join(shared, "traces", filepath.FromSlash(name)))
	if err != nil {
		return ""
	}
	defer file.Close()
	r := io.Reader(file)
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(file); err != nil {
			return ""
		}
	}
	var text strings.Builder
	for scanner := bufio.NewScanner(r); lines > 0 && scanner.Scan(); lines-- {
		text.WriteString(scanner.Text() + "\n")
	}
	return text.String()
}
