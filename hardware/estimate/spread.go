package estimate

import "kneepoint/hardware"

// classError is an error, in the median, on accelerators whose own kernels were left out of every fit, so that those
// of a class spoke for them: the larger of open and closed loops (docs/accuracy.md, "Every engine").
type classError struct{ ttft, tpot float64 }

// errorOfClass is that of the class of all accelerators, and errorOfVendor those of classes that rest on
// measurements of one vendor's: of NVIDIA's A100's, since those that have it do not copy in bulk either.
var (
	errorOfClass  = classError{ttft: 0.32, tpot: 0.24}
	errorOfVendor = map[string]classError{"NVIDIA": {ttft: 0.17, tpot: 0.09}}
)

// classErrorOf is that of the class whose constants the kernels of an accelerator have.
func classErrorOf(a *hardware.Accelerator) classError {
	if e, ok := errorOfVendor[a.Vendor]; ok {
		return e
	}
	return errorOfClass
}

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
	e := classErrorOf(&d.Accelerator)
	s := &Spread{TTFTMS: around(&r.Prefill, e.ttft)}
	if r.Decode != nil {
		tpot := around(r.Decode, e.tpot)
		s.TPOTMS = &tpot
	}
	return s
}

// around is from t/(1+e), or the floor, to t*(1+e).
func around(p *Phase, e float64) [2]float64 {
	return [2]float64{max(p.FloorMS, p.TimeMS/(1+e)), p.TimeMS * (1 + e)}
}
