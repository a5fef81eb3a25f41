package plots

import "fmt"

// Estimate is what a cost model says of a deployment without a simulation, as plain values.
type Estimate struct {
	Model, Accelerator string
	Accelerators       int    // of a replica
	Deployment         string // how the model is deployed
	Question           string // what was asked
	Version            string // of kneepoint
	Estimated          []string
	Memory             Memory
	Roofline           *Roofline // nil where the model does not fit
}

// Figures are the roofline and the memory, or the memory alone where the model does not fit.
func (e *Estimate) Figures() []Figure {
	var figures []Figure
	version := "kneepoint " + e.Version
	if r := e.Roofline; r != nil {
		notes := r.notes()
		for _, reason := range e.Estimated {
			notes = append(notes, "estimated: "+reason)
		}
		figures = append(figures, Figure{Name: "roofline", Title: r.title(),
			Subtitle: joinWith(separator, e.Model+" on "+e.where(), e.Deployment, e.Question),
			Notes:    append(notes, version), Data: r.table(), body: r})
	}
	return append(figures, Figure{Name: "memory", Title: e.Memory.title(e), Subtitle: joinWith(separator, e.Deployment, e.Memory.tokens()),
		Notes: []string{version}, Data: e.Memory.table(), body: &e.Memory})
}

// where names the accelerators.
func (e *Estimate) where() string {
	if e.Accelerators == 1 {
		return e.Accelerator
	}
	return fmt.Sprintf("%d × %s", e.Accelerators, e.Accelerator)
}
