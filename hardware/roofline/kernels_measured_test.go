package roofline

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/units"
)

// measuredRow is a row of a table of measured kernels.
type measuredRow struct {
	t      *testing.T
	header []string
	values []string
}

func (r measuredRow) text(column string) string { return r.values[slices.Index(r.header, column)] }

func (r measuredRow) number(column string) float64 {
	v, err := strconv.ParseFloat(r.text(column), 64)
	if err != nil {
		r.t.Fatal(err)
	}
	return v
}

// kernelRows reads a table of ../shared/measured/kernel, gzipped or not. The
// tables have tens of thousands of rows, which -short leaves out.
func kernelRows(t *testing.T, name string) []measuredRow {
	t.Helper()
	if testing.Short() {
		t.Skip("reads large tables of measured kernels")
	}
	file, err := os.Open("../../../shared/measured/kernel/" + name)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("needs ../shared/measured/kernel/" + name)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var text io.Reader = file
	if strings.HasSuffix(name, ".gz") {
		if text, err = gzip.NewReader(file); err != nil {
			t.Fatal(err)
		}
	}
	return tableRows(t, text)
}

func tableRows(t *testing.T, table io.Reader) []measuredRow {
	t.Helper()
	all, err := csv.NewReader(table).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []measuredRow
	for _, values := range all[1:] {
		rows = append(rows, measuredRow{t, all[0], values})
	}
	return rows
}

// deviations are the relative errors of predictions, by what was predicted.
type deviations map[string][]float64

func (d deviations) add(what string, predicted units.Seconds, measuredUS float64) {
	d[what] = append(d[what], float64(predicted)*1e6/measuredUS-1)
}

// check logs n, median, mean and 90th percentile of the absolute errors and the
// median of the signed ones, and fails where the median exceeds the bound.
func (d deviations) check(t *testing.T, bound func(what string) float64) {
	t.Helper()
	names := make([]string, 0, len(d))
	for name := range d {
		names = append(names, name)
	}
	slices.Sort(names)
	t.Logf("%-52s %6s %7s %7s %7s %7s", "", "n", "median", "mean", "p90", "bias")
	for _, name := range names {
		signed := slices.Sorted(slices.Values(d[name]))
		absolute := make([]float64, len(signed))
		var sum float64
		for i, x := range signed {
			absolute[i] = math.Abs(x)
			sum += absolute[i]
		}
		slices.Sort(absolute)
		n := len(absolute)
		median := absolute[n/2]
		t.Logf("%-52s %6d %6.1f%% %6.1f%% %6.1f%% %+6.1f%%", name, n, 100*median, 100*sum/float64(n), 100*absolute[n*9/10], 100*signed[n/2])
		if median > bound(name) {
			t.Errorf("%s: median error %.1f %%, at most %.0f %%", name, 100*median, 100*bound(name))
		}
	}
}

func atMost(bound float64) func(string) float64 { return func(string) float64 { return bound } }

// kernelMachine is an accelerator's peaks, and its constants for an operator.
func kernelMachine(t *testing.T, accelerator, backend string, op hardware.Operator, format string) (*machine, hardware.Efficiency) {
	t.Helper()
	a, err := hardware.LookupAccelerator(accelerator)
	if err != nil {
		t.Fatal(err)
	}
	e, _, err := hardware.LookupEfficiency(op, &a, backend, format)
	if err != nil {
		t.Fatal(err)
	}
	compute := hardware.BF16
	if format == string(hardware.FP8) {
		compute = hardware.FP8
	}
	return &machine{bandwidth: a.Bandwidth, compute: a.Peak(compute), wide: a.Peak(hardware.BF16), wideBytes: 2}, e
}

var kernelAccelerators = map[string]string{"A100-SXM4-80GB": "a100-sxm-80", "A100-80GB": "a100-sxm-80", "A40-48GB": "a40", "H100-80GB": "h100-sxm", "H100-SXM5-80GB": "h100-sxm", "H100": "h100-sxm",
	"H200-SXM-141GB": "h200-sxm", "L40S": "l40s", "RTXPRO6000": "rtx-pro-6000", "RTX4090": "rtx-4090"}

// gemm is a product with the accelerator's own constants, no engine's.
func gemm(t *testing.T, accelerator, format string, inner, outer float64) (product, units.BytesPerSecond) {
	t.Helper()
	m, e := kernelMachine(t, accelerator, "vllm", hardware.GEMM, format)
	bytes := 2.0
	if format == string(hardware.FP8) {
		bytes = 1
	}
	return product{inner: inner, outer: outer, weightBytes: bytes, activationBytes: bytes, peak: m.compute,
		efficiency: e, quantizePerInput: quantizePass(e, m.bandwidth)}, m.bandwidth
}

