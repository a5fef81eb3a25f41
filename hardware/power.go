package hardware

// Power says what one accelerator draws: Idle watts when it does nothing, and
// from there up to TDP watts as its parts are used. The share of the span that
// each part accounts for at full use is Compute, Memory and Link.
type Power struct {
	TDP, Idle             float64
	Compute, Memory, Link float64
}

// PowerEstimated says what the power profile rests on besides measurements of
// this accelerator; empty when there is nothing.
func (a *Accelerator) PowerEstimated() string {
	if !a.Energy.Estimated {
		return ""
	}
	return "power of " + a.Name + ": class default"
}

// Power is the accelerator's power profile.
func (a *Accelerator) Power() Power {
	return Power{TDP: a.TDPWatts, Idle: a.IdleWatts,
		Compute: a.Energy.Compute, Memory: a.Energy.Memory, Link: a.Energy.Link}
}
