package experiments

import (
	"errors"

	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// SLOSpec is the [slo] table: bounds in milliseconds, of which zero means none, and the
// share of requests that must meet all of them.
type SLOSpec struct {
	TTFTms     float64 `toml:"ttft_ms" check:"nonnegative"`
	TPOTms     float64 `toml:"tpot_ms" check:"nonnegative"`
	E2ELms     float64 `toml:"e2el_ms" check:"nonnegative"`
	ITLp99ms   float64 `toml:"itl_p99_ms" check:"nonnegative"`
	Attainment float64 `toml:"attainment" check:"share"`
}

// SetDefaults asks for nine requests in ten.
func (s *SLOSpec) SetDefaults() { s.Attainment = 0.9 }

// Objective is the SLO for one request, in seconds. Attainment is not part of it: it says how
// many requests must meet it, which no simulation depends on.
func (s *SLOSpec) Objective() metrics.Objective {
	return metrics.Objective{
		TTFT: units.Seconds(s.TTFTms / 1e3),
		TPOT: units.Seconds(s.TPOTms / 1e3),
		E2EL: units.Seconds(s.E2ELms / 1e3),
		ITL:  units.Seconds(s.ITLp99ms / 1e3),
	}
}

// share is the attainment where its percentiles of latencies have to be asked for, and 0
// where every run has them.
func (s *SLOSpec) share() float64 {
	if metrics.Listed(s.Attainment) {
		return 0
	}
	return s.Attainment
}

// MeasureSpec is the [measure] table.
type MeasureSpec struct {
	Warmup   Trim          `toml:"warmup"`
	Cooldown Trim          `toml:"cooldown"`
	Drain    bool          `toml:"drain"`
	MaxTime  units.Seconds `toml:"max_time" check:"nonnegative"` // of simulated time; 0: no limit
}

// SetDefaults measures the whole run, drained: without a choice of the user's
// nothing is cut off, and every request that arrives is counted to its end.
func (m *MeasureSpec) SetDefaults() { m.Drain = true }

// Trim is what is cut off one end of a run: a time, or a fraction of the
// arrivals. The zero Trim cuts nothing.
type Trim struct {
	Time     units.Seconds
	Fraction float64
}

// DecodeTOML reads a duration such as "30s", or a number from 0 to below 1.
func (t *Trim) DecodeTOML(v any) error {
	const allowed = `write a duration, like "30s", or a fraction of the arrivals below 1`
	switch v := v.(type) {
	case string:
		s, err := units.ParseSeconds(v)
		if errors.Is(err, units.ErrTooLong) {
			return err
		}
		if err != nil || s < 0 {
			return errors.New("not a duration: " + allowed)
		}
		t.Time = s
		return nil
	case float64:
		if v >= 0 && v < 1 {
			t.Fraction = v
			return nil
		}
	case int64: // a fraction of 1 would leave nothing, so that 0 is the only whole one
		if v == 0 {
			return nil
		}
	}
	return errors.New("out of range: " + allowed)
}

// EncodeTOML is the inverse of DecodeTOML.
func (t Trim) EncodeTOML() any {
	if t.Fraction > 0 {
		return t.Fraction
	}
	text, _ := t.Time.MarshalText()
	return string(text)
}
