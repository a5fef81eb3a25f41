package workloads

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestTraceOfRows: rows in memory are the trace that a file with them is, and have
// its digest; what no file could have is refused.
func TestTraceOfRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.csv")
	text := "arrival_s,prompt_tokens,output_tokens\n0,10,2\n0.1,300,7\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	spec := TraceSpec{Path: path, Format: "measured"}
	read, err := LoadTrace(path, spec)
	if err != nil {
		t.Fatal(err)
	}
	made, err := NewTrace([]TraceRow{{0, 10, 2}, {0.1, 300, 7}})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(made, read) || made.Digest() != read.Digest() {
		t.Errorf("rows in memory make %+v, the file %+v", made, read)
	}
	for _, rows := range [][]TraceRow{nil, {{-1, 1, 1}}, {{1, 1, 1}, {0, 1, 1}}, {{0, 0, 1}}, {{0, 1, mostTokens + 1}}} {
		if _, err := NewTrace(rows); err == nil {
			t.Errorf("%v is taken for a trace", rows)
		}
	}
}

// TestDigests: whatever a replay depends on changes the digest.
func TestDigests(t *testing.T) {
	base := Trace{rows: []row{{at: 1, input: 2, output: 3, content: &Content{IDs: []int{4}, Span: 5}}}, passes: 1, scale: 1}
	seen := map[string]int{base.Digest(): -1}
	for i, r := range []row{
		{at: 2, input: 2, output: 3, content: base.rows[0].content},
		{at: 1, input: 3, output: 3, content: base.rows[0].content},
		{at: 1, input: 2, output: 4, content: base.rows[0].content},
		{at: 1, input: 2, output: 3},
		{at: 1, input: 2, output: 3, content: &Content{IDs: []int{5}, Span: 5}},
		{at: 1, input: 2, output: 3, content: &Content{IDs: []int{4}, Span: 6}},
		{at: 1, input: 2, output: 3, content: &Content{IDs: []int{4, 4}, Span: 5}},
	} {
		other := Trace{rows: []row{r}, passes: 1, scale: 1}
		if twin, known := seen[other.Digest()]; known {
			t.Errorf("rows %d and %d have the same digest", i, twin)
		}
		seen[other.Digest()] = i
	}
	for i, other := range []Trace{{rows: base.rows, passes: 2, scale: 1}, {rows: base.rows, passes: 1, scale: 2}, {rows: append(base.rows, base.rows...), passes: 1, scale: 1}} {
		if twin, known := seen[other.Digest()]; known {
			t.Errorf("traces %d and %d have the same digest", i+100, twin)
		}
		seen[other.Digest()] = i + 100
	}
}

// TestRowsAtTheEdges: requests of one token, and of the most that a length may have.
func TestRowsAtTheEdges(t *testing.T) {
	for _, c := range []struct {
		row     TraceRow
		allowed bool
	}{
		{TraceRow{0, 1, 1}, true}, {TraceRow{0, mostTokens, mostTokens}, true},
		{TraceRow{0, 0, 1}, false}, {TraceRow{0, 1, 0}, false}, {TraceRow{0, mostTokens + 1, 1}, false}, {TraceRow{0, 1, mostTokens + 1}, false},
		{TraceRow{-1, 1, 1}, false},
	} {
		if _, err := NewTrace([]TraceRow{c.row}); c.allowed != (err == nil) {
			t.Errorf("%+v: %v", c.row, err)
		}
	}
	if _, err := NewTrace([]TraceRow{{2, 1, 1}, {2, 1, 1}, {1, 1, 1}}); err == nil {
		t.Error("a row that arrives before another one above it is accepted")
	}
	if _, err := NewTrace([]TraceRow{{2, 1, 1}, {2, 1, 1}}); err != nil {
		t.Error(err)
	}
}
