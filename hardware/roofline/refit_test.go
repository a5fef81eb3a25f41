package roofline

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/optimize"

	"kneepoint/hardware"
	"kneepoint/units"
)

// kernelPoint is a measured product, with its ideal times on both sides.
type kernelPoint struct {
	compute, memory, quantized, measured float64 // microseconds; quantized: one byte per activation over the bandwidth
}

// fp8Points are the measured fp8 products of an accelerator.
func fp8Points(t *testing.T, gpu string) []kernelPoint {
	t.Helper()
	a, err := hardware.LookupAccelerator(kernelAccelerators[gpu])
	if err != nil {
		t.Fatal(err)
	}
	var points []kernelPoint
	for _, r := range kernelRows(t, "gemm_aic.csv.gz") {
		if r.text("gpu") != gpu || r.text("dtype") != "fp8" || r.number("frac_peak_bw") > 1 {
			continue
		}
		m, n, k := r.number("m"), r.number("n"), r.number("k")
		points = append(points, kernelPoint{
			compute:   1e6 * 2 * m * n * k / float64(a.Peak(hardware.FP8)),
			memory:    1e6 * (m*k + n*k + 2*m*n) / float64(a.Bandwidth),
			quantized: 1e6 * m * k / float64(a.Bandwidth),
			measured:  r.number("time_us"),
		})
	}
	return points
}

// constants turns unbounded parameters into physical ones.
func constants(x []float64) hardware.Efficiency {
	share := func(v float64) float64 { return 1 / (1 + math.Exp(-v)) }
	return hardware.Efficiency{Latency: units.Microseconds(math.Exp(x[0])), Compute: share(x[1]), Memory: share(x[2]),
		Norm: 1 + math.Exp(x[3]), Quantize: math.Exp(x[4])}
}

// meanLogError is the mean of |log(predicted/measured)|.
func meanLogError(e hardware.Efficiency, points []kernelPoint) float64 {
	var sum float64
	for _, p := range points {
		predicted := float64(e.Latency)*1e6 + float64(e.Overlap(units.Seconds(p.compute), units.Seconds(p.memory))) + 3*e.Quantize*p.quantized
		sum += math.Abs(math.Log(predicted / p.measured))
	}
	return sum / float64(len(points))
}

// fit finds the constants with the least mean error.
func fit(t *testing.T, points []kernelPoint) hardware.Efficiency {
	t.Helper()
	result, err := optimize.Minimize(optimize.Problem{Func: func(x []float64) float64 { return meanLogError(constants(x), points) }},
		[]float64{math.Log(7), 1, 2, -1, 0}, &optimize.Settings{FuncEvaluations: 3000}, &optimize.NelderMead{})
	if err != nil {
		t.Fatal(err)
	}
	return constants(result.X)
}

// The constants that are built in are the best ones, and those of one Hopper
// accelerator serve the other, which they were not fitted to.
func TestFP8ProductsFitted(t *testing.T) {
	gpus := []string{"H100-SXM5-80GB", "H200-SXM-141GB", "L40S"}
	best := map[string]hardware.Efficiency{}
	for _, gpu := range gpus {
		points := fp8Points(t, gpu)
		best[gpu] = fit(t, points)
		_, builtIn := kernelMachine(t, kernelAccelerators[gpu], "vllm", hardware.GEMM, "fp8")
		e := best[gpu]
		t.Logf("%s: t0_us = %.2f, ec = %.4f, em = %.4f, q = %.3f, quant_c = %.3f: %.1f %%, built in %.1f %%", gpu, float64(e.Latency)*1e6,
			e.Compute, e.Memory, e.Norm, e.Quantize, 100*meanLogError(e, points), 100*meanLogError(builtIn, points))
		if meanLogError(builtIn, points) > 1.02*meanLogError(e, points) {
			t.Errorf("%s: there are better constants", gpu)
		}
	}
	for _, pair := range [][2]string{{gpus[0], gpus[1]}, {gpus[1], gpus[0]}} {
		got := meanLogError(best[pair[0]], fp8Points(t, pair[1]))
		t.Logf("fitted to %s, on %s: %.1f %%", pair[0], pair[1], 100*got)
		if got > 0.14 {
			t.Errorf("fitted to %s, on %s: %.1f %%", pair[0], pair[1], 100*got)
		}
	}
}
