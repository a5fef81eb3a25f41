package workloads

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kneepoint/units"
)

const hashedTrace = `{"timestamp": 0, "input_length": 1100, "output_length": 50, "hash_ids": [0, 1, 2]}
{"timestamp": 3000, "input_length": 1024, "output_length": 40, "type": "text", "hash_ids": [0, 1]}

{"timestamp": 3000, "input_length": 600, "output_length": 30, "hash_ids": [7]}
{"timestamp": 6000, "input_length": 100, "output_length": 20, "hash_ids": []}`

func mooncake() TraceSpec { return TraceSpec{Path: "trace.jsonl", Format: "mooncake"} }

func TestHashedTraceReplays(t *testing.T) {
	got := drain(replayed(mustLoad(t, hashedTrace, mooncake())))
	want := []Request{
		{ID: 0, Session: -1, Input: 1100, Output: 50, Named: 1100, Content: &Content{[]int{0, 1, 2}, 512}},
		{ID: 1, Session: -1, Input: 1024, Output: 40, Planned: 3, Arrival: 3, Named: 1024, Content: &Content{[]int{0, 1}, 512}},
		{ID: 2, Session: -1, Input: 600, Output: 30, Planned: 3, Arrival: 3, Named: 512, Content: &Content{[]int{7}, 512}},
		{ID: 3, Session: -1, Input: 100, Output: 20, Planned: 6, Arrival: 6},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("replayed %+v", got)
	}
	seconds := TraceSpec{Path: "trace.jsonl", Format: "bailian", BlockSize: 512, Start: 3000, Limit: 2, Repeat: 2}
	if got, want := arrivalsOf(replayed(mustLoad(t, hashedTrace, seconds))), []float64{0, 0, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("timestamps in seconds arrive at %v, want %v", got, want)
	}
}

// TestTicksAreSpread: the requests of a pass come within a tick of their stamps,
// in order, and no pass runs into the next.
func TestTicksAreSpread(t *testing.T) {
	spec := mooncake()
	spec.TimeScale, spec.Repeat = 2, 3
	trace := mustLoad(t, hashedTrace, spec)
	workload := Spec{TooLong: "reject", Trace: &spec}
	times := func(seed uint64) []float64 {
		traffic, err := New(workload, trace, seed, 0)
		if err != nil {
			t.Fatal(err)
		}
		requests := drain(traffic)
		for i, r := range requests {
			if want := trace.rows[i%4].input; r.Input != int(want) {
				t.Errorf("request %d has %d tokens, want %d", i, r.Input, want)
			}
		}
		return arrivals(requests)
	}
	got := times(1)
	if len(got) != 12 || !slices.IsSorted(got) {
		t.Fatalf("arrivals at %v", got)
	}
	const tick, period = 6, 18 // of 12 s between first and last stamp and a tick
	for i, at := range got {
		if from := float64(i/4*period) + []float64{0, 6, 6, 12}[i%4]; at < from || at >= from+tick {
			t.Errorf("request %d arrives at %v, want %v to %v", i, at, from, from+tick)
		}
	}
	if slices.Equal(got[:4], times(2)[:4]) {
		t.Error("another seed draws the same")
	}
	zero := units.Seconds(0)
	workload.Trace.TickJitter = &zero
	if got, want := times(1)[:5], []float64{0, 6, 6, 12, 16}; !slices.Equal(got, want) {
		t.Errorf("without jitter, arrivals at %v, want %v", got, want)
	}
}

