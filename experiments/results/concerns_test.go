package results

import (
	"slices"
	"testing"
)

// TestCurvesOfAnotherStrategysKey: a swept key of one strategy names its curves alone, and
// the others have each of theirs once. They are compared with every one of the first.
func TestCurvesOfAnotherStrategysKey(t *testing.T) {
	sweep := []Axis{axisOf("workload.arrival.rate", 1, 2), axisOf("strategy.a.max_num_seqs", 8, 64), axisOf("hardware.tp", 1, 2)}
	sweep[1].Label, sweep[2].Label = "max_num_seqs", "tp"
	p := &Plan{Strategies: []string{"a", "a.b", "b"}, Sweep: sweep, Replications: 1, SLO: SLO{TTFTms: 1, Attainment: 0.9}}
	for _, rate := range sweep[0].Values {
		for _, seqs := range sweep[1].Values {
			for _, tp := range sweep[2].Values {
				p.Points = append(p.Points, PlannedPoint{Values: []Value{rate, seqs, tp}})
			}
		}
	}
	p.Cells = p.AllCells()
	for i := range p.Cells {
		p.Cells[i].Key = string(rune('A' + i))
	}
	res := Aggregate(p, ByKey(outcomesOf(p)))
	var names []string
	for _, s := range res.Series {
		names = append(names, s.Label)
		if len(s.Points) != 2 {
			t.Errorf("%s: %d points, want one for each rate", s.Label, len(s.Points))
		}
	}
	want := []string{"a, max_num_seqs 8, tp 1", "a, max_num_seqs 8, tp 2", "a, max_num_seqs 64, tp 1", "a, max_num_seqs 64, tp 2",
		"a.b, tp 1", "a.b, tp 2", "b, tp 1", "b, tp 2"}
	if !slices.Equal(names, want) {
		t.Errorf("curves %q, want %q", names, want)
	}
	var pairs []string
	for i := range res.Series {
		for j := range res.Series {
			if p.isBaseline(&res.Series[i], &res.Series[j]) {
				pairs = append(pairs, res.Series[j].Label+" / "+res.Series[i].Label)
			}
		}
	}
	slices.Sort(pairs)
	want = []string{"a.b, tp 1 / a, max_num_seqs 64, tp 1", "a.b, tp 1 / a, max_num_seqs 8, tp 1",
		"a.b, tp 2 / a, max_num_seqs 64, tp 2", "a.b, tp 2 / a, max_num_seqs 8, tp 2", "b, tp 1 / a, max_num_seqs 64, tp 1",
		"b, tp 1 / a, max_num_seqs 8, tp 1", "b, tp 2 / a, max_num_seqs 64, tp 2", "b, tp 2 / a, max_num_seqs 8, tp 2"}
	if !slices.Equal(pairs, want) {
		t.Errorf("compared are %q, want %q", pairs, want)
	}
	for path, concerned := range map[string]string{"strategy.a.b.max_num_seqs": "a.b", "strategy.b.max_num_seqs": "b"} {
		for _, name := range p.Strategies {
			if p.Concerns(Axis{Path: path}, name) != (name == concerned) {
				t.Errorf("%s concerns %s: %v", path, name, name != concerned)
			}
		}
	}
	slices.Reverse(p.Strategies)
	if p.Concerns(Axis{Path: "strategy.a.b.max_num_seqs"}, "a") {
		t.Error("whose key it is depends on the order of strategies")
	}
	if p.Zipped = true; !p.Concerns(sweep[1], "b") {
		t.Error("a zipped axis goes with others that concern all")
	}
}

// TestFirstAxisOfAnotherStrategy: where the axis that curves are drawn over is another
// strategy's key, a curve has all of its points, at the same height.
func TestFirstAxisOfAnotherStrategy(t *testing.T) {
	p := &Plan{Strategies: []string{"a", "b"}, Sweep: []Axis{axisOf("strategy.a.max_num_seqs", 8, 16, 64)}, Replications: 1}
	for _, v := range p.Sweep[0].Values {
		p.Points = append(p.Points, PlannedPoint{Values: []Value{v}})
	}
	p.Cells = p.AllCells()
	for i := range p.Cells {
		p.Cells[i].Key = string(rune('A' + i))
	}
	for _, s := range Aggregate(p, ByKey(outcomesOf(p))).Series {
		if len(s.Points) != 3 {
			t.Errorf("%s has %d points, want 3", s.Label, len(s.Points))
		}
	}
}
