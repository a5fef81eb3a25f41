package main

import (
	"fmt"
	"strings"

	"kneepoint/experiments"
	"kneepoint/hardware/estimate"
	"kneepoint/hardware/roofline"
	"kneepoint/plots"
	"kneepoint/units"
)

// figures are what an estimate says, to be drawn.
func (f *estimateFlags) figures(report *estimate.Report, cost *roofline.Model) *plots.Estimate {
	d := cost.Deployment()
	e := f.memoryFigure(&d, cost.Memory())
	e.Question, e.Estimated = questionLine(&report.Question), cost.Estimated()
	e.Roofline = &plots.Roofline{Bandwidth: float64(d.Accelerator.Bandwidth), Peaks: peaks(&d), Phases: phases(report)}
	return e
}

// lack is how much memory a model lacks that does not fit; none where that is not what is
// wrong.
func (f *estimateFlags) lack() []figured {
	d, err := f.deployment()
	if err != nil {
		return nil
	}
	memory, err := d.Budget()
	if err != nil || memory.KV >= 0 {
		return nil
	}
	return []figured{f.memoryFigure(&d, memory)}
}

// memoryFigure is the memory of a deployment, to be drawn.
func (f *estimateFlags) memoryFigure(d *roofline.Deployment, b roofline.Budget) *plots.Estimate {
	return &plots.Estimate{
		Model: d.Architecture.Name, Accelerator: d.Accelerator.Name, Accelerators: d.Accelerators(),
		Deployment: deploymentWords(d), Version: experiments.Version,
		Memory: plots.Memory{
			Total: float64(b.Total), Utilization: b.Utilization, Weights: float64(b.Weights),
			Activations: float64(b.Activations), Runtime: float64(b.Reserve), States: float64(b.States), KV: float64(b.KV), KVTokens: b.KVTokens,
		},
	}
}

// peaks are those of the types that the operators compute in.
func peaks(d *roofline.Deployment) []plots.Peak {
	var all []plots.Peak
	for _, t := range d.ComputeTypes() {
		all = append(all, plots.Peak{Type: string(t), FLOPS: float64(d.Accelerator.Peak(t))})
	}
	return all
}

// phases are the operators of a prompt, and of a decode step where there is one.
func phases(e *estimate.Report) []plots.Phase {
	all := []plots.Phase{{Name: "prefill", What: "prefill of " + thousands(e.Prompt) + " tokens", Operators: operators(&e.Prefill)}}
	if e.Decode != nil {
		all = append(all, plots.Phase{Name: "decode", What: "decode step of " + batchName(e.Batch), Operators: operators(e.Decode)})
	}
	return all
}

func thousands(n int) string { return units.SeparateThousands(fmt.Sprint(n)) }

// operators are those of a phase. What follows " (" in a name is the phase.
func operators(p *estimate.Phase) []plots.Operator {
	var all []plots.Operator
	for _, s := range p.Operators {
		name, _, _ := strings.Cut(s.Name, " (")
		all = append(all, plots.Operator{
			Name: name, Share: s.Share, Bound: string(s.Bound), FLOPs: s.FLOPs, Bytes: s.Bytes, FLOPS: s.FLOPsPerSecond,
		})
	}
	return all
}
