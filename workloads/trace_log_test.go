package workloads

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kneepoint/units"
)

// TestLogsOfOnesOwn: the columns of a log are found by what others call them, its times are
// numbers of any unit or dates, and count from the first row.
func TestLogsOfOnesOwn(t *testing.T) {
	want := []Request{
		{ID: 0, Session: -1, Input: 374, Output: 44},
		{ID: 1, Session: -1, Input: 396, Output: 109, Planned: 2.5, Arrival: 2.5},
	}
	object := func(time, input, output string) string {
		return fmt.Sprintf(`{"id": "x", "usage": {"a": 1}, %s: %%s, %s: 374, %s: 44}`+"\n"+`{%s: %%s, %s: 396, "z": [], %s: 109}`, time, input, output, time, input, output)
	}
	for name, c := range map[string]struct {
		format, data, unit string
		columns            TraceColumns
	}{
		"seconds":          {"csv", "timestamp,input_tokens,output_tokens\n0,374,44\n2.5,396,109\n", "", TraceColumns{}},
		"seconds of 1970":  {"csv", "arrived_at,num_prefill_tokens,num_decode_tokens\n1700000000.5,374,44\n1700000003,396,109\n", "s", TraceColumns{}},
		"milliseconds":     {"csv", "Request Time,Prompt Tokens,Completion Tokens\n1700000000500,374,44\n1700000003000,396,109\n", "ms", TraceColumns{}},
		"microseconds":     {"csv", "time,promptTokens,responseTokens\n7,374,44\n2500007,396,109\n", "us", TraceColumns{}},
		"nanoseconds":      {"csv", "start-time,request.tokens,GeneratedTokens\n0,374,44\n2500000000,396,109\n", "ns", TraceColumns{}},
		"dates":            {"csv", "timestamp,input_tokens,output_tokens\n2024-05-10T23:59:58Z,374,44\n2024-05-11T00:00:00.5Z,396,109\n", "", TraceColumns{}},
		"floats of pandas": {"csv", "timestamp,input_tokens,output_tokens\n0,374.0,44.0\n2.5,396.0,109.0\n", "", TraceColumns{}},
		"own names":        {"csv", "output,n,sent,timestamp\n44,374,1,x\n109,396,3.5,y\n", "", TraceColumns{Time: "sent", Input: "n", Output: "output"}},
		"one own name":     {"csv", "timestamp,start_time,input_tokens,output_tokens\n0,x,374,44\n2.5,y,396,109\n", "", TraceColumns{Time: "timestamp"}},
		"blanks":           {"csv", "timestamp,input_tokens,output_tokens\n0, 374.0 ,44.0 \n2.5,396 , 109\n", "", TraceColumns{}},
		"byte order marks": {"jsonl", "\ufeff" + fmt.Sprintf(object(`"time"`, `"input_tokens"`, `"output_tokens"`), "3", "5.5"), "", TraceColumns{}},
		"a key of none":    {"jsonl", strings.ReplaceAll(fmt.Sprintf(object(`"time"`, `"input_tokens"`, `"output_tokens"`), "3", "5.5"), `"z": []`, `"": "a"`), "", TraceColumns{}},
		"lines":            {"jsonl", fmt.Sprintf(object(`"timestamp"`, `"input_tokens"`, `"output_tokens"`), "3", "5.5"), "", TraceColumns{}},
		"lines with text":  {"jsonl", fmt.Sprintf(object(`"arrival_time"`, `"prompt_tokens"`, `"completion_tokens"`), `"3000"`, `"5500"`), "ms", TraceColumns{}},
		"lines with dates": {"jsonl", fmt.Sprintf(object(`"t"`, `"in"`, `"out"`), `"2024-05-10 10:00:00"`, `"2024-05-10 10:00:02.5"`), "", TraceColumns{Time: "t", Input: "in", Output: "out"}},
	} {
		t.Run(name, func(t *testing.T) {
			spec := TraceSpec{Path: "p", Format: c.format, TimeUnit: c.unit, Columns: c.columns}
			if got := drain(replayed(mustLoad(t, c.data, spec))); !reflect.DeepEqual(got, want) {
				t.Errorf("replayed %+v", got)
			}
		})
	}
}

