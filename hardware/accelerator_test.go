package hardware

import (
	"encoding/csv"
	"errors"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kneepoint/units/badinput"
)

func lookupAccelerator(t *testing.T, name string) Accelerator {
	t.Helper()
	a, err := LookupAccelerator(name)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAcceleratorCatalogIsWhole(t *testing.T) {
	all, err := accelerators()
	if err != nil {
		t.Fatal(err)
	}
	names := Accelerators()
	for _, want := range []string{"t4", "v100-sxm2-32", "a10", "a10g", "a30", "a40", "rtx-a6000", "a100-pcie-40",
		"a100-pcie-80", "a100-sxm-40", "a100-sxm-80", "l4", "l40s", "h100-pcie", "h100-sxm", "h100-nvl", "h20",
		"h200-sxm", "b200-sxm", "gb200", "rtx-4090", "rtx-5090", "rtx-pro-6000", "mi300x"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is missing", want)
		}
	}
	var fields []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Accelerator]()) {
		fields = append(fields, f.Tag.Get("toml"))
	}
	for i, a := range all {
		if i > 0 && all[i-1].Name >= a.Name {
			t.Errorf("%s: out of order or twice", a.Name)
		}
		if a.Memory < 8e9 || a.Bandwidth < 5e10 || a.Peak(FP16) == 0 || a.TDPWatts <= 0 {
			t.Errorf("%s: a figure is missing: %+v", a.Name, a)
		}
		if a.IdleWatts <= 0 || a.Energy.ActiveWatts <= a.IdleWatts || a.Energy.ActiveWatts >= a.TDPWatts {
			t.Errorf("%s: power %v to %v W, %+v", a.Name, a.IdleWatts, a.TDPWatts, a.Energy)
		}
		if a.Source == "" || a.Date == "" || !strings.Contains("A B C", a.Confidence) || a.Confidence == "" {
			t.Errorf("%s: source, date or confidence is missing", a.Name)
		}
		if a.USDPerHour != 0 {
			t.Errorf("%s: a price of no basis", a.Name)
		}
		if a.ScaleUp.World == 1 || (a.ScaleUp.World > 1) != (a.ScaleUp.Bandwidth > 0) {
			t.Errorf("%s: link %+v", a.Name, a.ScaleUp)
		}
		if (a.BatteryWh > 0) != (a.Provenance["battery_wh"] != "") || (a.Throttle != nil) != (a.Provenance["throttle"] != "") {
			t.Errorf("%s: a battery and a limit of the cooling need a source", a.Name)
		}
		if n := a.Network; (n != nil) != (a.Provenance["network"] != "") || n != nil && (n.Name == "" || n.Bandwidth <= 0 || n.Bandwidth >= a.ScaleUp.Bandwidth) {
			t.Errorf("%s: network %+v", a.Name, n)
		}
		if a.HostLink.World > 1 && a.HostLink.Bandwidth == 0 {
			t.Errorf("%s: nothing is shared: %+v", a.Name, a.HostLink)
		}
		if a.KernelsLike != "" {
			lookupAccelerator(t, a.KernelsLike)
		}
		for field := range a.Provenance {
			if !slices.Contains(fields, field) {
				t.Errorf("%s: provenance of %q, which is no field", a.Name, field)
			}
		}
	}
}

