package hardware

import (
	"math"
	"slices"
	"strings"
	"testing"

	"kneepoint/units"
)

// TestMeasuredPower: the power of an H100 in steady loops, measured on 22 November 2026 through its
// energy counter (NVML; one H100 80GB HBM3 of a cloud machine, driver 580.159, limit 700 W, PyTorch 2.11, five
// seconds each after one of warming up), which the constants were not fitted to: the products of
// an 8B model's layers within 15 %, steps with waits between them too. Loops of one other
// kernel are shown: those that only read, or compute little of much, draw up to a third more.
func TestMeasuredPower(t *testing.T) {
	var layers []float64
	for _, row := range readPower(t) {
		h100 := lookupAccelerator(t, "h100-sxm")
		p := h100.Power(Precision(row.precision))
		busy := units.Seconds(row.busy) // of a second
		got := p.Idle + p.Joules(1, busy, units.Bytes(row.bytes), units.FLOPs(row.flops))
		off := got/row.watts - 1
		t.Logf("%-34s %3.0f W, measured %3.0f (%+.1f %%)", row.loop, got, row.watts, 100*off)
		if !strings.Contains(row.loop, "layers") {
			continue
		}
		if layers = append(layers, math.Abs(off)); math.Abs(off) > 0.15 {
			t.Errorf("%s: %.0f W, measured %.0f", row.loop, got, row.watts)
		}
	}
	slices.Sort(layers)
	if median := layers[len(layers)/2]; median > 0.05 {
		t.Errorf("off by %.1f %% in the median of the layers", 100*median)
	}
}

type measuredPower struct {
	loop, precision           string
	busy, bytes, flops, watts float64 // the share of the time in steps; by second
}

func readPower(t *testing.T) []measuredPower {
	t.Helper()
	var all []measuredPower
	for _, row := range readMeasuredCSV(t, "testdata/h100-sxm-power.csv") {
		all = append(all, measuredPower{row["loop"], row["precision"], number(t, row["busy"]), number(t, row["bytes_per_s"]),
			number(t, row["flops_per_s"]), number(t, row["watts"])})
	}
	return all
}