// TestConversationsOfLogs: rows of a session go on with each other where the later prompt can hold what was said before;
// hash IDs say it better where there are any.
func TestConversationsOfLogs(t *testing.T) {
	const log = "timestamp,session_id,input_tokens,output_tokens\n0,a,100,50\n1,b,10,5\n2,a,150,20\n3,,30,5\n4,a,169,1\n5,b,15,1\n6,a,170,1\n"
	got := drain(replayed(mustLoad(t, log, TraceSpec{Path: "p", Format: "csv"})))
	want := []struct{ session, named, id int }{{0, 150, 0}, {1, 15, 1}, {0, 170, 0}, {-1, 0, -1}, {0, 170, 2}, {1, 16, 1}, {0, 171, 2}}
	for i, w := range want {
		id := -1
		if got[i].Content != nil {
			id = got[i].Content.At(0)
		}
		if got[i].Session != w.session || got[i].Named != w.named || id != w.id {
			t.Errorf("row %d is %+v with content %d, want %+v", i, got[i], id, w)
		}
	}
	const hashed = "timestamp,session_id,input_tokens,output_tokens,hash_ids\n0,a,32,50,\"[1, 2]\"\n1,a,16,50,[3]\n"
	got = drain(replayed(mustLoad(t, hashed, TraceSpec{Path: "p", Format: "csv", BlockSize: 16})))
	if got[0].Named != 32 || got[1].Named != 16 || got[0].Session != 0 || got[1].Session != 0 || !slices.Equal(got[0].Content.IDs, []int{1, 2}) {
		t.Errorf("beside hash IDs: %+v", got)
	}
}

// TestPrefixBesideConversations: prefixes are not added to prompts that share something.
func TestPrefixBesideConversations(t *testing.T) {
	spec := TraceSpec{Path: "p", Format: "csv"}
	workload := Spec{TooLong: "reject", Trace: &spec, Prefix: &PrefixSpec{Count: 2, Tokens: 10}}
	for column, wrong := range map[string]bool{"session_id": true, "other": false} {
		trace := mustLoad(t, "timestamp,input_tokens,output_tokens,"+column+"\n0,1,1,a\n", spec)
		if _, err := New(workload, trace, 1, 0); wrong != (err != nil) || wrong && badInput(t, err).Key != "prefix" {
			t.Errorf("beside %s: %v", column, err)
		}
	}
}

