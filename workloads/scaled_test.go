package workloads

import "testing"

// TestLengthenedStaysBetweenItsBounds: as a mean beyond them would be refused.
func TestLengthenedStaysBetweenItsBounds(t *testing.T) {
	base := Spec{Input: &LengthSpec{Type: "lognormal", Mean: 800, Std: 400, Min: 500, Max: 1000}, Output: &LengthSpec{Type: "fixed", Mean: 3}}
	for _, c := range []struct{ factor, input, output float64 }{{1.1, 880, 3.3}, {2, 1000, 6}, {0.5, 500, 1.5}, {0.1, 500, 1}} {
		spec := base.Lengthened(c.factor, c.factor)
		about(t, "mean of the prompts", spec.Input.Mean, c.input, 1e-12)
		about(t, "mean of the answers", spec.Output.Mean, c.output, 1e-12)
		if err := spec.Input.Validate(); err != nil {
			t.Errorf("%v times: %v", c.factor, err)
		}
	}
}
