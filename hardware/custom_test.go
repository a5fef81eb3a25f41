package hardware

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"kneepoint/units/badinput"
)

func TestCustomInheritsWhatItLeavesOut(t *testing.T) {
	h100 := lookupAccelerator(t, "h100-sxm")
	a, err := Custom(map[string]any{"like": "h100-sxm", "name": "h100-fat", "memory": "160GiB", "bandwidth": "4TB/s", "tdp_w": 1400.0,
		"link": map[string]any{"bandwidth": "900GB/s"}, "usd_per_hour": int64(4)})
	if err != nil {
		t.Fatal(err)
	}
	if a.Name != "h100-fat" || a.Memory != 160<<30 || a.Bandwidth != 4e12 || a.USDPerHour != 4 {
		t.Errorf("what was given is %+v", a)
	}
	if a.BF16TFLOPS != h100.BF16TFLOPS || a.ScaleUp.World != 8 || a.ScaleUp.Bandwidth != 900e9 || a.IdleWatts != h100.IdleWatts {
		t.Errorf("what was left out is %+v", a)
	}
	e, estimated, err := LookupEfficiency(GEMM, &a, "vllm", "bf16")
	if err != nil || e.Compute != 0.8124 || e.Memory >= 0.8823 || estimated != "kernels of h100-fat: as measured on h100-sxm, products by the bandwidth of a multiprocessor" {
		t.Errorf("kernels %+v, %q, %v", e, estimated, err)
	}
	if again := lookupAccelerator(t, "h100-sxm"); again.Memory != h100.Memory || again.Name != h100.Name {
		t.Error("the catalog changed")
	}
}

func TestCustomDevice(t *testing.T) {
	if a, err := Custom(map[string]any{"like": "apple-m4-max"}); err != nil || a.BatteryWh != 100 {
		t.Errorf("the 16-inch laptop's battery is left out: %v, %v", a.BatteryWh, err)
	}
}

func TestCustomNetwork(t *testing.T) {
	a, err := Custom(map[string]any{"like": "a100-pcie-80", "network": map[string]any{"bandwidth": "3.125GB/s", "server": int64(4)}})
	if err != nil || a.Server() != 4 {
		t.Fatalf("servers of %d, %v", a.Server(), err)
	}
	for n, want := range map[int]string{2: "NVLink3 bridge", 4: "PCIe4 x16", 5: "network"} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if link, ok := a.Interconnect(n); link.Name != want || !ok {
				t.Errorf("%d: %+v, want %s", n, link, want)
			}
		})
	}
	if overlaid, err := Custom(map[string]any{"like": "h100-sxm", "network": map[string]any{"server": int64(4)}}); err != nil || overlaid.Server() != 4 || overlaid.Network.Bandwidth != 50e9 {
		t.Errorf("one field of a network of the catalog: %+v, %v", overlaid.Network, err)
	}
	if inherited, err := Custom(map[string]any{"like": "h100-sxm"}); err != nil || inherited.Network == nil || inherited.Network.Bandwidth != 50e9 {
		t.Errorf("left out: %+v, %v", inherited.Network, err)
	}
}

func TestCustomWithoutABase(t *testing.T) {
	table := map[string]any{"memory": "64GiB", "bandwidth": "1TB/s", "bf16_tflops": int64(100), "tdp_w": int64(300)}
	a, err := Custom(table)
	if err != nil {
		t.Fatal(err)
	}
	if a.Peak(BF16) != 100e12 || a.IdleWatts != 30 || a.Energy != (Energy{150, 40, 2.4, "class default"}) || a.Name != "custom" {
		t.Errorf("%+v", a)
	}
}