func TestBadHashedTraces(t *testing.T) {
	const good = `{"timestamp": 5, "input_length": 600, "output_length": 3, "hash_ids": [1, 2]}` + "\n"
	for name, c := range map[string]struct{ data, want string }{
		"empty":         {"\n", "no rows"},
		"cut":           {good + `{"timestamp": 5, "inp`, ":2: not a JSON object"},
		"a list":        {"[1, 2]", ":1: not a JSON object"},
		"no time":       {`{"input_length": 600, "output_length": 3, "hash_ids": [1]}`, `:1: timestamp "" is not a time`},
		"no output":     {`{"timestamp": 5, "input_length": 600, "hash_ids": [1]}`, `:1: output_length ""`},
		"no tokens":     {`{"timestamp": 5, "input_length": 0, "output_length": 3, "hash_ids": []}`, `:1: input_length "0"`},
		"ids of words":  {`{"timestamp": 5, "input_length": 600, "output_length": 3, "hash_ids": ["a"]}`, `:1: hash_ids ["a"] is not what it should be`},
		"no ids":        {`{"timestamp": 5, "input_length": 600, "output_length": 3}`, ":1: has no hash_ids"},
		"too few ids":   {`{"timestamp": 5, "input_length": 1024, "output_length": 3, "hash_ids": [1]}`, "1 hash_ids for 1024 tokens, which are 2 blocks of 512"},
		"too many ids":  {good + `{"timestamp": 5, "input_length": 1024, "output_length": 3, "hash_ids": [1, 2, 3]}`, ":2: has 3 hash_ids"},
		"backwards":     {good + strings.Replace(good, "5", "4", 1), ":2: is earlier than the row before"},
		"twice a key":   {good + strings.Replace(good, `"input`, `"timestamp": 5, "input`, 1), ":2: timestamp: stands there twice"},
		"another case":  {strings.Replace(good, "timestamp", "Timestamp", 1), `:1: Timestamp: unknown key; did you mean "timestamp"?`},
		"no ID":         {strings.Replace(good, "[1", "[null", 1), ":1: hash_ids [null, 2]"},
		"half an ID":    {strings.Replace(good, "[1", "[1.5", 1), ":1: hash_ids [1.5, 2]"},
		"null ids":      {strings.Replace(good, "[1, 2]", "null", 1), ":1: hash_ids null"},
		"not a file":    {"\x1f\x8bnothing", "cannot be read"},
		"negative time": {strings.Replace(good, "5", "-5", 1), `:1: timestamp "-5"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := LoadTrace(write(t, c.data), mooncake())
			if e := badInput(t, err); !strings.Contains(e.Error(), c.want) || strings.Contains(e.Error(), "\n") {
				t.Errorf("%s: %v does not say %q", name, err, c.want)
			}
		})
	}
}

// TestMooncakeTrace: the published trace of conversations, whose stamps are whole
// ticks of 3 s. What the ticks hide is a Poisson process, nearly: its gaps have a
// coefficient of variation of 1.
func TestMooncakeTrace(t *testing.T) {
	path := filepath.Join(shared, "traces", "mooncake", "conversation_trace.jsonl.gz")
	if _, err := os.Stat(path); err != nil {
		t.Skip("the Mooncake trace needs ../shared: ", err)
	}
	spec := mooncake()
	trace, err := LoadTrace(path, spec)
	if err != nil {
		t.Fatal(err)
	}
	traffic, err := New(Spec{TooLong: "reject", Trace: &spec}, trace, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	requests := drain(traffic)
	ids, distinct := 0, map[int]bool{}
	for _, r := range requests {
		ids += len(r.Content.IDs)
		for _, id := range r.Content.IDs {
			distinct[id] = true
		}
	}
	answers := 0
	for _, r := range requests {
		if r.Named > r.Input {
			answers++
		}
	}
	// The file has 288,500 ids, 182,790 of them distinct. Each of these answers gets ids of
	// what follows it, in place of that of the prompt's incomplete last block.
	if len(requests) != 12031 || ids != 290697 || len(distinct) != 179747 || answers != 3051 {
		t.Errorf("%d requests with %d ids, %d of them distinct, and %d named answers", len(requests), ids, len(distinct), answers)
	}
	times := arrivals(requests)
	within(t, "rate", float64(len(times))/times[len(times)-1], 3.38, 3.42)
	mean, std := meanAndStd(gapsOf(times))
	within(t, "CV of gaps", std/mean, 0.95, 1.1)
}

// TestWholeNumbers: lists as traces write them are read as encoding/json reads them; all else is left to that.
func TestWholeNumbers(t *testing.T) {
	for list, plain := range map[string]bool{
		"[0]": true, "[1,2, 30]": true, "[ 7 , 123456789012345678 ]": true, "[]": false, "[-1]": false, "[01]": false, "[1.0]": false,
		"[1,]": false, "[1 2]": false, "[1234567890123456789]": false, "[[1]]": false, "3": false, "[": false,
	} {
		got, ok := wholeNumbers([]byte(list))
		var want []int
		if err := json.Unmarshal([]byte(list), &want); ok != plain || ok && (err != nil || !slices.Equal(got, want)) {
			t.Errorf("%s: %v, %t; want %v", list, got, ok, want)
		}
	}
}
