package workloads

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"kneepoint/units"
)

const smallTrace = "TIMESTAMP,ContextTokens,GeneratedTokens\r\n" +
	"2023-11-16 18:15:46.6805900,374,44\r\n" +
	"2023-11-16 18:15:48.6805900,396,109\r\n" +
	"2023-11-16 18:15:48.6805900,879,55\r\n" +
	"2023-11-16 18:15:52.1805900,91,16"

func write(t *testing.T, data string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trace.csv")
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func zipped(t *testing.T, data string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(data)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func azure() TraceSpec { return TraceSpec{Path: "trace.csv", Format: "azure"} }

func mustLoad(t *testing.T, data string, spec TraceSpec) *Trace {
	t.Helper()
	trace, err := LoadTrace(write(t, data), spec)
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

func TestReplayIsExact(t *testing.T) {
	want := []Request{
		{ID: 0, Session: -1, Input: 374, Output: 44},
		{ID: 1, Session: -1, Input: 396, Output: 109, Planned: 2, Arrival: 2},
		{ID: 2, Session: -1, Input: 879, Output: 55, Planned: 2, Arrival: 2},
		{ID: 3, Session: -1, Input: 91, Output: 16, Planned: 5.5, Arrival: 5.5},
	}
	for name, data := range map[string]string{
		"plain":             smallTrace,
		"gzip":              zipped(t, smallTrace),
		"with an offset":    strings.NewReplacer("5900,", "5900+00:00,").Replace(smallTrace),
		"RFC 3339":          strings.NewReplacer("5900,", "5900Z,", "16 18", "16T18").Replace(smallTrace),
		"no fraction":       strings.NewReplacer("52.1805900", "52.180590", "46.6805900", "46.68059").Replace(smallTrace),
		"columns elsewhere": "x,ContextTokens,TIMESTAMP,GeneratedTokens\n,374,2023-11-16 18:15:46,44\n,396,2023-11-16 18:15:48,109\n,879,2023-11-16 18:15:48,55\n,91,2023-11-16 18:15:51.5,16\n",
	} {
		t.Run(name, func(t *testing.T) {
			if got := drain(replayed(mustLoad(t, data, azure()))); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v", name, got)
			}
		})
	}
}

func TestTraceSlices(t *testing.T) {
	for name, c := range map[string]struct {
		spec  TraceSpec
		times []float64
	}{
		"all":            {TraceSpec{}, []float64{0, 2, 2, 5.5}},
		"scaled":         {TraceSpec{TimeScale: 2}, []float64{0, 4, 4, 11}},
		"start":          {TraceSpec{Start: 1}, []float64{1, 1, 4.5}},
		"end":            {TraceSpec{End: 2}, []float64{0}},
		"start and end":  {TraceSpec{Start: 2, End: 5.5, TimeScale: 3}, []float64{0, 0}},
		"start, scaled":  {TraceSpec{Start: 1, TimeScale: 2}, []float64{2, 2, 9}},
		"limit":          {TraceSpec{Limit: 3}, []float64{0, 2, 2}},
		"start, limit":   {TraceSpec{Start: 2, Limit: 1}, []float64{0}},
		"repeat":         {TraceSpec{Limit: 3, Repeat: 2}, []float64{0, 2, 2, 3, 5, 5}},
		"repeat, start":  {TraceSpec{Start: 1, Repeat: 2}, []float64{1, 1, 4.5, 6.25, 6.25, 9.75}},
		"one row, twice": {TraceSpec{Limit: 1, Repeat: 2}, []float64{0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			c.spec.Path, c.spec.Format = "trace.csv", "azure"
			trace := mustLoad(t, smallTrace, c.spec)
			if got := arrivalsOf(replayed(trace)); !reflect.DeepEqual(got, c.times) {
				t.Errorf("%s: arrivals at %v, want %v", name, got, c.times)
			}
			if trace.Requests() != len(c.times) {
				t.Errorf("%s: %d requests announced", name, trace.Requests())
			}
		})
	}
}

// Beside another process a trace gives the lengths, over and over.
func TestTraceWithAnotherProcess(t *testing.T) {
	const text = "num_requests = 6\n[trace]\npath = 'trace.csv'\nformat = 'azure'\n[arrival]\n"
	trace := mustLoad(t, smallTrace, azure())
	for _, arrival := range []string{"process = 'constant'\nrate = 1", "process = 'closed'\nstart = 'at_once'\nconcurrency = 6", "process = 'at_once'"} {
		traffic, err := New(mustDecode(t, text+arrival), trace, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		var inputs []int
		for _, r := range drain(traffic) {
			inputs = append(inputs, r.Input)
		}
		if want := []int{374, 396, 879, 91, 374, 396}; !reflect.DeepEqual(inputs, want) {
			t.Errorf("%s: inputs %v, want %v", arrival, inputs, want)
		}
	}
}

func TestTraceCounts(t *testing.T) {
	trace := mustLoad(t, smallTrace, azure())
	for text, want := range map[string]int{
		"":                              4,
		"num_requests = 3":              3,
		"num_requests = 9":              4,
		"duration = '2s'":               3,
		"[arrival]\nrate = 5":           -1,
		"[arrival]\nmax_concurrency =9": 4,
		"[arrival]\nprocess = 'poisson'\nrate = 5": 4,
	} {
		t.Run(text, func(t *testing.T) {
			spec, err := decode(text + "\n[trace]\npath = 'trace.csv'\nformat = 'azure'\n")
			if want < 0 {
				if e := badInput(t, err); e.Key != "arrival.rate" {
					t.Errorf("%q: %v", text, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			traffic, err := New(spec, trace, 1, 0)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(drain(traffic)); got != want {
				t.Errorf("%q: %d requests, want %d", text, got, want)
			}
		})
	}
}

func TestNewNeedsTheTraceItNames(t *testing.T) {
	spec := mustDecode(t, "[trace]\npath = 'trace.csv'\nformat = 'azure'\n")
	if _, err := New(spec, nil, 1, 0); err == nil {
		t.Error("no error without the trace")
	}
}

func TestBadTraces(t *testing.T) {
	const header = "TIMESTAMP,ContextTokens,GeneratedTokens\n"
	const first = "2023-11-16 18:15:46.6805900,374,44\n"
	for name, c := range map[string]struct {
		data string
		spec TraceSpec
		want string // in the message, after the path
	}{
		"empty":          {"", azure(), "the trace is empty"},
		"only a header":  {header, azure(), "no rows"},
		"column missing": {"TIMESTAMP,ContextToken,GeneratedTokens\n", azure(), `:1: no column "ContextTokens"; allowed: a header with TIMESTAMP,ContextTokens,GeneratedTokens; did you mean "ContextToken"?`},
		"not a number":   {header + first + "2023-11-16 18:15:47,many,1\n", azure(), `:3: ContextTokens "many"`},
		"no output":      {header + "2023-11-16 18:15:47,5,0\n", azure(), `:2: GeneratedTokens "0"`},
		"huge":           {header + "2023-11-16 18:15:47,5,99999999999\n", azure(), `:2: GeneratedTokens "99999999999"`},
		"not a time":     {header + "yesterday,5,1\n", azure(), `:2: TIMESTAMP "yesterday"`},
		"too short":      {header + first + "2023-11-16 18:15:47,5\n", azure(), ":3: has 2 columns"},
		"too long":       {header + first + "2023-11-16 18:15:47,5,1,9\n", azure(), ":3: has 4 columns; allowed: 3, as the header"},
		"twice a column": {"ContextTokens," + header + "1," + first, azure(), ":1: ContextTokens: stands twice in the header"},
		"backwards":      {header + first + "\n2023-11-16 18:15:46,5,1\n", azure(), ":4: is earlier than the row before"},
		"not CSV":        {header + "\"a\"b,5,1\n", azure(), ":2: not CSV"},
		"cut gzip":       {zipped(t, smallTrace)[:40], azure(), "cannot be read"},
		"broken gzip":    {"\x1f\x8bnothing", azure(), "cannot be read"},
		"empty slice":    {smallTrace, TraceSpec{Path: "p", Format: "azure", Start: 100}, "no row of the trace"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := LoadTrace(write(t, c.data), c.spec)
			e := badInput(t, err)
			if !strings.Contains(e.Error(), c.want) {
				t.Errorf("%s: %v does not say %q", name, err, c.want)
			}
			if strings.HasPrefix(c.want, ":") && e.File == "" {
				t.Errorf("%s: %v does not name the file", name, err)
			}
		})
	}
}

func TestMissingTrace(t *testing.T) {
	_, err := LoadTrace(filepath.Join(t.TempDir(), "absent.csv"), azure())
	if e := badInput(t, err); e.Key != "path" || !strings.Contains(e.Problem, "no such file") {
		t.Errorf("error %v", err)
	}
	_, err = LoadTrace(t.TempDir(), azure())
	if e := badInput(t, err); e.Key != "path" {
		t.Errorf("a folder as trace: %v", err)
	}
}

// The totals are those of awk over the published files.
func TestAzureTracesLoadWhole(t *testing.T) {
	for _, c := range []struct {
		file                string
		rows, input, output int
		last                units.Seconds
	}{
		{"AzureLLMInferenceTrace_conv.csv.gz", 19366, 22361870, 4088665, 3501.721937},
		{"AzureLLMInferenceTrace_code.csv.gz", 8819, 18059974, 245896, 3435.948056},
	} {
		path := filepath.Join(shared, "traces", "azure-2023", c.file)
		if _, err := os.Stat(path); err != nil {
			t.Skip("the Azure traces need ../shared: ", err)
		}
		trace, err := LoadTrace(path, azure())
		if err != nil {
			t.Fatal(err)
		}
		requests := drain(replayed(trace))
		var input, output int
		for _, r := range requests {
			input, output = input+r.Input, output+r.Output
		}
		if len(requests) != c.rows || input != c.input || output != c.output {
			t.Errorf("%s: %d rows, %d and %d tokens; want %d, %d and %d", c.file, len(requests), input, output, c.rows, c.input, c.output)
		}
		about(t, "last arrival", float64(requests[len(requests)-1].Arrival), float64(c.last), 1e-12)
	}
}