func TestBadLogs(t *testing.T) {
	const header, line = "timestamp,input_tokens,output_tokens", `{"timestamp": 5, "input_tokens": 6, "output_tokens": 3}` + "\n"
	csv, jsonl := TraceSpec{Path: "p", Format: "csv"}, TraceSpec{Path: "p", Format: "jsonl"}
	with := func(s TraceSpec, change func(*TraceSpec)) TraceSpec { change(&s); return s }
	for name, c := range map[string]struct {
		data string
		spec TraceSpec
		want string
	}{
		"no time":         {"input_tokens,output_tokens\n", csv, ":1: no column of time; allowed: timestamp, arrival_time, arrival_s, arrived_at, request_time, start_time, time, or its name as columns.time"},
		"characters":      {"time,prompt_length,output_tokens\n", csv, ":1: no column of input; allowed: input_tokens,"},
		"two times":       {header + ",start time\n", csv, `:1: "timestamp" and "start time" may both be the column of time; allowed: one of them, or the name of the right one as columns.time`},
		"wrong name":      {header + "\n", with(csv, func(s *TraceSpec) { s.Columns.Input = "prompts" }), `:1: no column "prompts"; allowed: a header with prompts`},
		"one for two":     {header + "\n", with(csv, func(s *TraceSpec) { s.Columns.Input = "output_tokens" }), `:1: "output_tokens" is the column of input and of output; allowed: one of them, by columns.input or columns.output`},
		"unit of epochs":  {header + "\n1700000000000,5,5\n", csv, `:2: timestamp "1700000000000" is not a time; allowed: a number from 0 to 1e+11 in the unit time_unit, "s" if not given, or a date like 2023-`},
		"unit of dates":   {header + "\n2024-05-10 10:00:00,5,5\n", with(csv, func(s *TraceSpec) { s.TimeUnit = "ms" }), `:2: time_unit = "ms": has no effect on times that are dates`},
		"another clock":   {header + "\n5,5,5\n2024-05-10 10:00:00,5,5\n", csv, `:3: timestamp "2024-05-10 10:00:00" is not a time; allowed: a number`},
		"backwards":       {header + "\n5,5,5\n4,5,5\n", csv, ":3: is earlier than the row before"},
		"failed":          {header + "\n5,5,0\n", csv, `:2: output_tokens "0" is not a number of tokens; allowed: whole numbers from 1`},
		"half a token":    {header + "\n5,5,1.5\n", csv, `:2: output_tokens "1.5"`},
		"no block size":   {header + ",hash_ids\n5,5,5,[1]\n", csv, "block_size: missing: the trace has hash_ids; allowed: the number of tokens"},
		"no hash ids":     {header + "\n", with(csv, func(s *TraceSpec) { s.BlockSize = 16 }), "block_size = 16: has no effect on a trace without hash_ids"},
		"bad ids":         {header + ",hash_ids\n5,5,5,1 2\n", with(csv, func(s *TraceSpec) { s.BlockSize = 16 }), ":2: hash_ids 1 2 is not what it should be"},
		"ids of another":  {header + ",hash_ids\n5,600,5,\"[1, 2]\"\n", with(csv, func(s *TraceSpec) { s.BlockSize = 16 }), ":2: has 2 hash_ids for 600 tokens, which are 38 blocks of 16 (block_size)"},
		"line without":    {`{"timestamp": 5, "input_tokens": 6}`, jsonl, ":1: no column of output"},
		"later without":   {line + `{"timestamp": 5, "input_tokens": 6}`, jsonl, `:2: output_tokens "" is not a number of tokens`},
		"line of list":    {"[5]", jsonl, ":1: not a JSON object"},
		"another case":    {line + strings.ToUpper(line), jsonl, ":2: TIMESTAMP: unknown key"},
		"tokens as text":  {line + `{"timestamp": 5, "input_tokens": "6", "output_tokens": 3}`, jsonl, `:2: input_tokens "\"6\""`},
		"no time in line": {line + `{"timestamp": null, "input_tokens": 6, "output_tokens": 3}`, jsonl, `:2: timestamp "null" is not a time`},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			if err := os.WriteFile(path, []byte(c.data), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := LoadTrace(path, c.spec)
			if e := badInput(t, err); !strings.Contains(e.Error(), c.want) || strings.HasPrefix(c.want, ":") && e.File != path {
				t.Errorf("%v does not say %q", err, c.want)
			}
		})
	}
}

// TestLogsReadPublishedTraces: the columns of published traces are found in logs, too. The figures are those that their
// own formats are held to.
func TestLogsReadPublishedTraces(t *testing.T) {
	path := filepath.Join(shared, "traces", "azure-2023", "AzureLLMInferenceTrace_conv.csv.gz")
	if _, err := os.Stat(path); err != nil {
		t.Skip("the Azure traces need ../shared: ", err)
	}
	trace, err := LoadTrace(path, TraceSpec{Path: path, Format: "csv"})
	if err != nil {
		t.Fatal(err)
	}
	as, err := LoadTrace(path, TraceSpec{Path: path, Format: "azure"})
	if err != nil || trace.Digest() != as.Digest() {
		t.Errorf("as csv it is another trace; %v", err)
	}
	if last := trace.rows[trace.Rows()-1].at; trace.Rows() != 19366 || units.Seconds(last) < 3501 {
		t.Errorf("%d rows until %v s", trace.Rows(), last)
	}
}
