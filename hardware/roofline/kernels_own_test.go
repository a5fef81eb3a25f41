package roofline

import (
	"encoding/csv"
	"os"
	"strconv"
	"testing"
)

// TestOwnProducts: products of the layers of 8B and 70B models, measured on 22 November 2026 on one
// H100 80GB HBM3 (PyTorch 2.11, cuBLAS of CUDA 13; the median of replays of a CUDA graph over copies
// of the weights that no cache holds), to which no constant was fitted. Those in fp8 are without
// the pass that quantizes the activations.
func TestOwnProducts(t *testing.T) {
	file, err := os.Open("testdata/h100-sxm-products.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	d := deviations{}
	for _, row := range rows[1:] {
		var x [4]float64 // inner, outer, rows, microseconds
		for i := range x {
			if x[i], err = strconv.ParseFloat(row[3+i], 64); err != nil {
				t.Fatal(err)
			}
		}
		p, bandwidth := gemm(t, "h100-sxm", row[2], x[0], x[1])
		flops, bytes := p.work(x[2])
		d.add(row[2]+", "+regime(x[2]), p.efficiency.Time(flops, bytes, p.peak, bandwidth), x[3])
	}
	d.check(t, atMost(0.2))
}

// regime is what products of so many rows are bound by on an H100, about.
func regime(rows float64) string {
	switch {
	case rows <= 128:
		return "up to 128 rows"
	case rows <= 1024:
		return "256 to 1024 rows"
	}
	return "2048 to 8192 rows"
}
