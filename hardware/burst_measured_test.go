package hardware

import (
	"math"
	"slices"
	"testing"

	"kneepoint/units"
)

// TestMeasuredBurst: prompts between decode steps, measured on 23 November 2026 on an H100 80GB HBM3 and an H200
// of cloud machines (limit 700 W each, PyTorch 2.11, CUDA 13): all products of a 14B model's 40 layers for a number of
// rows in bf16, which a CUDA graph replays, then so many graphs of four rows, over and over for 2 s or more; the median
// of the second half. From the time of prompts that follow each other at once, all others
// come out within 5 %, and within 1.5 % in the median.
func TestMeasuredBurst(t *testing.T) {
	var errors []float64
	slow := map[string]units.Seconds{}
	for _, row := range readBurst(t) {
		a := lookupAccelerator(t, row.accelerator)
		if row.decodes == 0 {
			slow[row.accelerator+row.rows] = row.prompt
			continue
		}
		last := slow[row.accelerator+row.rows]
		full := last * units.Seconds(a.Burst.Sustained)
		hasty := min(1, a.Burst.After(units.Seconds(row.decodes)*row.decode)/full)
		off := float64((hasty*full+(1-hasty)*last)/row.prompt) - 1
		if errors = append(errors, math.Abs(off)); math.Abs(off) > 0.05 {
			t.Errorf("%+v: %+.1f %%", row, 100*off)
		}
	}
	slices.Sort(errors)
	if median := errors[len(errors)/2]; median > 0.015 {
		t.Errorf("off by %.1f %% in the median of %d", 100*median, len(errors))
	}
}

// burstRow is a prompt of some rows behind a number of decode steps.
type burstRow struct {
	accelerator, rows string
	decodes           float64
	prompt, decode    units.Seconds
}

func readBurst(t *testing.T) []burstRow {
	t.Helper()
	var all []burstRow
	for _, row := range readMeasuredCSV(t, "testdata/burst.csv") {
		b := burstRow{accelerator: row["accelerator"], rows: row["rows"], decodes: number(t, row["decodes"]),
			prompt: units.Seconds(number(t, row["prompt_ms"]) / 1e3)}
		if b.decodes > 0 {
			b.decode = units.Seconds(number(t, row["decode_ms"]) / 1e3)
		}
		all = append(all, b)
	}
	return all
}
