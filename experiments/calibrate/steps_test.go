package calibrate

import (
	"errors"
	"strings"
	"testing"

	"kneepoint/hardware"
	"kneepoint/units/badinput"
)

const stepHeader = "prefill_tokens,prefill_context,decode_sequences,decode_context_tokens,time_ms\n"

func TestParseSteps(t *testing.T) {
	text := "note,time_us,split,prefill_tokens,prefill_context,decode_sequences,decode_context_tokens\n" +
		"a, 2500, train, 512 300, 0 1024, 3, 900\n" +
		"b,30000,holdout,,,32,64000\n" +
		"c,1e4,train,100,,0,0\n"
	steps, err := ParseSteps(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if !steps.Split || len(steps.Rows) != 3 {
		t.Fatalf("got %+v", steps)
	}
	first := steps.Rows[0]
	want := []hardware.Chunk{{Tokens: 512}, {Context: 1024, Tokens: 300}}
	if len(first.Work.Prefill) != 2 || first.Work.Prefill[0] != want[0] || first.Work.Prefill[1] != want[1] {
		t.Errorf("chunks %+v, want %+v", first.Work.Prefill, want)
	}
	if first.Work.DecodeRows != 3 || first.Work.DecodeContext != 900 || first.Time != 2.5e-3 || first.Holdout {
		t.Errorf("first step is %+v", first)
	}
	if second := steps.Rows[1]; second.Work.DecodeRows != 32 || len(second.Work.Prefill) != 0 || !second.Holdout || second.Time != 30e-3 {
		t.Errorf("second step is %+v", second)
	}
}

func TestParseStepsRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":         "is empty",
		stepHeader: "has no rows",
		"a,b\n1,2": `line 1: no column "prefill_tokens"`,
		"prefil_tokens,prefill_context,decode_sequences,decode_context_tokens,time_ms\n": `no column "prefill_tokens"; allowed: a header with prefill_tokens,prefill_context,decode_sequences,decode_context_tokens; did you mean "prefil_tokens"?`,
		"prefill_tokens,prefill_context,decode_sequences,decode_context_tokens,time\n":   "line 1: no column with the time of a step and its unit; allowed: time_ms, time_us or time_s",
		strings.TrimSpace(stepHeader) + ",time_s\n":                                      "line 1: has both time_ms and time_s",
		stepHeader + "1,0,0,0,5\n1,0,0,0\n":                                              "line 3: not CSV",
		stepHeader + "-1,0,0,0,5\n":                                                      `line 2: prefill_tokens = "-1": not a count`,
		stepHeader + "1.5,0,0,0,5\n":                                                     `prefill_tokens = "1.5": not a count`,
		stepHeader + "1,0,0,0,-5\n":                                                      `time_ms = "-5": not the time of a step`,
		stepHeader + "1,0,0,0,0\n":                                                       `time_ms = "0": not the time`,
		stepHeader + "1,0,0,0,NaN\n":                                                     `time_ms = "NaN": not the time`,
		"time_ms," + stepHeader:                                                          "line 1: time_ms: stands twice in the header",
		stepHeader + "1_0,0,0,0,5\n":                                                     `prefill_tokens = "1_0": not a count`,
		stepHeader + "+1,0,0,0,5\n":                                                      `prefill_tokens = "+1": not a count`,
		stepHeader + "1,0,0,0,0x1p2\n":                                                   `time_ms = "0x1p2": not the time`,
		stepHeader + "1,0,0,0,+5\n":                                                      `time_ms = "+5": not the time`,
		stepHeader + "1,0,0,0,1_0\n":                                                     `time_ms = "1_0": not the time`,
		stepHeader + "1,0,0,0,Inf\n":                                                     `time_ms = "Inf": not the time`,
		stepHeader + "1,0,0,0,\n":                                                        `time_ms = "": not the time`,
		stepHeader + ",,,,5\n":                                                           "line 2: the step has neither",
		stepHeader + "0,0,0,0,5\n":                                                       "line 2: the step has neither",
		stepHeader + "0,0,4,3,5\n":                                                       "decode_context_tokens = 3: less than one token for each of 4 sequences",
		stepHeader + "1,0,0,3,5\n":                                                       "decode_context_tokens = 3: no sequence decodes",
		stepHeader + "1 2,0 0 0,0,0,5\n":                                                 "prefill_context = \"0 0 0\": has 3 values for 2 chunks",
		stepHeader + "1 2,7,0,0,5\n":                                                     "has 1 values for 2 chunks",
		stepHeader + "0,9,1,1,5\n":                                                       "prefill_context = 9: context of a chunk without tokens",
		stepHeader + "9999999999,0,0,0,5\n":                                              "not a count",
		"split," + stepHeader + "test,1,0,0,0,5\n":                                       `split = "test": unknown value; allowed: train or holdout`,
	} {
		_, err := ParseSteps(strings.NewReader(text))
		var bad *badinput.Error
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, want %s", text, err, want)
		}
	}
}

func FuzzParseSteps(f *testing.F) {
	f.Add(stepHeader + "512 300,0 1024,3,900,25\n,,32,64000,30\n")
	f.Add("split,time_s," + stepHeader)
	f.Add("\ufeff" + stepHeader + "\"1\n\",0,1,1,1")
	f.Fuzz(func(t *testing.T, text string) {
		steps, err := ParseSteps(strings.NewReader(text))
		if err != nil {
			var bad *badinput.Error
			if !errors.As(err, &bad) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("not one line of bad input: %v", err)
			}
			return
		}
		for _, s := range steps.Rows {
			if s.Work.Tokens() <= 0 || !(s.Time > 0) || s.Work.DecodeContext < int64(s.Work.DecodeRows) {
				t.Fatalf("%q gives step %+v", text, s)
			}
		}
	})
}
