package hardware

import (
	"encoding/csv"
	"errors"
	"io/fs"
	"math"
	"os"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/internal/strict"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

func twoRanges() *Measured {
	return &Measured{
		Prefill: MeasuredPrefill{Base: 20, PerToken: 0.5, PerToken2: 0.001},
		Decode: []MeasuredDecode{
			{MaxBatch: 4, Base: 30, PerContextToken: 0.01, PerSequence: 1},
			{Base: 10, PerContextToken: 0.02, PerSequence: 2},
		},
	}
}

func TestMeasuredAddsItsTerms(t *testing.T) {
	m := twoRanges()
	chunks := []Chunk{{Tokens: 100}, {Context: 50, Tokens: 10, Padding: 2}}
	prompt := 0.5*110 + 0.001*(100*100+60*60-50*50)
	for name, c := range map[string]struct {
		work Work
		want float64
	}{
		"prefill":                  {Work{Prefill: chunks}, 20 + prompt},
		"small batch":              {Work{DecodeRows: 4, DecodeContext: 1000}, 30 + 10 + 4},
		"large batch":              {Work{DecodeRows: 5, DecodeContext: 1000}, 10 + 20 + 10},
		"padding rows count":       {Work{DecodeRows: 3, PaddingRows: 2, DecodeContext: 1000}, 10 + 20 + 10},
		"mixed, base of decode":    {Work{Prefill: chunks, DecodeRows: 1, DecodeContext: 100}, 30 + prompt + 1 + 1},
		"mixed, base of prefill":   {Work{Prefill: chunks, DecodeRows: 5, DecodeContext: 100}, 20 + prompt + 2 + 10},
		"nothing takes no time":    {Work{}, 0},
		"padding rows alone count": {Work{PaddingRows: 1}, 31},
	} {
		t.Run(name, func(t *testing.T) {
			if got := float64(m.Step(&c.work).Time); math.Abs(got-c.want) > 1e-9 {
				t.Errorf("%s: %v s, want %v", name, got, c.want)
			}
		})
	}
}

// However a prompt is cut, its chunks cost what the whole prompt costs, but for
// one base per step.
func TestMeasuredChunksAddUp(t *testing.T) {
	m := twoRanges()
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 5000), 1, 8).Draw(t, "chunks")
		var cut float64
		done := 0
		for _, n := range sizes {
			cut += float64(m.Step(&Work{Prefill: []Chunk{{Context: done, Tokens: n}}}).Time)
			done += n
		}
		whole := float64(m.Step(&Work{Prefill: []Chunk{{Tokens: done}}}).Time)
		if want := whole + 20*float64(len(sizes)-1); math.Abs(cut-want) > 1e-9*want {
			t.Fatalf("%d tokens in chunks %v take %v s, want %v", done, sizes, cut, want)
		}
	})
}

// A mixed step takes no longer than its parts one after the other, and no less
// than either.
func TestMeasuredMixedStep(t *testing.T) {
	m := twoRanges()
	rapid.Check(t, func(t *rapid.T) {
		prefill := Work{Prefill: []Chunk{{Context: rapid.IntRange(0, 4000).Draw(t, "context"), Tokens: rapid.IntRange(1, 4000).Draw(t, "tokens")}}}
		decode := Work{DecodeRows: rapid.IntRange(1, 200).Draw(t, "rows"), DecodeContext: rapid.Int64Range(200, 1e6).Draw(t, "sum")}
		mixed := decode
		mixed.Prefill = prefill.Prefill
		a, b, both := m.Step(&prefill).Time, m.Step(&decode).Time, m.Step(&mixed).Time
		if both > a+b+1e-9 || both < max(a, b)-1e-9 {
			t.Fatalf("prefill %v, decode %v, both %v", float64(a), float64(b), float64(both))
		}
	})
}

func TestMeasuredRefuses(t *testing.T) {
	prefill := map[string]any{"base": "20ms", "per_token": "0.1ms"}
	decode := func(extra ...map[string]any) []any {
		list := []any{}
		for _, table := range extra {
			table["base"] = "20ms"
			list = append(list, table)
		}
		return list
	}
	for want, table := range map[string]map[string]any{
		"prefill: missing":                           {"decode": decode(map[string]any{})},
		"decode: missing":                            {"prefill": prefill},
		"decode: has no range":                       {"prefill": prefill, "decode": []any{}},
		"decode[0]: every constant is zero":          {"prefill": prefill, "decode": []any{map[string]any{"per_sequence": "0s"}}},
		"decode[0].max_batch: missing":               {"prefill": prefill, "decode": decode(map[string]any{}, map[string]any{})},
		"decode[0].max_batch = 8: the last range":    {"prefill": prefill, "decode": decode(map[string]any{"max_batch": int64(8)})},
		"decode[1].max_batch = 8: must be greater":   {"prefill": prefill, "decode": decode(map[string]any{"max_batch": int64(8)}, map[string]any{"max_batch": int64(8)}, map[string]any{})},
		`prefill.base = "-1ms": must not be neg`:     {"prefill": map[string]any{"base": "-1ms"}, "decode": decode(map[string]any{})},
		"prefill.base = 20: wrong kind of value":     {"prefill": map[string]any{"base": int64(20)}, "decode": decode(map[string]any{})},
		`decode[0].per_row: unknown key; allowed`:    {"prefill": prefill, "decode": decode(map[string]any{"per_row": "1ms"})},
		`decode[0].per_sequnce: unknown key; did`:    {"prefill": prefill, "decode": decode(map[string]any{"per_sequnce": "1ms"})},
		`decode[0].max_batch = 0: must be greater`:   {"prefill": prefill, "decode": decode(map[string]any{"max_batch": int64(0)})},
		`decode[0].base = "20": not a quantity with`: {"prefill": prefill, "decode": []any{map[string]any{"base": "20"}}},
	} {
		t.Run(want, func(t *testing.T) {
			var m Measured
			err := strict.Decode(table, &m)
			var bad *badinput.Error
			if !errors.As(err, &bad) || len(err.Error()) < len(want) || err.Error()[:len(want)] != want {
				t.Errorf("got %v, want %s…", err, want)
			}
		})
	}
}

