package workloads

import "testing"

func TestHorizon(t *testing.T) {
	for _, c := range []struct {
		name        string
		spec        Spec
		correlation float64
		span        float64
	}{
		{"steady", Spec{NumRequests: 100, Arrival: &ArrivalSpec{Rate: 4}}, 0, 25},
		{"modulated", Spec{Arrival: &ArrivalSpec{Rate: 4, Modulation: &ModulationSpec{CV: 0.2, Tau: 300}}}, 300, 250},
		{"modulated by nothing", Spec{Duration: 60, Arrival: &ArrivalSpec{Rate: 4, Modulation: &ModulationSpec{Tau: 300}}}, 0, 60},
		{"on and off", Spec{NumRequests: 100, Duration: 60, Arrival: &ArrivalSpec{Process: "onoff", Rate: 1, On: 30, Off: 60}}, 20, 60},
		{"a class that drifts", Spec{NumRequests: 100, Client: []ClientSpec{{Arrival: &ArrivalSpec{Rate: 2}},
			{Arrival: &ArrivalSpec{Rate: 3, Modulation: &ModulationSpec{CV: 1, Tau: 7}}}}}, 7, 20},
		{"conversations", Spec{NumRequests: 100, Arrival: &ArrivalSpec{Rate: 2}, Session: &SessionSpec{Turns: Turns{Type: "fixed", Mean: 5}}}, 0, 10},
		{"closed", Spec{Arrival: &ArrivalSpec{Process: "closed", Concurrency: 3}}, 0, 0},
		{"at once", Spec{Arrival: &ArrivalSpec{Rate: infinite}}, 0, 0},
	} {
		if got := float64(c.spec.RateCorrelation()); got != c.correlation {
			t.Errorf("%s: correlated over %v s, want %v", c.name, got, c.correlation)
		}
		if got := float64(c.spec.Span()); got != c.span {
			t.Errorf("%s: spans %v s, want %v", c.name, got, c.span)
		}
	}
}
