package estimate

import "kneepoint/hardware"

// Errors, in the median, on accelerators whose own kernels were left out of every fit, so that those of
// the class of all accelerators spoke for them: the larger of open and closed loops (docs/accuracy.md, "Every engine").
const (
	classTTFTError = 0.32
	classTPOTError = 0.24
)

// Spread is what times of an accelerator without measured kernels may be instead, in milliseconds: from
// t/(1+e), or the floor, to t*(1+e) with the error e of a class default. Half of the accelerators lie within.
type Spread struct {
	TTFTMS [2]float64  `json:"ttft_ms"`
	TPOTMS *[2]float64 `json:"tpot_ms,omitempty"` // absent for a single output token
}

// spread is that of a report whose kernels are a class default; nil where they were measured on
// this accelerator or one of its family, or are the roofline itself.
func (m *deployed) spread(r *Report) *Spread {
	d := &m.deployment
	if d.Engine.Backend == hardware.IdealLibrary || hardware.KernelBasisOf(&d.Accelerator) != hardware.KernelsOfClass {
		return nil
	}
	s := &Spread{TTFTMS: around(&r.Prefill, classTTFTError)}
	if r.Decode != nil {
		tpot := around(r.Decode, classTPOTError)
		s.TPOTMS = &tpot
	}
	return s
}

// around is from t/(1+e), or the floor, to t*(1+e).
func around(p *Phase, e float64) [2]float64 {
	return [2]float64{max(p.FloorMS, p.TimeMS/(1+e)), p.TimeMS * (1 + e)}
}
