package workloads

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// published loads a trace below ../shared, and is nothing where that is not there.
func published(t *testing.T, name, format string, change func(*TraceSpec)) *Trace {
	t.Helper()
	path := filepath.Join(shared, "traces", filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skip("this trace needs ../shared: ", err)
	}
	spec := TraceSpec{Path: path, Format: format}
	change(&spec)
	trace, err := LoadTrace(path, spec)
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

func asItIs(*TraceSpec) {}

// totals are the requests of a trace, and their mean tokens.
func totals(trace *Trace) (requests []Request, input, output float64) {
	requests = drain(replayed(trace))
	for _, r := range requests {
		input += float64(r.Input) / float64(len(requests))
		output += float64(r.Output) / float64(len(requests))
	}
	return requests, input, output
}

// TestBurstGPT: of the first 400 rows 17 failed. The others have 544 and 289 tokens on average, and come over 37,269 s.
func TestBurstGPT(t *testing.T) {
	requests, input, output := totals(published(t, "burstgpt/BurstGPT_1.first400.csv", "burstgpt", asItIs))
	last := float64(requests[len(requests)-1].Arrival)
	if len(requests) != 383 || int(input+0.5) != 544 || int(output+0.5) != 289 || last > 37269 || last < 37200 {
		t.Errorf("%d requests of %g and %g tokens until %g s", len(requests), input, output, last)
	}
	spec := TraceSpec{Path: "p", Format: "burstgpt"}
	if err := spec.Validate(); err != nil || *spec.TickJitter != 1 {
		t.Errorf("its clock ticks every %v s; %v", *spec.TickJitter, err)
	}
}

// TestTimedTraceOfVLLM: a trace of Bailian is one, whose blocks have vLLM's size, and one of Mooncake with its own size and unit.
func TestTimedTraceOfVLLM(t *testing.T) {
	const head = "qwen-bailian/qwen_traceA_blksz_16.first8KiB.jsonl"
	few := func(s *TraceSpec) { s.Limit = 7 }
	if vllm, bailian := published(t, head, "vllm", few), published(t, head, "bailian", few); vllm.Digest() != bailian.Digest() || vllm.Rows() != 7 {
		t.Errorf("%d rows of vllm differ from %d of bailian", vllm.Rows(), bailian.Rows())
	}
	const whole = "mooncake/conversation_trace.jsonl.gz"
	vllm := published(t, whole, "vllm", func(s *TraceSpec) { s.BlockSize, s.TimeUnit = 512, "ms" })
	if mooncake := published(t, whole, "mooncake", asItIs); vllm.Digest() != mooncake.Digest() {
		t.Error("vllm reads another trace than mooncake")
	}
	path := filepath.Join(shared, "traces", filepath.FromSlash(whole))
	if _, err := LoadTrace(path, TraceSpec{Path: path, Format: "vllm"}); err == nil || !strings.Contains(err.Error(), "blocks of 16 (block_size)") {
		t.Errorf("blocks of 512 as if of 16: %v", err)
	}
}

// TestResultsOfVLLM: what a benchmark sent comes again when it was sent, without what failed.
func TestResultsOfVLLM(t *testing.T) {
	const results = `{"date": "x", "duration": 9.5, "total_input_tokens": 60, "input_lens": [10, 20, 30, 7], "output_lens": [4, 5, 6, 0], ` +
		`"start_times": [1000.5, 1000.25, 1003.0, 1001.0], "itls": [[0.1, 0.2], [], [], []], "errors": ["", "", "", "x"]}` + "\n"
	spec := TraceSpec{Path: "p", Format: "vllm"}
	want := []Request{
		{ID: 0, Session: -1, Input: 20, Output: 5}, {ID: 1, Session: -1, Input: 10, Output: 4, Planned: 0.25, Arrival: 0.25},
		{ID: 2, Session: -1, Input: 30, Output: 6, Planned: 2.75, Arrival: 2.75},
	}
	if got := drain(replayed(mustLoad(t, results, spec))); !reflect.DeepEqual(got, want) {
		t.Errorf("replayed %+v", got)
	}
	for text, says := range map[string]string{
		`{"duration": 9.5, "total_input_tokens": 60}`: ":1: no list input_lens; allowed: results that were written with --save-detailed",
		results + results:                                          ":2: is not the only line beside the results of a run",
		strings.Replace(results, "[4, 5", "[5", 1):                 ":1: 4 input_lens and 3 output_lens for 4 start_times",
		strings.Replace(results, "[10", "[0", 1):                   `:1: input_lens[0] "0" is not a number of tokens`,
		`{"timestamp": 5, "input_length": 20, "output_length": 3}`: ":1: has no hash_ids",
		`{"timestamp": 5, "input_length": 20, "output_length": 3, "hash_ids": [1, 2]}` + "\n" + results: ":2: is not the only line",
	} {
		_, err := LoadTrace(write(t, text), spec)
		if e := badInput(t, err); !strings.Contains(e.Error(), says) {
			t.Errorf("%s: %v does not say %q", text, err, says)
		}
	}
	for _, spec := range []TraceSpec{{Path: "p", Format: "vllm", TimeUnit: "ms"}, {Path: "p", Format: "vllm", BlockSize: 32}} {
		if _, err := LoadTrace(write(t, results), spec); !strings.Contains(badInput(t, err).Error(), "has no effect on results") {
			t.Errorf("%+v: %v", spec, err)
		}
	}
}

// TestRAGPulse: the published week has 7,106 requests of 3,990 sessions, with 2,944 and 283 tokens on average. A cache
// without end finds 31.53 % of the tokens of all parts, by parts; by blocks of 16 it is a little less.
func TestRAGPulse(t *testing.T) {
	requests, input, output := totals(published(t, "ragpulse", "ragpulse", asItIs))
	sessions, seen, hits, all := map[int]bool{}, map[int]bool{}, 0, 0
	for _, r := range requests {
		sessions[r.Session] = true
		for _, id := range r.Content.IDs {
			if all++; seen[id] {
				hits++
			}
		}
		for _, id := range r.Content.IDs {
			seen[id] = true
		}
		if over := r.Input - r.Named; over < 6 || over > 12 {
			t.Fatalf("%d tokens beyond the parts", over)
		}
	}
	last := float64(requests[len(requests)-1].Arrival)
	if len(requests) != 7106 || len(sessions) != 3990 || int(input+0.5) != 2944 || int(output+0.5) != 283 || last < 6.9*86400 || last > 7*86400 {
		t.Errorf("%d requests of %d sessions with %g and %g tokens until %g s", len(requests), len(sessions), input, output, last)
	}
	within(t, "hits", float64(hits)/float64(all), 0.305, 0.316)
}

const ragPulseTrace = `{"timestamp": "9", "input_length": 50, "output_length": 3, "hash_ids": {"sys_prompt": [1], "passages_ids": [2, 3], "history": [], "web_search": [], "user_input": [4]}, "session_id": "a"}
{"timestamp": "7", "input_length": 48, "output_length": 2, "hash_ids": {"sys_prompt": [1], "passages_ids": [3, 2], "history": [], "web_search": [], "user_input": [4]}, "session_id": "b"}
`

// ragPulseFiles is a folder like RAGPulse's, of which parts 1 to 4 have 20, 10, 10 and 5 tokens.
func ragPulseFiles(t testing.TB, trace string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"0_trace.jsonl": trace, "1_sys_prompt.jsonl": `{"sys_prompt_id": 1, "token_length": 20}`,
		"2_passages.jsonl": `{"passage_id": 2, "token_length": 10}` + "\n" + `{"passage_id": 3, "token_length": 10}` + "\n",
		"3_history.jsonl":  "", "4_user_input.jsonl": `{"user_input_id": 4, "token_length": 5}`, "5_web_search.jsonl": "\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestPartsOfPrompts: a block is shared where all parts up to its last token are.
func TestPartsOfPrompts(t *testing.T) {
	folder := ragPulseFiles(t, ragPulseTrace)
	spec := TraceSpec{Path: folder, Format: "ragpulse"}
	trace, err := LoadTrace(folder, spec)
	if err != nil {
		t.Fatal(err)
	}
	got := drain(replayed(trace))
	if !slices.Equal(arrivals(got), []float64{0, 2}) || got[0].Input != 48 || got[0].Named != 45 || got[0].Session == got[1].Session {
		t.Errorf("replayed %+v", got)
	}
	if a, b := got[0].Content.IDs, got[1].Content.IDs; len(a) != 3 || len(b) != 3 || a[0] != b[0] || a[1] == b[1] || a[2] == b[2] {
		t.Errorf("contents %v and %v", a, b)
	}
	for change, says := range map[[2]string]string{
		{"[2, 3]", "[2, 5]"}:               "0_trace.jsonl:1: passages_ids has the part 5; allowed: those of 2_passages.jsonl",
		{`"9"`, `"x"`}:                     `0_trace.jsonl:1: timestamp "x" is not a time`,
		{": 50", ": 0"}:                    `0_trace.jsonl:1: input_length "0" is not a number of tokens`,
		{`{"sys_prompt": [1]`, `[{"a": 1`}: "0_trace.jsonl:1: ",
	} {
		folder := ragPulseFiles(t, strings.Replace(ragPulseTrace, change[0], change[1], 1))
		if _, err := LoadTrace(folder, spec); !strings.Contains(badInput(t, err).Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
	if err := os.Remove(filepath.Join(folder, "3_history.jsonl")); err != nil {
		t.Fatal(err)
	}
	_, err = LoadTrace(folder, spec)
	if e := badInput(t, err); !strings.Contains(e.Error(), "3_history.jsonl: cannot be read") {
		t.Error(err)
	}
}

// TestWekaSessions: of the 1,593 requests of 40 published sessions one was broken off. In these sessions a cache without
// end finds 95.3 % of the blocks, and in all that were published 96.4 %.
func TestWekaSessions(t *testing.T) {
	requests, input, output := totals(published(t, "claude-code-weka", "weka", asItIs))
	sessions, seen, hits, all := map[int]bool{}, map[int]bool{}, 0, 0
	for _, r := range requests {
		sessions[r.Session] = true
		if r.Content == nil {
			continue
		}
		prompt := r.Content.IDs[:min(len(r.Content.IDs), r.Input/64)]
		for _, id := range prompt {
			if all++; seen[id] {
				hits++
			}
		}
		for _, id := range r.Content.IDs {
			seen[id] = true
		}
	}
	if len(requests) != 1592 || len(sessions) != 40 || r0(requests) != 0 {
		t.Errorf("%d requests of %d sessions, the first at %v", len(requests), len(sessions), r0(requests))
	}
	within(t, "input", input, 119000, 119300)
	within(t, "output", output, 409, 411)
	within(t, "hits", float64(hits)/float64(all), 0.952, 0.965)
}

func r0(requests []Request) float64 { return float64(requests[0].Arrival) }

const wekaSession = `{"id": "a", "block_size": 4, "hash_id_scope": "local", "requests": [
	{"t": 0.0, "type": "n", "in": 10, "out": 3, "hash_ids": [1, 2], "stop": "tool_use"},
	{"t": 5.0, "type": "subagent", "requests": [{"t": 1.5, "type": "s", "in": 8, "out": 2, "hash_ids": [1, 3]}, {"t": 9.0, "type": "s", "in": 8, "out": 2, "hash_ids": [1, 3]}]},
	{"t": 7.0, "type": "s", "in": 16, "out": 0, "hash_ids": [1, 2, 4, 5]},
	{"t": 8.0, "type": "s", "in": 16, "out": 2, "hash_ids": [1, 2, 4, 5]}]}
`

// TestSessionsOfAgents: sessions begin together and share nothing, unless their IDs are those of all. Subagents share with
// the session that began them.
func TestSessionsOfAgents(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"b.json": wekaSession, "a.json.gz": zipped(t, wekaSession), "notes.txt": "x"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	trace, err := LoadTrace(folder, TraceSpec{Path: folder, Format: "weka"})
	if err != nil {
		t.Fatal(err)
	}
	got := drain(replayed(trace))
	var sessions []int
	for _, r := range got {
		sessions = append(sessions, r.Session)
	}
	if !slices.Equal(arrivals(got), []float64{0, 0, 6.5, 6.5, 8, 8, 9, 9}) || !slices.Equal(sessions, []int{0, 2, 1, 3, 0, 2, 1, 3}) {
		t.Errorf("sessions %v at %v", sessions, arrivals(got))
	}
	first := func(i int) int { return got[i].Content.IDs[0] }
	if first(0) == first(1) || first(0) != first(2) || got[0].Content.Span != 4 {
		t.Errorf("contents %+v and %+v", got[0].Content, got[1].Content)
	}
	global := strings.Replace(wekaSession, "local", "global", 1)
	got = drain(replayed(mustLoad(t, global+global, TraceSpec{Path: "p", Format: "weka"})))
	if len(got) != 8 || first(0) != first(1) {
		t.Errorf("with IDs of all: %d requests, %+v and %+v", len(got), got[0].Content, got[1].Content)
	}
	for change, says := range map[[2]string]string{
		{`"in": 10`, `"in": 0`}:       `: requests[0]: in "0" is not a number of tokens`,
		{`"t": 9.0`, `"t": "x"`}:      `: requests[1].requests[1]: t `,
		{"[1, 2]", "[1]"}:             ": requests[0]: has 1 hash_ids for 10 tokens, which are 3 blocks of 4",
		{`"local"`, `"here"`}:         `: hash_id_scope "here" is unknown`,
		{`"block_size": 4`, `"x": 1`}: `: block_size "" is not a number of tokens`,
		{`"requests": [`, `"r": [`}:   ": requests: missing",
		{`{"id"`, `[{"id"`}:           ": not ",
	} {
		_, err := LoadTrace(write(t, strings.Replace(wekaSession, change[0], change[1], 1)), TraceSpec{Path: "p", Format: "weka"})
		if e := badInput(t, err); e.File == "" || !strings.Contains(e.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
}
