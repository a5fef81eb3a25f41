package workloads

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
)

// parquetFile writes rows as a Parquet file, whose columns their struct says.
func parquetFile[T any](t testing.TB, rows []T, options ...parquet.WriterOption) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trace.parquet")
	if err := parquet.WriteFile(path, rows, options...); err != nil {
		t.Fatal(err)
	}
	return path
}

// numbers are rows as most programs write them.
type numbers struct {
	Name   string  `parquet:"name"`
	At     float64 `parquet:"timestamp"`
	Input  int64   `parquet:"prompt_tokens"`
	Output int32   `parquet:"completion_tokens,optional"`
}

// stamps are rows with a column of timestamps, a conversation and a list.
type stamps struct {
	At     time.Time `parquet:"arrival_time,timestamp(microsecond),snappy"`
	Input  float64   `parquet:"input_tokens,zstd"`
	Output uint32    `parquet:"output_tokens,gzip"`
	Talk   *string   `parquet:"session_id,optional,dict"`
	IDs    []int64   `parquet:"hash_ids,list"`
}

func parquetTrace() TraceSpec { return TraceSpec{Path: "p", Format: "parquet"} }

// TestParquetReplays: whatever the types, encodings and row groups.
func TestParquetReplays(t *testing.T) {
	var rows []numbers
	for i := range 1000 {
		rows = append(rows, numbers{"x", 1.7e9 + float64(i)/4, 100 + int64(i), 1 + int32(i%7)})
	}
	path := parquetFile(t, rows, parquet.MaxRowsPerRowGroup(300), parquet.PageBufferSize(64))
	trace, err := LoadTrace(path, parquetTrace())
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range drain(replayed(trace)) {
		if want := (Request{ID: i, Session: -1, Input: 100 + i, Output: 1 + i%7, Planned: r.Arrival, Arrival: r.Arrival}); r != want || float64(r.Arrival) != float64(i)/4 {
			t.Fatalf("row %d is %+v", i, r)
		}
	}

	talk, at := "a", time.Date(2024, 5, 10, 23, 59, 59, 999_500_000, time.UTC)
	path = parquetFile(t, []stamps{{at, 30, 5, &talk, []int64{1, 2}}, {at.Add(1500 * time.Microsecond), 16, 1, nil, []int64{1}}, {at.Add(time.Hour), 9, 1, &talk, nil}})
	spec := parquetTrace()
	spec.BlockSize = 16
	if trace, err = LoadTrace(path, spec); err != nil {
		t.Fatal(err)
	}
	want := []Request{
		{ID: 0, Session: 0, Input: 30, Output: 5, Named: 30, Content: &Content{[]int{1, 2}, 16}},
		{ID: 1, Session: -1, Input: 16, Output: 1, Named: 16, Content: &Content{[]int{1}, 16}},
		{ID: 2, Session: 0, Input: 9, Output: 1},
	}
	got := drain(replayed(trace))
	if times := arrivals(got); !slices.Equal(times, []float64{0, 0.0015, 3600}) {
		t.Errorf("arrivals at %v", times)
	}
	for i := range got {
		got[i].Planned, got[i].Arrival = 0, 0
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("replayed %+v", got)
	}
}

func TestBadParquet(t *testing.T) {
	good := []numbers{{"", 1, 5, 1}, {"", 2, 5, 1}}
	file := parquetFile(t, good)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	unit := parquetTrace()
	unit.TimeUnit = "ms"
	for name, c := range map[string]struct {
		path, want string
		spec       TraceSpec
	}{
		"text":          {write(t, smallTrace), ": not Parquet: ", parquetTrace()},
		"empty":         {write(t, ""), ": not Parquet: ", parquetTrace()},
		"cut":           {write(t, string(whole[:len(whole)/2])), ": not Parquet: ", parquetTrace()},
		"compressed":    {write(t, zipped(t, string(whole))), "; allowed: a whole Parquet file, not compressed as such", parquetTrace()},
		"no rows":       {parquetFile(t, []numbers{}), "the trace has no rows", parquetTrace()},
		"no time":       {parquetFile(t, []struct{ A int }{{1}}), "no column of time; allowed: timestamp,", parquetTrace()},
		"no output":     {parquetFile(t, append(good, numbers{"", 3, 5, 0})), `:3: completion_tokens "" is not a number of tokens`, parquetTrace()},
		"backwards":     {parquetFile(t, append(good, numbers{"", 1, 5, 1})), ":3: is earlier than the row before", parquetTrace()},
		"half a token":  {parquetFile(t, []stamps{{Input: 1.5, Output: 1}}), "block_size: missing", parquetTrace()},
		"unit of dates": {parquetFile(t, []stamps{{Input: 1, Output: 1}}), `time_unit = "ms": has no effect on a column of timestamps`, unit},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := LoadTrace(c.path, c.spec)
			if e := badInput(t, err); !strings.Contains(e.Error(), c.want) {
				t.Errorf("%v does not say %q", err, c.want)
			}
		})
	}
}

