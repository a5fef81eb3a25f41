package uncertainty

import (
	"math"
	"slices"
	"testing"

	"kneepoint/experiments/scenario"
	"kneepoint/hardware"
	"kneepoint/hardware/roofline"
	"kneepoint/workloads"
)

// Every n-th of a factor's distribution has one draw, and a factor's draws are the same whatever others there are; one of
// no width is 1.
func TestSample(t *testing.T) {
	const n = 50
	factors := []Factor{{Name: Memory, Of: "h100-sxm", Width: 0.2}, {Name: Host, Width: 0}, {Name: Demand, Width: 0.3}}
	draws := Sample(factors, n, 7)
	for k := range factors {
		var column []float64
		for _, d := range draws {
			column = append(column, d[k])
		}
		for _, alone := range [][]Factor{factors[k : k+1], append(slices.Clone(factors[k:k+1]), factors...)} {
			for i, d := range Sample(alone, n, 7) {
				if d[0] != column[i] {
					t.Errorf("%s is %v among others and %v else", factors[k].Name, column[i], d[0])
				}
			}
		}
		slices.Sort(column)
		for i, x := range column {
			low, high := factors[k].Quantile(float64(i)/n), factors[k].Quantile(float64(i+1)/n)
			if !(low <= x && x <= high) {
				t.Errorf("draw %d of %s is %v, not within %v and %v", i, factors[k].Name, x, low, high)
			}
		}
	}
	if draws[0][1] != 1 || slices.Equal(draws[0], Sample(factors, n, 8)[0]) {
		t.Error("a factor without a width is not 1, or another seed changes nothing")
	}
}

// served is a scenario of an accelerator's pool under a small workload.
func served(t *testing.T, accelerator, engine string) scenario.Scenario {
	t.Helper()
	a, err := hardware.LookupAccelerator(accelerator)
	if err != nil {
		t.Fatal(err)
	}
	d := roofline.Deployment{Accelerator: a, Constants: roofline.Constants{
		Kernels: []roofline.Kernel{{Operator: hardware.GEMM, Efficiency: hardware.Efficiency{Compute: 0.9, Memory: 0.8, Norm: 2}}}}}
	d.Engine.Name, d.Engine.StepCPU = engine, 0.001
	return scenario.Scenario{Pools: []scenario.Pool{{Replicas: 1, Deployment: scenario.Deployment{Roofline: &d}}},
		Traffic: workloads.Spec{Arrival: &workloads.ArrivalSpec{Process: "poisson", Rate: 4},
			Input: &workloads.LengthSpec{Type: "lognormal", Mean: 100, Std: 50}, Output: &workloads.LengthSpec{Type: "empirical", Quantiles: []float64{1, 20}}}}
}

// Widths are wider where less was measured, and narrower where one's own machine was; what is given replaces them.
func TestWidths(t *testing.T) {
	width := func(s scenario.Scenario, given map[string]float64, name string) float64 {
		for _, f := range Of([]scenario.Scenario{s}, given) {
			if f.Name == name {
				return f.Width
			}
		}
		return 0
	}
	measured, class := served(t, "h100-sxm", "vllm-v1"), served(t, "apple-m4-max", "vllm-v1")
	own := served(t, "h100-sxm", "mine.toml")
	for _, name := range []string{Compute, Memory} {
		if m, c, o := width(measured, nil, name), width(class, nil, name), width(own, nil, name); !(o < m && m < c) || o != calibrated {
			t.Errorf("%s: calibrated %v, measured %v, of the class %v", name, o, m, c)
		}
	}
	if w := width(measured, map[string]float64{Memory: 0}, Memory); w != 0 {
		t.Errorf("a width of 0 is %v", w)
	}
	if width(measured, nil, Demand) != 0 || width(measured, map[string]float64{Demand: 0.2}, Demand) != 0.2 || width(measured, nil, Links) != 0 {
		t.Error("demand is uncertain by itself, or not when asked for, or links are that there are not")
	}
	traced, given := served(t, "h100-sxm", "vllm-v1"), map[string]float64{Input: 0.2, Output: 0.2, Demand: 0.2}
	traced.Traffic = workloads.Spec{Trace: &workloads.TraceSpec{}}
	for name := range given {
		if width(traced, given, name) != 0 {
			t.Errorf("%s is uncertain though a trace has it", name)
		}
	}
	both := Of([]scenario.Scenario{measured, class, measured}, nil)
	if len(both) != 5 { // compute and memory of each, and the host
		t.Errorf("factors %+v", both)
	}
}

// Factors of 1 change nothing, those of other accelerators neither; no kernel is faster than the peaks, and the scenario that was
// scaled is as it was.
func TestScaled(t *testing.T) {
	s := served(t, "h100-sxm", "vllm-v1")
	key := s.Key()
	factors := []Factor{{Name: Compute, Of: "h100-sxm"}, {Name: Memory, Of: "h100-sxm"}, {Name: Memory, Of: "l40s"}, {Name: Host}, {Name: Input}, {Name: Output}, {Name: Demand}}
	same := Scaled(s, factors, []float64{1, 1, 3, 1, 1, 1, 1})
	if same.Key() != key {
		t.Error("factors of 1 change a scenario")
	}
	got := Scaled(s, factors, []float64{2, 0.5, 1, 3, 1.5, 2, 1.25})
	e, d := got.Pools[0].Deployment.Roofline.Constants.Kernels[0].Efficiency, got.Pools[0].Deployment.Roofline
	if e.Compute != 1 || e.Memory != 0.4 || math.Abs(float64(d.Engine.StepCPU)-0.003) > 1e-12 {
		t.Errorf("efficiency %+v, step %v", e, d.Engine.StepCPU)
	}
	w := got.Traffic
	if w.Input.Mean != 150 || w.Input.Std != 75 || w.Output.Quantiles[1] != 40 || w.Arrival.Rate != 5 {
		t.Errorf("workload %+v %+v at %v", w.Input, w.Output, w.Arrival.Rate)
	}
	if s.Key() != key {
		t.Error("the scenario itself was changed")
	}
}

// Fitted steps are scaled by what they do.
func TestScaledSteps(t *testing.T) {
	m := &hardware.Measured{Prefill: hardware.MeasuredPrefill{Base: 1, PerToken: 2}, Decode: []hardware.MeasuredDecode{{Base: 3, PerSequence: 4}}}
	s := scenario.Scenario{Pools: []scenario.Pool{{Deployment: scenario.Deployment{Measured: m, Bare: &scenario.Bare{}}}}}
	factors := Of([]scenario.Scenario{s}, nil)
	if len(factors) != 2 || factors[0].Plain <= factors[0].Width {
		t.Fatalf("factors %+v", factors)
	}
	got := Scaled(s, factors, []float64{2, 0.5}).Pools[0].Deployment.Measured
	if got.Prefill.Base != 0.5 || got.Prefill.PerToken != 1 || got.Decode[0].Base != 6 || got.Decode[0].PerSequence != 8 || m.Decode[0].Base != 3 {
		t.Errorf("%+v from %+v", got, m)
	}
}
