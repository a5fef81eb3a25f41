package experiments

import (
	"errors"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/units/badinput"
)

// TestWithStrategyName: a key of a strategy has its name, but where it is the name that is
// wrong, or missing.
func TestWithStrategyName(t *testing.T) {
	f := FromTree("x", ".", map[string]any{"strategy": []map[string]any{{"name": "a"}, {}, {"name": "c.d"}}})
	for key, want := range map[string]string{
		"strategy[0].kv.block_size": `strategy "a".kv.block_size`,
		"strategy[0].name":          "strategy[0].name",
		"strategy[1].max_num_seqs":  "strategy[1].max_num_seqs",
		"strategy[2].scheduler":     `strategy "c.d".scheduler`,
		"workload.num_requests":     "workload.num_requests",
	} {
		if got := f.withStrategyName(&badinput.Error{Key: key}).Key; got != want {
			t.Errorf("%s is called %s, want %s", key, got, want)
		}
	}
}

// TestWithCauses: wrong input of one simulation names the strategy that it is of, where that is
// one of several or has a model or hardware of its own, and the swept variables of its table.
func TestWithCauses(t *testing.T) {
	e := &Experiment{Axes: []results.Axis{{Path: "hardware.tp"}, {Path: "workload.arrival.rate"}, {Path: "strategy.a.kv.block_size"}}}
	at := point{2, 3, 4}
	one, two := []StrategySpec{{Name: "a"}}, []StrategySpec{{Name: "a"}, {Name: "b"}}
	plain, model := &StrategySpec{Name: "a"}, &StrategySpec{Name: "a", Model: map[string]any{}}
	own := &StrategySpec{Name: "a", Hardware: map[string]any{"tp": 2}}
	for _, c := range []struct {
		key        string
		strategies []StrategySpec
		strategy   *StrategySpec
		want       string
	}{
		{"hardware.pp", one, plain, "wrong (hardware.tp = 2, strategy.a.kv.block_size = 4)"},
		{"hardware.tp", two, plain, "wrong (strategy.a.kv.block_size = 4)"},
		{"hardware.tp", one, own, `wrong (strategy "a", strategy.a.kv.block_size = 4)`},
		{"model.weights", two, own, `wrong (strategy "a", strategy.a.kv.block_size = 4)`},
		{"model.weights", two, model, `wrong (strategy "a", strategy.a.kv.block_size = 4)`},
		{"strategy.kv.block_size", one, plain, "wrong (strategy.a.kv.block_size = 4)"},
		{"strategy.kv.block_size", two, plain, `wrong (strategy "a", strategy.a.kv.block_size = 4)`},
		{"workload.input.mean", two, own, "wrong (workload.arrival.rate = 3, strategy.a.kv.block_size = 4)"},
	} {
		e.Spec.Strategies = c.strategies
		var bad *badinput.Error
		if err := e.withCauses(c.strategy, at, &badinput.Error{Key: c.key, Problem: "wrong"}); !errors.As(err, &bad) || bad.Problem != c.want {
			t.Errorf("%s of %d strategies: %v, want %s", c.key, len(c.strategies), err, c.want)
		}
	}
	e.Axes = nil
	if err := e.withCauses(plain, nil, &badinput.Error{Key: "slo.ttft_ms", Problem: "wrong"}); err.(*badinput.Error).Problem != "wrong" {
		t.Errorf("without a cause: %v", err)
	}
	if other := errors.New("other"); !errors.Is(e.withCauses(plain, nil, other), other) {
		t.Error("another error is lost")
	}
}
