package experiments

import (
	"math"

	"kneepoint/experiments/results"
	"kneepoint/workloads"
)

// facts are what tables and figures say of the experiment.
func (e *Experiment) facts() results.Facts {
	f := results.Facts{Deployment: e.Spec.deploymentFacts(), Traffic: trafficFacts(&e.Spec.Workload)}
	for i := range e.Spec.Strategies {
		f.Strategies = append(f.Strategies, e.cells[i].facts) // at the first point
	}
	return f
}

func (s *Spec) deploymentFacts() results.Deployment {
	m, h := &s.Model, &s.Hardware
	return results.Deployment{Model: m.Name, Weights: m.Weights, Accelerator: h.Accelerator, Engine: h.Engine,
		TP: h.TP, PP: h.PP, DP: h.DP, EP: h.EP, Replicas: h.Replicas}
}

func trafficFacts(w *workloads.Spec) results.Traffic {
	t := results.Traffic{Workload: w.Name, Input: lengthFacts(w.Input), Output: lengthFacts(w.Output)}
	if w.Trace != nil {
		t.Trace = w.Trace.Path
	}
	if w.Prefix != nil {
		t.SharedPrefix = w.Prefix.Tokens
	}
	if a := w.Arrival; a != nil {
		t.Process, t.Concurrency = a.Process, a.Concurrency
		if rate := float64(a.Rate); !math.IsInf(rate, 0) {
			t.Rate = rate
		}
	}
	if w.Session != nil {
		t.Conversations, t.Users = true, w.Session.Users
	}
	for i := range w.Client {
		t.OwnObjectives = t.OwnObjectives || w.Client[i].SLO != workloads.ClientSLO{}
	}
	return t
}

func lengthFacts(law *workloads.LengthSpec) results.Lengths {
	if law == nil {
		return results.Lengths{}
	}
	return results.Lengths{Law: law.Type, Mean: law.Mean}
}