func TestCustomSaysWhatIsWrong(t *testing.T) {
	for want, table := range map[string]map[string]any{
		`like = "h10-sxm": unknown accelerator; did you mean "h100-sxm"?`:                                    {"like": "h10-sxm"},
		`like = 3: wrong kind of value; allowed: a name of the catalog`:                                      {"like": 3},
		`bf16_tflop: unknown key; did you mean "bf16_tflops"?`:                                               {"like": "h100-sxm", "bf16_tflop": 3},
		`bandwidth = "0B/s": must be greater than 0`:                                                         {"like": "h100-sxm", "bandwidth": "0B/s"},
		`bf16_tflops = -1: must not be negative`:                                                             {"like": "h100-sxm", "bf16_tflops": -1.0},
		`kernels_like = "h10-sxm": unknown accelerator; did you mean "h100-sxm"?`:                            {"like": "h100-sxm", "kernels_like": "h10-sxm"},
		`idle_w = 800: not below tdp_w; allowed: 0 to tdp_w`:                                                 {"like": "h100-sxm", "idle_w": 800.0},
		`energy.active_w = 20: below idle_w (120); allowed: at least idle_w`:                                 {"like": "h100-sxm", "energy": map[string]any{"active_w": 20.0}},
		`bandwidth: missing; allowed: a value, or like = "…" for an accelerator of the catalog that has one`: {"memory": "1GiB", "tdp_w": 3.0, "bf16_tflops": 1.0},
		`like = "h100": several variants have this name; allowed: one of h100-nvl, h100-pcie, h100-sxm`:      {"like": "h100"},
		`throttle.after: missing`: {"like": "apple-m4-max", "throttle": map[string]any{"sustained": 0.7}},
		`throttle.sustained = 1.5: must be greater than 0 and at most 1`:                                                             {"like": "apple-m4-max", "throttle": map[string]any{"sustained": 1.5, "after": "5min"}},
		`battery_wh = -1: must not be negative`:                                                                                      {"like": "apple-m4-max", "battery_wh": int64(-1)},
		`network.fraction = 1.5: must be greater than 0 and at most 1`:                                                               {"like": "h100-sxm", "network": map[string]any{"bandwidth": "1GB/s", "fraction": 1.5}},
		`network.bandwidth: missing`:                                                                                                 {"like": "apple-m4-max", "network": map[string]any{"server": int64(4)}},
		`network.server = 2: more than the link of a server joins; allowed: 1 to 1`:                                                  {"like": "apple-m4-max", "network": map[string]any{"bandwidth": "1GB/s", "server": int64(2)}},
		`tf32_tflops: has no effect: nothing computes in TF32; fp32_tflops is the rate of 32-bit activations; allowed: leave it out`: {"like": "h100-sxm", "tf32_tflops": 300.0},
		`battery_wh: has no effect: a simulated run has no battery; allowed: leave it out`:                                           {"like": "apple-m4-max", "battery_wh": 72.4},
		`throttle: has no effect: a simulated chip does not get hot; scale its rates and bandwidth to those that its cooling sustains; allowed: leave it out`: {
			"like": "apple-m4-max", "throttle": map[string]any{"sustained": 0.7, "after": "10min"}},
		`burst.full: missing`: {"memory": "1GiB", "bandwidth": "1GB/s", "tdp_w": 3.0, "bf16_tflops": 1.0, "burst": map[string]any{"sustained": 0.9}},
		`burst.recovery = 1.5: must be greater than 0 and at most 1`: {"like": "h100-sxm", "burst": map[string]any{"recovery": 1.5}},
		`link.world = -1: must not be negative`:                      {"like": "h100-sxm", "link": map[string]any{"world": int64(-1)}},
	} {
		t.Run(want, func(t *testing.T) {
			_, err := Custom(table)
			var bad *badinput.Error
			if !errors.As(err, &bad) || bad.Error() != want {
				t.Errorf("got %v\nwant %s", err, want)
			}
		})
	}
}

func FuzzCustom(f *testing.F) {
	f.Add("like = \"h100-sxm\"\nmemory = \"1GiB\"")
	f.Add("like = \"t4\"\n[link]\nworld = 3")
	f.Add("memory = \"1GB\"\nbandwidth = \"1GB/s\"\nbf16_tflops = 1e-9\ntdp_w = 1\n[energy]\nactive_w = 1")
	f.Fuzz(func(t *testing.T, text string) {
		var table map[string]any
		if _, err := toml.Decode(text, &table); err != nil {
			t.Skip()
		}
		a, err := Custom(table)
		var bad *badinput.Error
		switch {
		case err != nil && (!errors.As(err, &bad) || strings.Contains(err.Error(), "\n")):
			t.Errorf("not one line of bad input: %v", err)
		case err == nil && !(a.Memory > 0 && a.Bandwidth > 0 && a.TDPWatts > a.IdleWatts && max(a.Peak(BF16), a.Peak(FP16)) > 0):
			t.Errorf("an impossible accelerator: %+v", a)
		}
	})
}

