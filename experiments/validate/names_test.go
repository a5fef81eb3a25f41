package validate

import (
	"testing"

	"kneepoint/hardware"
)

func TestAcceleratorsByOtherNames(t *testing.T) {
	for written, want := range map[string]string{
		"H100-SXM5-80GB": "h100-sxm", "h100_sxm": "h100-sxm", "H100": "h100-sxm", "NVIDIA H100 PCIe 80GB": "h100-pcie", "H100-NVL-94GB": "h100-nvl",
		"A100-SXM4-80GB": "a100-sxm-80", "A100-SXM4-40GB": "a100-sxm-40", "A100-80GB": "a100-sxm-80", "A100": "a100-sxm-80", "NVIDIA A100-PCIE-40GB": "a100-pcie-40",
		"H200-SXM-141GB": "h200-sxm", "H200": "h200-sxm", "b200_sxm": "b200-sxm", "gb200": "gb200", "GH200-96GB": "gh200-96",
		"L40S-48GB": "l40s", "L4-24GB": "l4", "A10-24GB": "a10", "RTX-PRO-6000-Blackwell-96GB": "rtx-pro-6000", "RTX A6000": "rtx-a6000", "MI300X-192GB": "mi300x",
		"V100-SXM2-32GB": "v100-sxm2-32",
		"abacus":         "", "": "", "80GB": "",
	} {
		got := ""
		if a, known := accelerator(written); known {
			got = a.Name
		}
		if got != want {
			t.Errorf("%q is %q, want %q", written, got, want)
		}
	}
}

// TestEveryAcceleratorIsKnownByItsName reads each name of the catalog as itself.
func TestEveryAcceleratorIsKnownByItsName(t *testing.T) {
	for _, name := range hardware.Accelerators() {
		if a, known := accelerator(name); !known || a.Name != name {
			t.Errorf("%s is not itself", name)
		}
	}
}

func TestActivations(t *testing.T) {
	for _, c := range []struct{ accelerator, weights, want string }{
		{"h100-sxm", "fp4", "bf16"}, {"b200-sxm", "fp4", "fp4"}, {"h100-sxm", "fp8", "fp8"}, {"a100-sxm-80", "fp8", "bf16"},
		{"a100-sxm-80", "int4", "bf16"}, {"a100-sxm-80", "int8", "int8"}, {"a100-sxm-80", "bf16", "bf16"},
	} {
		a, err := hardware.LookupAccelerator(c.accelerator)
		if err != nil {
			t.Fatal(err)
		}
		if got := activations(&a, c.weights); got != c.want {
			t.Errorf("%s with %s computes in %s, want %s", c.accelerator, c.weights, got, c.want)
		}
	}
}
