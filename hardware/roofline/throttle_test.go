package roofline

import (
	"slices"
	"testing"

	"kneepoint/hardware"
)

// TestCoolingIsSaid: steps are those of a cool device, and whoever reads them hears for how long.
func TestCoolingIsSaid(t *testing.T) {
	d := deployment(t, "apple-m4", "vllm-v1", "llama-3.2-1b", 1)
	hot := build(t, d)
	const said = "rates of apple-m4 before its cooling limits them: 0.83 to 1 of them are left after 120 s at full load"
	if !slices.Contains(hot.Estimated(), said) {
		t.Errorf("%q lacks %q", hot.Estimated(), said)
	}
	d.Accelerator.Throttle = nil
	cool := build(t, d)
	if slices.Contains(cool.Estimated(), said) || cool.Step(decode(1, 100)) != hot.Step(decode(1, 100)) {
		t.Errorf("without a limit of the cooling: %q", cool.Estimated())
	}
}

// TestRangeOfCooling: what is not given is no less and no more than what is sustained.
func TestRangeOfCooling(t *testing.T) {
	for given, want := range map[hardware.Throttle][2]float64{
		{Sustained: 0.6}:                        {0.6, 0.6},
		{Sustained: 0.6, Least: 0.5}:            {0.5, 0.6},
		{Sustained: 0.6, Most: 0.9}:             {0.6, 0.9},
		{Sustained: 0.6, Least: 0.7, Most: 0.5}: {0.6, 0.6},
	} {
		if least, most := given.Range(); least != want[0] || most != want[1] {
			t.Errorf("%+v: %v to %v, want %v", given, least, most, want)
		}
	}
}
