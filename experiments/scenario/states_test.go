package scenario_test

import (
	"testing"

	"kneepoint/experiments"
	"kneepoint/experiments/scenario"
	"kneepoint/hardware/model"
)

// TestStatesGoToThoseThatDecode: of linear attention, where a model has it; they are split as its heads are.
func TestStatesGoToThoseThatDecode(t *testing.T) {
	hybrid, err := model.Lookup("qwen3.5-9b")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"llama-3.1-8b": 0, "qwen3.5-9b": float64(hybrid.StateBytes()) / 2} {
		f, err := experiments.Load("disaggregation")
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Override([]string{"model.name=" + name, "hardware.tp=2", "strategy.2:6.max_num_seqs=32"}); err != nil {
			t.Fatal(err)
		}
		traces := &scenario.Traces{}
		e, err := f.Resolve(traces)
		if err != nil {
			t.Fatal(err)
		}
		cell := 0
		for len(e.Scenario(cell).Pools) == 1 {
			cell++
		}
		built, err := scenario.NewBuilder(traces).Build(e.Scenario(cell))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range built.Config.Pools {
			if float64(p.Sent.State) != want {
				t.Errorf("%s: %v of a sequence from or to %s, want %v", name, float64(p.Sent.State), p.Name, want)
			}
		}
	}
}