func TestAcceleratorsMatchReferenceTable(t *testing.T) {
	file, err := os.Open("../../shared/reference/hardware.csv")
	if err != nil {
		t.Skip("needs ../shared/reference/hardware.csv")
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := len(Accelerators()); got < len(rows)-1 {
		t.Errorf("%d accelerators, the table has %d", got, len(rows)-1)
	}
	for _, row := range rows[1:] {
		a := lookupAccelerator(t, row[0])
		for column, got := range map[string]float64{
			"mem_bytes": float64(a.Memory), "mem_bw_Bps": float64(a.Bandwidth), "tdp_w": a.TDPWatts,
			"fp32_flops": a.FP32TFLOPS * 1e12, "bf16_flops": a.BF16TFLOPS * 1e12, "fp16_flops": a.FP16TFLOPS * 1e12,
			"fp8_flops": a.FP8TFLOPS * 1e12, "int8_ops": a.INT8TFLOPS * 1e12, "fp4_flops": a.FP4TFLOPS * 1e12,
		} {
			want, err := strconv.ParseFloat(row[slices.Index(rows[0], column)], 64)
			if err == nil && math.Abs(got/want-1) > 1e-3 {
				t.Errorf("%s: %s is %v, the table has %v", a.Name, column, got, want)
			}
		}
	}
}

// Vendors print rates with structured sparsity, twice the dense ones.
func TestPeaksAreDense(t *testing.T) {
	for name, want := range map[string]float64{"h100-sxm": 989e12, "a100-sxm-80": 312e12, "l4": 121e12, "mi300x": 1307e12} {
		t.Run(name, func(t *testing.T) {
			a := lookupAccelerator(t, name)
			if got := float64(a.Peak(BF16)); got < 0.99*want || got > 1.01*want {
				t.Errorf("%s: %.4g FLOP/s in bf16, dense is %.4g", name, got, want)
			}
		})
	}
}

func TestComputePrecisions(t *testing.T) {
	v100, h100 := lookupAccelerator(t, "v100-sxm2-32"), lookupAccelerator(t, "h100-sxm")
	if got := v100.ComputePrecisions(); !slices.Equal(got, []Precision{FP32, FP16}) {
		t.Errorf("v100 computes in %v", got)
	}
	if got := h100.ComputePrecisions(); !slices.Equal(got, []Precision{FP32, BF16, FP16, FP8, INT8}) {
		t.Errorf("h100 computes in %v", got)
	}
}

func TestInterconnect(t *testing.T) {
	for _, c := range []struct {
		accelerator string
		n           int
		link        string
	}{
		{"h100-sxm", 8, "NVLink4"},
		{"h100-sxm", 16, "InfiniBand NDR"},
		{"l40s", 9, ""},
		{"l40s", 0, ""},
		{"apple-m4-max", 2, ""},
		{"h100-pcie", 2, "NVLink4 bridge"},
		{"h100-pcie", 4, "PCIe5 x16"},
		{"l40s", 2, "PCIe4 x16"},
		{"gb200", 72, "NVLink5"},
		{"gb200", 73, "InfiniBand NDR"},
	} {
		a := lookupAccelerator(t, c.accelerator)
		link, ok := a.Interconnect(c.n)
		if link.Name != c.link || ok != (c.link != "") {
			t.Errorf("%d x %s: %q, %v; want %q", c.n, c.accelerator, link.Name, ok, c.link)
		}
	}
}

func TestBetween(t *testing.T) {
	for _, c := range []struct {
		accelerator string
		from, to    int
		link        string
	}{
		{"h100-sxm", 0, 7, "NVLink4"},
		{"h100-sxm", 7, 8, "InfiniBand NDR"},
		{"h100-pcie", 2, 3, "NVLink4 bridge"},
		{"h100-pcie", 1, 2, "PCIe5 x16"},
		{"h100-pcie", 7, 8, ""},
		{"l40s", 0, 1, "PCIe4 x16"},
	} {
		a := lookupAccelerator(t, c.accelerator)
		if link, ok := a.Between(c.from, c.to); link.Name != c.link || ok != (c.link != "") {
			t.Errorf("%s at %d and %d: %q, %v; want %q", c.accelerator, c.from, c.to, link.Name, ok, c.link)
		}
	}
}

func TestLookupAcceleratorSaysWhatIsWrong(t *testing.T) {
	for name, want := range map[string]string{
		"b200":    `accelerator = "b200": unknown accelerator; did you mean "b200-sxm"?`,
		"h100":    `accelerator = "h100": several variants have this name; allowed: one of h100-nvl, h100-pcie, h100-sxm`,
		"h10-sxm": `accelerator = "h10-sxm": unknown accelerator; did you mean "h100-sxm"?`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := LookupAccelerator(name)
			var bad *badinput.Error
			if !errors.As(err, &bad) || bad.Error() != want {
				t.Errorf("got %v\nwant %s", err, want)
			}
		})
	}
	if a := lookupAccelerator(t, "H100_SXM"); a.Name != "h100-sxm" {
		t.Errorf("H100_SXM is %s", a.Name)
	}
}

func FuzzLookupAccelerator(f *testing.F) {
	f.Add("h100")
	f.Add("A100_SXM 80")
	f.Add("\n")
	f.Fuzz(func(t *testing.T, name string) {
		a, err := LookupAccelerator(name)
		var bad *badinput.Error
		switch {
		case err == nil && a.Name == "":
			t.Error("found nothing, without an error")
		case err != nil && (!errors.As(err, &bad) || strings.Contains(err.Error(), "\n")):
			t.Errorf("not one line of bad input: %v", err)
		}
	})
}

// TestSoldAs: a machine's name is that of its accelerator.
func TestSoldAs(t *testing.T) {
	for name, want := range map[string]string{"dgx-spark": "gb10", "DGX Spark": "gb10", "strix-halo": "ryzen-ai-max-395"} {
		if a, err := LookupAccelerator(name); err != nil || a.Name != want {
			t.Errorf("%s: %s, %v; want %s", name, a.Name, err, want)
		}
	}
}
