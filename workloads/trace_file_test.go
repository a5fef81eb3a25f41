package workloads

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

// logText is a log of n requests, a row for each, in one of the formats that need not be kept.
func logText(format string, n int) string {
	var b strings.Builder
	if format == "csv" {
		b.WriteString("time,input_tokens,output_tokens\n")
	}
	for i := range n {
		at, input, output := float64(i*i%7)/8+float64(i), i%50+1, i%9+1
		if format == "csv" {
			fmt.Fprintf(&b, "%v,%d,%d\n", at, input, output)
		} else {
			fmt.Fprintf(&b, `{"time": %v, "input_tokens": %d, "output_tokens": %d}`+"\n", at, input, output)
		}
	}
	return b.String()
}

func all(t reporting, spec Spec, trace *Trace) (requests []Request) {
	traffic, err := New(spec, trace, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	for r, ok := traffic.Pop(); ok; r, ok = traffic.Pop() {
		requests = append(requests, r)
	}
	if err := Failure(traffic); err != nil {
		t.Fatal(err)
	}
	return requests
}

type reporting interface{ Fatal(...any) }

// TestRowsOfAFile: a trace of which the rows are read by each replay is the same as one whose rows are kept.
func TestRowsOfAFile(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		format := rapid.SampledFrom([]string{"csv", "jsonl"}).Draw(t, "format")
		text := logText(format, rapid.SampledFrom([]int{3, 100, chunkRows, 3000}).Draw(t, "rows"))
		path := filepath.Join(folder, "log")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		tick := units.Seconds(rapid.SampledFrom([]float64{0, 0.5, 30}).Draw(t, "tick"))
		table := TraceSpec{Path: path, Format: format, TickJitter: &tick, TimeScale: rapid.SampledFrom([]float64{1, 2.5}).Draw(t, "scale"),
			Start: units.Seconds(rapid.IntRange(0, 2).Draw(t, "start")), Limit: rapid.SampledFrom([]int{0, 2, 70}).Draw(t, "limit"),
			Repeat: rapid.IntRange(1, 3).Draw(t, "repeat")}
		spec := Spec{Trace: &table}
		if rapid.Bool().Draw(t, "lengths alone") {
			spec.Arrival, spec.NumRequests = &ArrivalSpec{Process: "poisson", Rate: 1}, 5000
		}
		kept, err := loadTrace(path, table, math.MaxInt)
		if err != nil {
			t.Fatal(err)
		}
		read, err := loadTrace(path, table, rapid.IntRange(0, kept.Rows()-1).Draw(t, "kept"))
		if err != nil {
			t.Fatal(err)
		}
		if read.file == nil || read.Digest() != kept.Digest() || read.Requests() != kept.Requests() {
			t.Fatalf("%+v, not %+v", read.file, kept)
		}
		if got, want := all(t, spec, read), all(t, spec, kept); !slices.Equal(got, want) {
			t.Errorf("%d requests, not the %d of rows that are kept", len(got), len(want))
		}
	})
}

// TestRowsThatShareAreKept: conversations are found beyond the rows that would be kept, too.
func TestRowsThatShareAreKept(t *testing.T) {
	text := "time,input_tokens,output_tokens,session_id\n" + strings.Repeat("0,5,5,\n", 40) + "1,5,5,a\n2,50,5,a\n"
	path := write(t, text)
	trace, err := loadTrace(path, TraceSpec{Path: path, Format: "csv", TimeScale: 1}, 10)
	if err != nil {
		t.Fatal(err)
	}
	if trace.file != nil || trace.Rows() != 42 || trace.rows[41].content == nil || trace.rows[41].content != trace.rows[40].content {
		t.Errorf("%d rows, %+v", trace.Rows(), trace.file)
	}
}

// TestAnotherFile: a file that changes between its readings ends the traffic with one error, whether it now ends amid a row or behind one.
func TestAnotherFile(t *testing.T) {
	text := logText("csv", 30_000)
	for name, size := range map[string]int{"amid a row": 200_000, "behind a row": strings.LastIndexByte(text[:200_000], '\n') + 1} {
		path := write(t, text)
		table := TraceSpec{Path: path, Format: "csv", TimeScale: 1}
		trace, err := loadTrace(path, table, 10)
		if err != nil {
			t.Fatal(err)
		}
		traffic, err := New(Spec{Trace: &table}, trace, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, int64(size)); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, ok := traffic.Pop(); ok; _, ok = traffic.Pop() {
			n++
		}
		var wrong *badinput.Error
		if err := Failure(traffic); !errors.As(err, &wrong) || wrong.File != path || n == 0 || n >= 30_000 {
			t.Errorf("%s: %d requests, then %v", name, n, err)
		}
		traffic, err = New(Spec{Trace: &table}, trace, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := traffic.Pop(); ok || Failure(traffic) == nil {
			t.Errorf("%s: a file of another size is read", name)
		}
	}
}

// TestAFileTakesNoMemory: what a replay of a file takes does not grow with its rows.
func TestAFileTakesNoMemory(t *testing.T) {
	path := write(t, logText("csv", 200_000))
	table := TraceSpec{Path: path, Format: "csv", TimeScale: 1}
	before := inUse()
	trace, err := LoadTrace(path, table)
	if err != nil {
		t.Fatal(err)
	}
	traffic, err := New(Spec{Trace: &table}, trace, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	for range 150_000 {
		traffic.Pop()
	}
	if more := int64(inUse() - before); more > 400_000 {
		t.Errorf("%d bytes", more)
	}
	runtime.KeepAlive(trace)
	runtime.KeepAlive(traffic)
}

// inUse is the bytes of memory that are not garbage.
func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestTableIsCSV: records are those of encoding/csv, and so is what is wrong with them.
func TestTableIsCSV(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab,,\"\n\n\r é")), 0, 40, -1).Draw(t, "text")
		ours, theirs := newCSVTable(strings.NewReader(text)), csv.NewReader(strings.NewReader(text))
		theirs.FieldsPerRecord = -1
		for {
			got, ourErr := ours.read()
			want, err := theirs.Read()
			switch {
			case err == io.EOF && ourErr == io.EOF:
				return
			case err != nil:
				if wrong := notCSV(err); ourErr == nil || ourErr.Error() != wrong.Error() {
					t.Fatalf("%v, want %v", ourErr, wrong)
				}
				return
			case ourErr != nil || !slices.Equal(got, want):
				t.Fatalf("%q, %v; want %q", got, ourErr, want)
			}
			if line, _ := theirs.FieldPos(0); line != ours.line {
				t.Fatalf("line %d, want %d", ours.line, line)
			}
		}
	})
}
