package workloads

import (
	"cmp"
	"slices"
	"strings"
	"testing"
)

// columnChanges are a trace of each format, and a change of the value of each of its
// columns: what stands there, and what instead.
var columnChanges = map[string]struct {
	text    string
	changes map[string][2]string
}{
	"azure": {"TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46,374,44\n2023-11-16 18:15:49,396,109\n",
		map[string][2]string{"TIMESTAMP": {":49", ":50"}, "ContextTokens": {"396", "397"}, "GeneratedTokens": {"109", "110"}}},
	"measured": {"arrival_s,prompt_tokens,output_tokens\n0,374,44\n2.5,396,109\n",
		map[string][2]string{"arrival_s": {"2.5", "2.6"}, "prompt_tokens": {"396", "397"}, "output_tokens": {"109", "110"}}},
	"mooncake": {`{"timestamp": 5, "input_length": 600, "output_length": 3, "hash_ids": [1, 2]}
{"timestamp": 9, "input_length": 700, "output_length": 4, "hash_ids": [1, 8]}`,
		map[string][2]string{"timestamp": {"9", "10"}, "input_length": {"700", "701"}, "output_length": {": 4", ": 5"}, "hash_ids": {"[1, 8]", "[7, 8]"}}},
	"burstgpt": {"Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type\n19440110.0,a,3,GPT-4,374,44,418,API log\n19440112.0,a,3,GPT-4,496,109,605,API log\n",
		map[string][2]string{"Timestamp": {"112.0", "113.0"}, "Request tokens": {"496", "497"}, "Response tokens": {"109", "110"}, "Session ID": {"112.0,a", "112.0,b"}}},
	"vllm": {`{"timestamp": 5, "input_length": 20, "output_length": 3, "hash_ids": [1, 2]}
{"timestamp": 9, "input_length": 30, "output_length": 4, "hash_ids": [1, 8]}`,
		map[string][2]string{"timestamp": {"9", "10"}, "input_length": {"30", "31"}, "output_length": {": 4", ": 5"}, "hash_ids": {"[1, 8]", "[7, 8]"}}},
	"csv": {"Timestamp,Prompt Tokens,output_tokens,session-id,HashIDs\n0.5,20,44,a,\"[1, 2]\"\n2.5,30,109,a,\"[1, 8]\"\n",
		map[string][2]string{"time": {"2.5", "2.6"}, "input": {"30", "31"}, "output": {"109", "110"}, "session": {"109,a", "109,b"}, "hash_ids": {"1, 8", "7, 8"}}},
	"jsonl": {`{"arrival_time": "2024-05-10T00:00:00Z", "prompt_tokens": 20, "completion_tokens": 3, "conversation_id": 7, "hash_ids": [1, 2]}
{"arrival_time": "2024-05-10T00:00:09Z", "prompt_tokens": 30, "completion_tokens": 4, "conversation_id": 7, "hash_ids": [1, 8]}`,
		map[string][2]string{"time": {":09", ":10"}, "input": {": 30", ": 31"}, "output": {": 4", ": 5"}, "session": {"4, \"conversation_id\": 7", "4, \"conversation_id\": 8"}, "hash_ids": {"1, 8", "7, 8"}}},
	"bailian": {`{"timestamp": 5, "input_length": 20, "output_length": 3, "hash_ids": [1, 2]}
{"timestamp": 9, "input_length": 30, "output_length": 4, "hash_ids": [1, 8]}`,
		map[string][2]string{"timestamp": {"9", "10"}, "input_length": {"30", "31"}, "output_length": {": 4", ": 5"}, "hash_ids": {"[1, 8]", "[7, 8]"}}},
}

// openBlocks are the tokens of an ID in the traces above where the format leaves it open.
var openBlocks = map[string]int{"csv": 16, "jsonl": 16, "parquet": 16}

// TestEveryColumnOfATraceHasAnEffect changes the value of every column of every format:
// what is replayed changes. A format or a column without a change here is an error.
func TestEveryColumnOfATraceHasAnEffect(t *testing.T) {
	columns := map[string][]string{}
	for name, f := range formats {
		for i, c := range f.columns {
			if c.name != "" || c.usual != nil {
				columns[name] = append(columns[name], cmp.Or(c.name, fieldKeys[i]))
			}
		}
	}
	load := func(t *testing.T, format, text string) string {
		t.Helper()
		trace, err := LoadTrace(write(t, text), TraceSpec{Path: "p", Format: format, BlockSize: openBlocks[format]})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return trace.Digest()
	}
	delete(columns, "parquet") // whose columns TestParquetReplays reads
	for format, names := range columns {
		t.Run(format, func(t *testing.T) {
			c := columnChanges[format]
			before := load(t, format, c.text)
			for _, column := range names {
				change, there := c.changes[column]
				if !there || !strings.Contains(c.text, change[0]) {
					t.Fatalf("no change of %s", column)
				}
				if load(t, format, strings.Replace(c.text, change[0], change[1], 1)) == before {
					t.Errorf("%s %s instead of %s: the same is replayed", column, change[1], change[0])
				}
			}
			for column := range c.changes {
				if !slices.Contains(names, column) {
					t.Errorf("no column %s is read", column)
				}
			}
		})
	}
}
