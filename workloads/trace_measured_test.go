package workloads

import (
	"os"
	"path/filepath"
	"testing"
)

// TestMeasuredRequestsReplay: the files that serving measurements leave hold
// seconds, and columns that a replay does not need.
func TestMeasuredRequestsReplay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "requests.csv")
	text := "arrival_s,prompt_tokens,output_tokens,ttft_ms\n0.0,10,3,5.5\n0.25,20,4,\n7,30,1,9\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	trace, err := LoadTrace(path, TraceSpec{Path: path, Format: "measured"})
	if err != nil {
		t.Fatal(err)
	}
	got := drain(replayed(trace))
	want := []Request{{ID: 0, Session: -1, Input: 10, Output: 3}, {ID: 1, Session: -1, Input: 20, Output: 4, Planned: 0.25, Arrival: 0.25}, {ID: 2, Session: -1, Input: 30, Output: 1, Planned: 7, Arrival: 7}}
	if len(got) != len(want) {
		t.Fatalf("replayed %d requests, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("request %d is %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestMeasuredRequestsRefuse(t *testing.T) {
	for text, line := range map[string]int{
		"arrival_s,prompt_tokens\n":                             1,
		"arrival_s,prompt_tokens,output_tokens\n-1,5,5\n":       2,
		"arrival_s,prompt_tokens,output_tokens\n0,5,5\nNaN,5,5": 3,
		"arrival_s,prompt_tokens,output_tokens\n1,5,5\n0,5,5\n": 3,
		"arrival_s,prompt_tokens,output_tokens\n1,5,many\n":     2,
	} {
		t.Run(text, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "requests.csv")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := LoadTrace(path, TraceSpec{Path: path, Format: "measured"})
			if err == nil {
				t.Errorf("%q is accepted", text)
				return
			}
			if wrong := badInput(t, err); wrong.Line != line || wrong.File != path {
				t.Errorf("%q: %v, want line %d of the file", text, err, line)
			}
		})
	}
}
