package experiments

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/hardware/roofline"
	"kneepoint/workloads"
)

// facts are what tables and figures say of the experiment besides its results: as plain
// data, so that a results folder can be shown without the file or the catalogs.
func (e *Experiment) facts() results.Facts {
	f := results.Facts{Deployment: e.Spec.deploymentFacts(), Strategies: e.deploymentsAt(0), Traffic: trafficFacts(&e.Spec.Workload, drawnMean)}
	if e.Spec.Fleet != nil && len(e.Spec.Fleet.Pools) > 0 {
		f.Deployment = f.Strategies[0]
	}
	for i := range e.cells {
		for _, taken := range e.cells[i].limits {
			if !slices.Contains(f.Limits, taken) {
				f.Limits = append(f.Limits, taken)
			}
		}
	}
	return f
}

// deploymentsAt are what the strategies run on at a point.
func (e *Experiment) deploymentsAt(point int) []results.Deployment {
	var all []results.Deployment
	for i := range e.Spec.Strategies {
		all = append(all, e.cells[point*len(e.Spec.Strategies)+i].facts)
	}
	return all
}

// deploymentFacts are the names and counts of a deployment, as the file has them: of
// pools what they have in common, and the sum of their replicas.
func (s *Spec) deploymentFacts() results.Deployment {
	if len(s.pools) == 0 {
		return s.ownFacts()
	}
	all := s.pools[0].ownFacts()
	for i := range s.pools {
		all = all.Common(s.pools[i].ownFacts())
	}
	all.Replicas = 0
	for i := range s.Fleet.Pools {
		all.Replicas += s.Fleet.Pools[i].Replicas
	}
	all.Fleet = s.poolsInWords()
	return all
}

// ownFacts are those without pools.
func (s *Spec) ownFacts() results.Deployment {
	m, h := &s.Model, &s.Hardware
	d := results.Deployment{Model: m.Name, Weights: s.weights(), Accelerator: h.acceleratorName(), Engine: h.Engine,
		TP: h.TP, PP: h.PP, DP: h.DP, EP: h.EP, Replicas: h.Replicas}
	if h.Replicas > 1 || s.scales() {
		d.Fleet = s.replicasInWords(h.Replicas)
	}
	return d
}

// weights is the format of the model's weights: that of the file, or of its checkpoint.
// Nothing is known of a model and an accelerator that the cost model does not read.
func (s *Spec) weights() string {
	var d roofline.Deployment
	var unknownModel, unknownAccelerator error
	d.Architecture, unknownModel = s.architecture()
	d.Accelerator, unknownAccelerator = s.Hardware.accelerator()
	if unknownModel != nil || unknownAccelerator != nil {
		return s.Model.Weights
	}
	weights, _, _ := d.Precisions()
	return cmp.Or(s.Model.Weights, string(weights))
}

// poolsInWords says how many replicas each pool has, and of what.
func (s *Spec) poolsInWords() string {
	var all []string
	for i := range s.pools {
		pool := &s.Fleet.Pools[i]
		text := s.pools[i].replicasInWords(pool.Replicas)
		if pool.Role != "both" {
			text += ", " + pool.Role
		}
		all = append(all, fmt.Sprintf("%s (%s)", pool.Name, text))
	}
	return strings.Join(all, ", ")
}

// replicasInWords says how many replicas there are, and of what.
func (s *Spec) replicasInWords(n int) string {
	text := fmt.Sprintf("%d replicas", n)
	if n == 1 {
		text = "1 replica"
	}
	name, each := s.Hardware.acceleratorName(), s.Hardware.Accelerators()
	switch {
	case name != "" && each > 1:
		text += fmt.Sprintf(" of %d × %s", each, name)
	case name != "":
		text += " of " + name
	}
	if s.scales() {
		text += " at the start"
	}
	return text
}

// scales tells whether replicas come and go.
func (s *Spec) scales() bool { return s.Fleet != nil && s.Fleet.Autoscale != nil }

// trafficFacts are what a title says of the workload. An infinite rate is that of
// requests that come all at once, and is left out. Means of laws that are not given by them are asked for.
func trafficFacts(w *workloads.Spec, mean func(*workloads.LengthSpec) float64) results.Traffic {
	t := results.Traffic{Workload: w.Name, Input: lengthFacts(w.Input, mean), Output: lengthFacts(w.Output, mean)}
	if w.Trace != nil {
		t.Trace = w.Trace.Path
	}
	if w.Prefix != nil {
		t.SharedPrefix = w.Prefix.Tokens
	}
	if a := w.Arrival; a != nil {
		t.Process, t.Concurrency, t.MaxConcurrency, t.Burstiness = a.Process, a.Concurrency, a.MaxConcurrency, gammaShape(a)
		if rate := float64(a.Rate); !math.IsInf(rate, 0) {
			t.Rate = rate
		}
		t.Profile, t.Stages = a.Profile(), len(a.Stages)
		t.LowestRate, t.HighestRate = a.RateRange()
	}
	if w.Session != nil {
		t.Conversations, t.Users = true, w.Session.Users
	}
	for i := range w.Client {
		if own := w.Client[i].Arrival; own != nil {
			t.OwnArrivals, t.Profile = true, cmp.Or(t.Profile, own.Profile())
		}
		t.OwnObjectives = t.OwnObjectives || w.Client[i].SLO != workloads.ClientSLO{}
	}
	return t
}

// gammaShape is the shape of the gamma law of gaps; 0 where they have none, as where the rate
// changes.
func gammaShape(a *workloads.ArrivalSpec) float64 {
	switch {
	case a.Modulation != nil || a.Profile() != "":
		return 0
	case a.Process == "poisson":
		return 1
	case a.Process == "gamma" && a.CV > 0:
		return 1 / (a.CV * a.CV)
	case a.Process == "gamma":
		return cmp.Or(a.Burstiness, 1)
	}
	return 0
}

// lengthFacts are the law and the mean of a length in tokens; nil: a trace has them.
func lengthFacts(law *workloads.LengthSpec, mean func(*workloads.LengthSpec) float64) results.Lengths {
	if law == nil {
		return results.Lengths{}
	}
	facts := results.Lengths{Law: law.Type, Mean: law.Mean}
	if facts.Mean == 0 {
		facts.Mean = mean(law)
	}
	return facts
}

// drawnMean is the mean number of tokens of a law that is not given by its mean; 0 where the
// law is wrong, which is said where it is drawn from.
func drawnMean(s *workloads.LengthSpec) float64 {
	law, err := s.Law()
	if err != nil {
		return 0
	}
	return math.Round(law.Mean())
}
