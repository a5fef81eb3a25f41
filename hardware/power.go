package hardware

import (
	"cmp"

	"kneepoint/units"
)

// Power says what one accelerator draws. Between steps that is Idle watts; in a step that
// moves bytes and computes,
//
//	P = min(Cap, Active + PerByte*bytes/s + PerFLOP*FLOP/s)
//
// The law was fitted to the mean power of GPUs that generate text in steady batches, with the
// bytes and FLOPs of Cost over the time of the steps; so Active is what an accelerator draws
// whose step does next to nothing, launches and waits for the host among it.
type Power struct {
	Idle, Active     float64 // W
	PerByte, PerFLOP float64 // J; of memory, and in the type that the accelerator computes in
	TDP, Cap         float64 // W; the cap is the TDP where nobody set a lower one
}

// PowerEstimated says what the power profile rests on besides measurements of
// this accelerator; empty when there is nothing.
func (a *Accelerator) PowerEstimated() string {
	if a.Energy.Estimated == "" {
		return ""
	}
	return "power of " + a.Name + ": " + a.Energy.Estimated
}

// Power is the accelerator's power profile when it computes in a type. A FLOP takes energy in
// proportion to the time that it takes at the peak of its type.
func (a *Accelerator) Power(compute Precision) Power {
	p := Power{Idle: a.IdleWatts, Active: a.Energy.ActiveWatts, PerByte: a.Energy.PicojoulesPerByte * 1e-12,
		TDP: a.TDPWatts, Cap: cmp.Or(a.PowerCapWatts, a.TDPWatts)}
	if peak := a.Peak(compute); peak > 0 {
		p.PerFLOP = a.Energy.PicojoulesPerFLOP * 1e-12 * float64(a.widePeak()/peak)
	}
	return p
}

// widePeak is the peak of the faster 16-bit type.
func (a *Accelerator) widePeak() units.FLOPsPerSecond { return max(a.Peak(BF16), a.Peak(FP16)) }

// Demand is what each of n accelerators would draw without a cap in work of a time with these bytes
// and FLOPs.
func (p *Power) Demand(n float64, t units.Seconds, bytes units.Bytes, flops units.FLOPs) float64 {
	return p.Active + (p.PerByte*float64(bytes)+p.PerFLOP*float64(flops))/(n*float64(t))
}

// Joules is what n accelerators draw above Idle, together, in a step of a time with these bytes
// and FLOPs.
func (p *Power) Joules(n float64, t units.Seconds, bytes units.Bytes, flops units.FLOPs) float64 {
	watts := n * float64(t)
	return min((p.Cap-p.Idle)*watts, (p.Active-p.Idle)*watts+p.PerByte*float64(bytes)+p.PerFLOP*float64(flops))
}
