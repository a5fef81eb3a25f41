package hardware

import (
	"math"
	"strings"
)

// mostUnpacked is the most FLOP/s of an operator's kernels which unpack narrow weights for 16-bit products, measured on
// any accelerator of a vendor; +Inf for other formats, and where none was measured. A class default promises no more: NVIDIA's
// libraries do so with matrix instructions that Blackwell has for older programs alone. With 4-bit experts vLLM's reach
// 161 TFLOP/s on H100, 142 on B200 and 170 on GB200, whose peaks are 2.3 and 2.5 times as high.
func mostUnpacked(rows []efficiencyRow, vendor, format string) float64 {
	most := 0.0
	for _, r := range rows {
		if r.Accelerator == "" || r.Format != format || !strings.HasSuffix(format, "-weight-only") {
			continue
		}
		if a, err := LookupAccelerator(r.Accelerator); err == nil && a.Vendor == vendor {
			most = max(most, r.Compute*float64(a.widePeak()))
		}
	}
	if most == 0 {
		return math.Inf(1)
	}
	return most
}
