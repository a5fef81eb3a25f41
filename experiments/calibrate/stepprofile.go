package calibrate

import (
	"fmt"
	"strings"

	"kneepoint/hardware"
	"kneepoint/units"
)

// Marker begins every profile that calibration writes.
const Marker = "# Written by kneepoint calibrate"

// Profile is the fit as tables of an experiment file; source names the
// measurements in its comments.
func (f *StepFit) Profile(source string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s from %s.\n", Marker, oneLine(source))
	fmt.Fprintf(&b, "# %d steps fitted: %s.\n", f.Training.N, f.Training)
	if f.Holdout.N > 0 {
		fmt.Fprintf(&b, "# %d steps held out: %s.\n", f.Holdout.N, f.Holdout)
	}
	for _, w := range f.Warnings {
		fmt.Fprintf(&b, "# Open: %s.\n", w)
	}
	b.WriteString("# Put this into an experiment, with cost_model = \"measured\" in its [hardware] table.\n\n")
	b.WriteString(measuredTable(&f.Cost))
	return b.String()
}

// measuredTable writes a cost model as the [hardware.measured] table.
func measuredTable(cost *hardware.Measured) string {
	var b strings.Builder
	p := cost.Prefill
	fmt.Fprintf(&b, "[hardware.measured]\nprefill = { base = %s, per_token = %s, per_token2 = %s }\ndecode = [\n",
		quoted(p.Base), quoted(p.PerToken), quoted(p.PerToken2))
	for _, d := range cost.Decode {
		limit := ""
		if d.MaxBatch > 0 {
			limit = fmt.Sprintf("max_batch = %d, ", d.MaxBatch)
		}
		fmt.Fprintf(&b, "  { %sbase = %s, per_context_token = %s, per_sequence = %s },\n",
			limit, quoted(d.Base), quoted(d.PerContextToken), quoted(d.PerSequence))
	}
	b.WriteString("]\n")
	return b.String()
}

// quoted is a time as TOML has it.
func quoted(s units.Seconds) string {
	text, _ := s.MarshalText()
	return `"` + string(text) + `"`
}

// oneLine keeps a path from ending the comment around it.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '?'
		}
		return r
	}, s)
}