func TestMeasuredGEMM(t *testing.T) {
	d := deviations{}
	for _, r := range kernelRows(t, "gemm_aic.csv.gz") {
		if r.number("frac_peak_bw") > 1 {
			continue // from the L2 cache
		}
		format := "bf16"
		if r.text("dtype") == "fp8" {
			format = "fp8"
		}
		accelerator := kernelAccelerators[r.text("gpu")]
		p, bandwidth := gemm(t, accelerator, format, r.number("k"), r.number("n"))
		d.add(format+" "+accelerator, p.time(r.number("m"), bandwidth), r.number("time_us"))
	}
	d.check(t, func(what string) float64 {
		if strings.HasPrefix(what, "fp8") {
			return 0.14
		}
		return 0.10
	})
}

func TestMeasuredPrefillAttention(t *testing.T) {
	d := deviations{}
	for _, r := range kernelRows(t, "attention_prefill_aic.csv.gz") {
		accelerator := kernelAccelerators[r.text("gpu")]
		m, a := attentionKernels(t, accelerator, r.number("num_heads"), r.number("num_kv_heads"), r.number("head_dim"))
		batch, length := r.number("batch_size"), r.number("seq_len")
		work := reach{pairs: batch * model.CausalPairs(0, int(length)), tokens: batch * length, keys: batch * length}
		d.add(accelerator, a.prefill.time(work, m), r.number("time_us"))
	}
	d.check(t, atMost(0.15))
}

func TestMeasuredDecodeAttention(t *testing.T) {
	d := deviations{}
	for _, r := range kernelRows(t, "attention_decode_aic.csv.gz") {
		if r.number("frac_peak_bw") > 1 {
			continue
		}
		accelerator := kernelAccelerators[r.text("gpu")]
		_, a := attentionKernels(t, accelerator, r.number("num_heads"), r.number("num_kv_heads"), r.number("head_dim"))
		batch := r.number("batch_size")
		d.add(accelerator, a.decode.time(batch, batch*r.number("kv_len")), r.number("time_us"))
	}
	d.check(t, func(what string) float64 {
		if what == "l40s" {
			return 0.35 // small caches of keys and values come from L2
		}
		return 0.15
	})
}

// attentionKernels are the kernels of one layer with such heads.
func attentionKernels(t *testing.T, accelerator string, heads, kvHeads, headDim float64) (*machine, *Model) {
	t.Helper()
	m, decode := kernelMachine(t, accelerator, "vllm", hardware.AttentionDecode, "bf16")
	_, prefill := kernelMachine(t, accelerator, "vllm", hardware.AttentionPrefill, "bf16")
	layer := &Model{machine: *m, deployment: Deployment{Architecture: model.Architecture{Heads: int(heads)}, KV: hardware.BF16, TP: 1}}
	s := &shard{queryWidth: heads * headDim, valueWidth: heads * headDim, kvElements: 2 * kvHeads * headDim}
	s.kvBytes = units.Bytes(2 * s.kvElements)
	defer func() { layer.mixed = layer.decode.mixed(decode.Repeats(heads / kvHeads)) }()
	layer.decode, layer.prefill = layer.newDecodeAttention(s, decode), layer.newPrefillAttention(s, prefill)
	return m, layer
}

func TestMeasuredAllReduce(t *testing.T) {
	libraries := map[string]string{"NCCL": "nccl", "vLLM_custom_eager": "vllm-eager", "vLLM_custom_graph": "vllm-graph"}
	d := deviations{}
	for _, r := range kernelRows(t, "allreduce.csv.gz") {
		name, known := kernelAccelerators[r.text("gpu")]
		if !known || r.text("gpu") == "H100" {
			continue
		}
		a, err := hardware.LookupAccelerator(name)
		if err != nil {
			t.Fatal(err)
		}
		n := r.number("num_gpus")
		library := libraries[r.text("impl")]
		c, _, err := hardware.LookupCollective(hardware.AllReduce, &a, library, int(n))
		if err != nil {
			t.Fatal(err)
		}
		link, _ := a.Interconnect(int(n))
		d.add(library+" "+name, c.Time(units.Bytes(2*(n-1)/n*r.number("bytes")), link), r.number("time_us"))
	}
	d.check(t, atMost(0.25))
}