func TestEngineFileInherits(t *testing.T) {
	e, err := ParseEngine("like = \"sglang\"\nstep_cpu = \"3ms\"\n[launch_floor_by_architecture]\nhopper = \"1ms\"\n", "mine")
	if err != nil {
		t.Fatal(err)
	}
	base, err := LookupEngine("sglang")
	if err != nil {
		t.Fatal(err)
	}
	if e.Name != "mine" || e.StepCPU != 3e-3 || e.Overlap != base.Overlap || e.LaunchFloorByArchitecture["hopper"] != 1e-3 {
		t.Errorf("%+v", e)
	}
	if e.Sources["step_cpu"] != "mine" || e.Sources["overlap"] != base.Sources["overlap"] {
		t.Errorf("sources %v", e.Sources)
	}
	for _, key := range e.Estimated {
		if key == "step_cpu" {
			t.Error("step_cpu was given, and is called estimated")
		}
	}
}

func TestEngineFileSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"step_cpu = \"1ms\"":                             `like: missing, or no name; allowed: one of fastertransformer, hf-eager, ideal, sglang, trtllm, trtllm-1.0, vllm-v0-2023, vllm-v1`,
		"like = \"vlm-v1\"":                              `like = "vlm-v1": unknown engine; allowed: one of fastertransformer, hf-eager, ideal, sglang, trtllm, trtllm-1.0, vllm-v0-2023, vllm-v1; did you mean "vllm-v1"?`,
		"like = \"vllm-v1\"\nstep_cpus = \"1ms\"":        `step_cpus: unknown key; did you mean "step_cpu"?`,
		"like = \"vllm-v1\"\nstep_cpu = \"-1ms\"":        `step_cpu = "-1ms": must not be negative`,
		"like = \"vllm-v1\"\ncompute_efficiency = 0":     `compute_efficiency = 0: must be greater than 0 and at most 1`,
		"like = \"vllm-v1\"\nexpert_imbalance = 0.5":     `expert_imbalance = 0.5: the busiest is below the mean; allowed: 1 or more`,
		"like = \"vllm-v1\"\ndispatch = \"alltoal\"":     `dispatch = "alltoal": unknown value; allowed: one of allgather, alltoall; did you mean "alltoall"?`,
		"like = \"vllm-v1\"\nall_reduce = \"vllm-grap\"": `all_reduce = "vllm-grap": no such library was measured; allowed: one of vllm-eager, vllm-graph, trtllm, nccl, nccl-2023, ideal; did you mean "vllm-graph"?`,
	} {
		t.Run(text, func(t *testing.T) {
			_, err := ParseEngine(text, "mine")
			var bad *badinput.Error
			if !errors.As(err, &bad) || bad.Error() != want {
				t.Errorf("got %v\nwant %s", err, want)
			}
		})
	}
}

func FuzzParseEngine(f *testing.F) {
	f.Add("like = \"vllm-v1\"\nstep_cpu = \"1ms\"")
	f.Add("like = 1")
	f.Add("like = \"vllm-v1\"\n[sources]\nx = 1")
	f.Fuzz(func(t *testing.T, text string) {
		e, err := ParseEngine(text, "mine")
		var bad *badinput.Error
		switch {
		case err != nil && (!errors.As(err, &bad) || strings.Contains(err.Error(), "\n")):
			t.Errorf("not one line of bad input: %v", err)
		case err == nil && !(e.ComputeEfficiency > 0 && e.ComputeEfficiency <= 1 && e.StepCPU >= 0 && e.ExpertImbalance >= 1):
			t.Errorf("an impossible engine: %+v", e)
		}
	})
}
