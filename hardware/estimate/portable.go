package estimate

// Portable is what a battery and a device's cooling mean for a single chat on
// the replica.
type Portable struct {
	BatteryWh float64 `json:"battery_wh,omitempty"`

	// TokensPerPercent is how many tokens a hundredth of the battery yields,
	// prompts included, when nothing but the accelerator draws on it:
	//
	//	BatteryWh*3600/100 / J per token
	TokensPerPercent float64 `json:"tokens_per_battery_percent,omitempty"`

	// SustainedTokensPerSecond is the chat's rate after SustainedAfterS at full
	// load, and SustainedLeast to SustainedMost what it may be; absent where no limit is known.
	SustainedTokensPerSecond float64 `json:"sustained_tokens_per_second,omitempty"`
	SustainedLeast           float64 `json:"sustained_least_tokens_per_second,omitempty"`
	SustainedMost            float64 `json:"sustained_most_tokens_per_second,omitempty"`
	SustainedAfterS          float64 `json:"sustained_after_s,omitempty"`
}

func (m *deployed) portable(q Question, chat *Chat) *Portable {
	a := &m.deployment.Accelerator
	if a.BatteryWh == 0 && a.Throttle == nil {
		return nil
	}
	p := &Portable{BatteryWh: a.BatteryWh * float64(m.deployment.Accelerators())}
	if t := a.Throttle; t != nil {
		least, most := t.Range()
		p.SustainedTokensPerSecond, p.SustainedAfterS = t.Sustained*chat.TokensPerSecond, float64(t.After)
		p.SustainedLeast, p.SustainedMost = least*chat.TokensPerSecond, most*chat.TokensPerSecond
	}
	q.Batch = 1
	p.TokensPerPercent = p.BatteryWh * 3600 / 100 / m.serve(q).EnergyJPerToken
	return p
}