// TestParquetTypes: numbers that stand for something else, and several for one row, are refused.
func TestParquetTypes(t *testing.T) {
	for name, c := range map[string]struct{ path, want string }{
		"decimal": {parquetFile(t, []struct {
			At int64 `parquet:"time,decimal(3:18)"`
			In int32 `parquet:"input_tokens"`
			N  int32 `parquet:"output_tokens"`
		}{{1500, 5, 1}}), `: the column "time" of time is DECIMAL(18,3); allowed: whole or floating-point numbers, or texts, or timestamps`},
		"decimal tokens": {parquetFile(t, []struct {
			At int64 `parquet:"time"`
			In int32 `parquet:"input_tokens,decimal(2:9)"`
			N  int32 `parquet:"output_tokens"`
		}{{1, 500, 1}}), `: the column "input_tokens" of input is DECIMAL(9,2); allowed: whole or floating-point numbers, or texts`},
		"days": {parquetFile(t, []struct {
			At int32 `parquet:"time,date"`
			In int32 `parquet:"input_tokens"`
			N  int32 `parquet:"output_tokens"`
		}{{19000, 5, 1}}), `: the column "time" of time is DATE`},
		"time of a day": {parquetFile(t, []struct {
			At int64 `parquet:"time,time(microsecond)"`
			In int32 `parquet:"input_tokens"`
			N  int32 `parquet:"output_tokens"`
		}{{5, 5, 1}}), `: the column "time" of time is TIME(`},
		"96 bits": {parquetFile(t, []struct {
			At deprecated.Int96 `parquet:"time"`
			In int32            `parquet:"input_tokens"`
			N  int32            `parquet:"output_tokens"`
		}{{deprecated.Int96{0, 0, 2460000}, 5, 1}}), `: the column "time" of time is INT96`},
		"list": {parquetFile(t, []struct {
			At int64   `parquet:"time"`
			In []int32 `parquet:"input_tokens,list"`
			N  int32   `parquet:"output_tokens"`
		}{{1, []int32{5, 6}, 1}}), `: the column "input_tokens" of input is a list or a group of INT`},
		"group": {parquetFile(t, []struct {
			At int64 `parquet:"time"`
			In struct {
				A int32 `parquet:"a"`
				B int32 `parquet:"b"`
			} `parquet:"input_tokens"`
			N int32 `parquet:"output_tokens"`
		}{{At: 1, N: 1}}), `: the column "input_tokens" of input is a group`},
		"tokens of timestamps": {parquetFile(t, []struct {
			At int64     `parquet:"time"`
			In time.Time `parquet:"input_tokens,timestamp(microsecond)"`
			N  int32     `parquet:"output_tokens"`
		}{{1, time.UnixMicro(5), 1}}), `: the column "input_tokens" of input is TIMESTAMP(`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := LoadTrace(c.path, parquetTrace())
			if e := badInput(t, err); !strings.Contains(e.Error(), c.want) {
				t.Errorf("%v does not say %q", err, c.want)
			}
		})
	}
}

func FuzzParquet(f *testing.F) {
	talk := "a"
	var seeds []string
	for _, path := range []string{
		parquetFile(f, []numbers{{"", 1, 5, 1}, {"", 2.5, 6, 2}}),
		parquetFile(f, []stamps{{time.Unix(5, 0), 30, 5, &talk, []int64{1, 2}}, {time.Unix(6, 0), 30, 5, nil, nil}}),
	} {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, string(data))
	}
	fuzzTrace(f, "parquet", "", seeds...)
}
