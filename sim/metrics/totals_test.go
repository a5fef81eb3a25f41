package metrics

import (
	"reflect"
	"testing"

	"kneepoint/hardware"
)

// TestPoolsAddUp: every field of the totals of two pools is their sum, but for the highest
// share of blocks in use, which is the higher one of the two, and for what is of no pool.
func TestPoolsAddUp(t *testing.T) {
	fill := func(first float64) (all Totals) {
		v := reflect.ValueOf(&all).Elem()
		for i := range v.NumField() {
			x := first + float64(i)
			switch f := v.Field(i); f.Kind() {
			case reflect.Int64:
				f.SetInt(int64(x))
			default:
				f.SetFloat(x)
			}
		}
		return all
	}
	rec := &Record{Pools: []PoolRecord{{Replicas: replicasOf(3, fill(1000))}, {Replicas: replicasOf(1, fill(300))}}, Totals: fill(7)}
	rec.AddUp()
	rec.AddUp() // changes nothing
	sum := reflect.ValueOf(rec.Totals)
	for i := range sum.NumField() {
		want := 1300 + 2*float64(i)
		switch sum.Type().Field(i).Name {
		case "KVMax":
			want = 1000 + float64(i)
		case "AtRouter", "InTransfer", "HandedOver":
			want = 7 + float64(i)
		}
		got := sum.Field(i).Convert(reflect.TypeFor[float64]()).Float()
		if got != want {
			t.Errorf("%s is %v, want %v", sum.Type().Field(i).Name, got, want)
		}
	}
}

// TestSumsOfSteps: all that a step processes is added as often as there were steps like it,
// and the mean step has it back.
func TestSumsOfSteps(t *testing.T) {
	w := hardware.Work{DecodeRows: 2, DecodeContext: 300, DecodeWindowContext: 50, PaddingRows: 7, LogitRows: 11,
		DraftRows: 13, DraftPasses: 17, DraftContext: 1900}
	var s StepSums
	s.Add(&w, 3, 6)
	if want := (StepSum{Steps: 3, Time: 6, DecodeRows: 6, DecodeContext: 900, WindowContext: 150, PaddingRows: 21, LogitRows: 33,
		DraftRows: 39, DraftPasses: 51, DraftContext: 5700}); s.Decodes != want || s.Prompts != (StepSum{}) {
		t.Errorf("%+v, want %+v", s, want)
	}
	if mean := s.Decodes.Mean(); !reflect.DeepEqual(mean, w) {
		t.Errorf("the mean of equal steps is %+v, want %+v", mean, w)
	}
	w.Prefill = []hardware.Chunk{{Tokens: 20, Context: 5}, {Tokens: 20, Context: 5}}
	s.Add(&w, 2, 4)
	if want := (StepSum{Steps: 2, Time: 4, DecodeRows: 4, DecodeContext: 600, WindowContext: 100, PaddingRows: 14, LogitRows: 22,
		DraftRows: 26, DraftPasses: 34, DraftContext: 3800, Chunks: 4, PromptTokens: 80, PromptContext: 20}); s.Prompts != want {
		t.Errorf("%+v, want %+v", s.Prompts, want)
	}
	if mean := s.Prompts.Mean(); !reflect.DeepEqual(mean, w) {
		t.Errorf("the mean of equal steps is %+v, want %+v", mean, w)
	}
}
