package metrics

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestValuesJSON(t *testing.T) {
	v := Summarize(fixture(), Objective{TTFT: 2}, fixtureDeployment)
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`{"duration":9,"completed":3,"rejected":1,`, `"saturated":null`, `"prefix_hit_rate":null`, `"mean_tpot_ms":1500`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s misses %s", text, want)
		}
	}
	last := -1
	for _, key := range Keys() {
		at := strings.Index(string(text), `"`+key+`":`)
		if at <= last {
			t.Errorf("%s is missing or out of order", key)
		}
		last = at
	}
	var back Values
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(v, back); diff != "" {
		t.Errorf("-written +read:\n%s", diff)
	}
}

func TestValuesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := Values{}
		for _, key := range Keys() {
			if d, _ := Lookup(key); d.Kind == YesNo {
				v.SetBool(key, rapid.Bool().Draw(t, key))
			} else if rapid.Bool().Draw(t, "has "+key) {
				v.Set(key, rapid.Float64().Draw(t, key))
			}
		}
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var back Values
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if diff := cmp.Diff(v, back); diff != "" {
			t.Fatalf("-written +read:\n%s", diff)
		}
	})
}

func TestSetRefuses(t *testing.T) {
	v := Values{}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if v.Set("duration", x); len(v) > 0 {
			t.Errorf("stored %v", x)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("an unknown key is stored")
		}
	}()
	v.Set("durations", 1)
}

func TestEstimateJSON(t *testing.T) {
	for _, c := range []struct {
		e    Estimate
		want string
	}{
		{Estimate{Mean: 2, Half: 0.5, N: 3}, `{"mean":2,"ci95":0.5,"n":3}`},
		{Estimate{Mean: 2, Half: math.NaN(), N: 1}, `{"mean":2,"ci95":null,"n":1}`},
		{Estimate{Mean: math.NaN(), Half: math.NaN()}, `{"mean":null,"ci95":null,"n":0}`},
	} {
		text, err := json.Marshal(c.e)
		if err != nil || string(text) != c.want {
			t.Errorf("%s (%v), want %s", text, err, c.want)
		}
		var back Estimate
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.e, back, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("-written +read:\n%s", diff)
		}
	}
	var e Estimate
	if err := json.Unmarshal([]byte(`{"mean": "x"}`), &e); err == nil {
		t.Error("a mean of text is read")
	}
}

// TestDefinitions: keys are unique, and each metric says what it is.
func TestDefinitions(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range Definitions {
		if seen[d.Key] || d.Key == "" || d.Doc == "" {
			t.Errorf("%+v", d)
		}
		seen[d.Key] = true
	}
	for _, key := range []string{"mean_ttft_ms", "p99_itl_ms", "request_goodput", "output_throughput", "mbu"} {
		if !seen[key] {
			t.Errorf("no %s", key)
		}
	}
}

func TestStateNames(t *testing.T) {
	for s, want := range map[State]string{Unfinished: "unfinished", Completed: "completed", Rejected: "rejected", QueueFull: "queue-full",
		TimedOut: "timed-out", Lost: "lost"} {
		if s.String() != want {
			t.Errorf("%d is %q, want %q", s, s, want)
		}
	}
}
