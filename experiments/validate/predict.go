package validate

import (
	"errors"
	"fmt"
	"maps"

	"kneepoint/experiments"
	"kneepoint/experiments/scenario"
	"kneepoint/hardware/model"
	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
)

// Row is one measured number and its prediction, in the unit that the metric's name
// ends with.
type Row struct {
	ID        string            `json:"id"`
	Set       string            `json:"set"`
	Metric    string            `json:"metric"`
	Measured  float64           `json:"measured"`
	Predicted float64           `json:"predicted"`
	Labels    map[string]string `json:"labels"`
}

// Error is the relative error of the prediction: (predicted - measured) / measured.
func (r *Row) Error() float64 { return (r.Predicted - r.Measured) / r.Measured }

// Skipped is a measured run that was not simulated, with the reason.
type Skipped struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// Scenario is the simulation that repeats the run. What cannot be simulated is a
// *badinput.Error. It also labels the case with the kind of model, which only the
// catalog knows.
func (c *Case) Scenario(traces *scenario.Traces) (scenario.Scenario, error) {
	switch {
	case c.Skip != "":
		return scenario.Scenario{}, &badinput.Error{Problem: c.Skip}
	case len(c.Measured) == 0:
		return scenario.Scenario{}, &badinput.Error{Problem: "nothing that can be compared was measured"}
	}
	e, err := experiments.FromTree(c.ID, c.Folder, c.Tree).Resolve(traces)
	if err != nil {
		return scenario.Scenario{}, err
	}
	c.Labels["kind"] = modelKind(e)
	return e.Scenario(0), nil
}

// outcomeOfError is the outcome of a case that was not simulated. A *badinput.Error,
// of what cannot be deployed or is not supported yet, is a reason to skip it; anything
// else is an error. The reason names no file: the experiment is in none.
func (c *Case) outcomeOfError(err error) outcome {
	var bad *badinput.Error
	if !errors.As(err, &bad) {
		return outcome{err: fmt.Errorf("%s: %w", c.ID, err)}
	}
	reason := *bad
	reason.File = ""
	return outcome{skipped: &Skipped{c.ID, reason.Error()}}
}

// compare is the outcome of a case that was simulated.
func (c *Case) compare(found metrics.Values) outcome {
	rows, ok := c.Compare(found)
	if !ok {
		return outcome{skipped: &Skipped{c.ID, "the simulation completed no request"}}
	}
	return outcome{rows: rows}
}

// Compare pairs what was measured with what a simulation found; false when a metric has
// no value, and hence no prediction: no request completed.
func (c *Case) Compare(found metrics.Values) ([]Row, bool) {
	var rows []Row
	found = c.withHeld(found)
	for _, measured := range c.Measured {
		predicted, ok := found[measured.Key]
		if !ok {
			return nil, false
		}
		rows = append(rows,
			Row{ID: c.ID, Set: c.Set, Metric: measured.Metric, Measured: measured.Value, Predicted: predicted, Labels: c.Labels})
	}
	return rows, true
}

// withHeld is what is measured where prompts wait for Held decode steps more.
func (c *Case) withHeld(found metrics.Values) metrics.Values {
	if c.Held == 0 {
		return found
	}
	held := maps.Clone(found)
	held[metrics.MeanTTFT] += c.Held * found[metrics.MeanTPOT]
	return held
}

// modelKind is "dense", or "MoE" for a mixture of experts.
func modelKind(e *experiments.Experiment) string {
	architecture, err := model.Lookup(e.Spec.Model.Name)
	if err == nil && architecture.ExpertLayers() > 0 {
		return "MoE"
	}
	return "dense"
}