// TestMeasuredWithoutPrefill: a replica that only decodes takes no time for a prompt, and
// counts none of its work.
func TestMeasuredWithoutPrefill(t *testing.T) {
	var m Measured
	table := map[string]any{"prefill": map[string]any{"base": "0s"}, "decode": []any{map[string]any{"base": "20ms", "per_sequence": "1ms"}}}
	if err := strict.Decode(table, &m); err != nil {
		t.Fatal(err)
	}
	c := m.WithWork(countingWork{})
	decode := Work{DecodeRows: 3, DecodeContext: 30, LogitRows: 3}
	mixed := decode
	mixed.Prefill, mixed.LogitRows = []Chunk{{Tokens: 500}, {Context: 20, Tokens: 7}}, 5
	if a, b := c.Step(&decode), c.Step(&mixed); a != b {
		t.Errorf("%+v with prompts, %+v without", b, a)
	}
	if got := c.Step(&Work{Prefill: mixed.Prefill, LogitRows: 2}); got != (Cost{}) {
		t.Errorf("prompts alone cost %+v", got)
	}
	if err := m.CheckFloor(c, &Capacity{PeakBandwidth: 1, PeakCompute: 1e6}); err != nil {
		t.Error(err)
	}
}

// countingWork has a FLOP for every row, logits included, and one for the step.
type countingWork struct{ Plain }

func (countingWork) Energy(*Cost, *Work) float64 { return 0 }

func (countingWork) Step(w *Work) Cost {
	return Cost{FLOPs: units.FLOPs(1 + w.Tokens() + w.LogitRows)}
}

func TestMeasuredEncodesWhatItDecodes(t *testing.T) {
	want := twoRanges()
	var got Measured
	if err := strict.Decode(strict.Encode(want), &got); err != nil {
		t.Fatal(err)
	}
	if got.Prefill != want.Prefill || len(got.Decode) != 2 || got.Decode[0] != want.Decode[0] || got.Decode[1] != want.Decode[1] {
		t.Errorf("got %+v, want %+v", got, *want)
	}
}

// TestDistServeCoefficients: the fits of DistServe are this model; its
// coefficients are milliseconds, its formulas
//
//	prefill p0 + p1*Σ L + p2*Σ L²,  decode d0 + d1*Σ context + d2*B
//
// with other decode coefficients from a batch of threshold_bs on.
func TestDistServeCoefficients(t *testing.T) {
	rows := readMeasuredCSV(t, "../../shared/measured/iteration/distserve_fit_coefficients.csv")
	compared := 0
	for _, row := range rows {
		x := func(column string) float64 { return number(t, row[column]) }
		ms := func(column string) units.Seconds { return units.Seconds(x(column) / 1e3) }
		threshold := int(x("threshold_bs"))
		m := Measured{Prefill: MeasuredPrefill{ms("prefill_0"), ms("prefill_1"), ms("prefill_2")}, Decode: []MeasuredDecode{
			{threshold - 1, ms("decode_smallbs_0"), ms("decode_smallbs_1"), ms("decode_smallbs_2")},
			{0, ms("decode_largebs_0"), ms("decode_largebs_1"), ms("decode_largebs_2")}}}
		var decoded Measured
		err := strict.Decode(strict.Encode(&m), &decoded)
		if negative := x("prefill_2") < 0; negative != (err != nil) {
			t.Errorf("%v: decoding gives %v", row, err)
			continue
		} else if negative {
			continue
		}
		compared++
		prefill := x("prefill_0") + x("prefill_1")*1536 + x("prefill_2")*(1024*1024+512*512)
		compareStep(t, row, &decoded, Work{Prefill: []Chunk{{Tokens: 1024}, {Tokens: 512}}}, prefill)
		small := x("decode_smallbs_0") + x("decode_smallbs_1")*float64(94*700) + x("decode_smallbs_2")*94
		compareStep(t, row, &decoded, Work{DecodeRows: 94, DecodeContext: 94 * 700}, small)
		large := x("decode_largebs_0") + x("decode_largebs_1")*float64(95*700) + x("decode_largebs_2")*95
		compareStep(t, row, &decoded, Work{DecodeRows: 95, DecodeContext: 95 * 700}, large)
	}
	if compared < 10 {
		t.Errorf("compared only %d rows", compared)
	}
}

func compareStep(t *testing.T, row map[string]string, m *Measured, w Work, wantMS float64) {
	t.Helper()
	if got := m.Step(&w).Time.Milliseconds(); math.Abs(got-wantMS) > 1e-9*wantMS {
		t.Errorf("%s %s tp %s: %v ms, want %v", row["engine"], row["model"], row["tp"], got, wantMS)
	}
}

// number is a cell that has one.
func number(t *testing.T, cell string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// readMeasuredCSV reads a CSV file of measurements, by column; it skips the test where the file beside the repository is not there.
func readMeasuredCSV(t *testing.T, path string) []map[string]string {
	t.Helper()
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the comparison needs ../shared/measured")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			row[name] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}
