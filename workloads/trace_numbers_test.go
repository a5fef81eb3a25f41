package workloads

import (
	"fmt"
	"strings"
	"testing"
)

// TestBadNumbersInTraces puts what is no plain number into every column of every format:
// it is refused with the file, the row and the column.
func TestBadNumbersInTraces(t *testing.T) {
	bad := []string{"", "-1", "+1", "1_0", "0x10", "0x1p9", "Inf", "inf", "NaN", "nan", "1e400", "1e", "1.2.3", "1 0", "ten", "\"5\"", "null", "[5]"}
	for _, format := range []struct {
		name, row string // with %s in the place of each value
		columns   []string
	}{
		{"azure", "TIMESTAMP,ContextTokens,GeneratedTokens\n%s,%s,%s\n", []string{"TIMESTAMP", "ContextTokens", "GeneratedTokens"}},
		{"measured", "arrival_s,prompt_tokens,output_tokens\n%s,%s,%s\n", []string{"arrival_s", "prompt_tokens", "output_tokens"}},
		{"mooncake", "\n" + `{"timestamp": %s, "input_length": %s, "output_length": %s, "hash_ids": [1]}`, []string{"timestamp", "input_length", "output_length"}},
		{"bailian", "\n" + `{"timestamp": %s, "input_length": %s, "output_length": %s, "hash_ids": [1]}`, []string{"timestamp", "input_length", "output_length"}},
		{"vllm", "\n" + `{"timestamp": %s, "input_length": %s, "output_length": %s, "hash_ids": [1]}`, []string{"timestamp", "input_length", "output_length"}},
		{"burstgpt", "Timestamp,Request tokens,Response tokens\n%s,%s,%s\n", []string{"Timestamp", "Request tokens", "Response tokens"}},
		{"csv", "timestamp,input_tokens,output_tokens\n%s,%s,%s\n", []string{"timestamp", "input_tokens", "output_tokens"}},
		{"jsonl", "\n" + `{"timestamp": %s, "input_tokens": %s, "output_tokens": %s}`, []string{"timestamp", "input_tokens", "output_tokens"}},
	} {
		good := []any{"5", "5", "5"}
		if format.name == "azure" {
			good[0] = "2023-11-16 18:15:46"
		}
		spec := TraceSpec{Path: "p", Format: format.name}
		if _, err := LoadTrace(write(t, fmt.Sprintf(format.row, good...)), spec); err != nil {
			t.Fatalf("%s: %v", format.name, err)
		}
		for at := range 3 {
			for _, text := range append(bad, "1.5", "0", "1e1")[:len(bad)+3*min(at, 1)] {
				if text == "0" && format.name == "burstgpt" {
					continue // which is a request that failed
				}
				values := append([]any{}, good...)
				values[at] = text
				if text == "\"5\"" && (!strings.Contains(format.row, "{") || (format.name == "jsonl" || format.name == "vllm") && at == 0) {
					continue // which is CSV's way to write 5, and a time as a log may have it
				}
				_, err := LoadTrace(write(t, fmt.Sprintf(format.row, values...)), spec)
				isJSON := strings.HasPrefix(format.row, "\n")
				e := badInput(t, err)
				if e.File == "" || e.Line != 2 || !strings.Contains(e.Error(), format.columns[at]) && !(isJSON && strings.Contains(e.Error(), "not a JSON object")) {
					t.Errorf("%s of %s = %q: %v", format.columns[at], format.name, text, e)
				}
			}
		}
	}
}
