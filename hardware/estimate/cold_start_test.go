package estimate

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
)

func TestColdStartIsTheSumOfItsParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyDeployment(t)
		q := Question{Prompt: 1, Output: 1, Batch: 1}
		if rapid.Bool().Draw(t, "own storage") {
			q.Load.Bandwidth = 1e9
		}
		c := Of(m.Model, q).ColdStart
		sum := c.StartMS + c.WeightsMS + c.CompileMS + c.GraphsMS + c.FirstRequestMS
		if math.Abs(c.TimeMS-sum) > 1e-9*sum || !(c.WeightsMS > 0) {
			t.Fatalf("%v ms of %+v", sum, c)
		}
		// No accelerator gets its share sooner than the storage or its link can bring it.
		bytes, most := c.WeightsMS/1e3*c.BytesPerSecond, float64(m.deployment.MostWeights())
		if math.Abs(bytes-c.WeightsBytes) > 1e-9*bytes {
			t.Fatalf("%v bytes at that rate, %v in all", bytes, c.WeightsBytes)
		}
		if link := float64(m.deployment.Accelerator.HostLink.Bandwidth); link > 0 && c.WeightsMS/1e3 < most/link*(1-1e-12) {
			t.Fatalf("%v ms for %v bytes over a link of %v", c.WeightsMS, most, link)
		}
		if most*float64(m.deployment.Accelerators()) < c.WeightsBytes*(1-1e-12) {
			t.Fatalf("a model of %v bytes, %v on each of %d accelerators", c.WeightsBytes, most, m.deployment.Accelerators())
		}
	})
}

// ServerlessLLM (Fu et al., OSDI 2024): a load takes the bytes over the slowest
// tier's bandwidth.
func TestLoadTakesTheSlowestTier(t *testing.T) {
	m := build(t, deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1))
	weights := float64(m.memory.Weights)
	at := func(load string) *ColdStart {
		s, err := hardware.ParseStorage(load)
		if err != nil {
			t.Fatal(err)
		}
		return Of(m.Model, Question{Prompt: 1, Output: 1, Batch: 1, Load: s}).ColdStart
	}
	about(t, "a slow disk", at("2GB/s").WeightsMS, weights/2e9*1e3, 1e-12)
	about(t, "disks faster than PCIe", at("500GB/s").WeightsMS, weights/64e9*1e3, 1e-12)
	about(t, "the rate then", at("500GB/s").BytesPerSecond, 64e9, 1e-12)
	if got := at("host-memory"); got.LoadFrom != "host-memory" || got.WeightsMS >= at("nvme").WeightsMS {
		t.Errorf("from the page cache %+v", got)
	}
}

// ServerlessLLM starts OPT-6.7B in 0.8 s, from drives of 12 GB/s and with
// everything but the weights in place.
func TestServerlessLLMStarts(t *testing.T) {
	m := build(t, deployment(t, "a100-sxm-80", "ideal", "opt-6.7b", 1))
	q := Question{Prompt: 1, Output: 1, Batch: 1, Load: hardware.Storage{Bandwidth: 12e9}}
	near(t, "opt-6.7b", Of(m.Model, q).ColdStart.TimeMS/1e3, 0.8, 0.4)
}

// Where accelerators share their way to the host's memory, each has a part of it
// when several wake up.
func TestWakeUp(t *testing.T) {
	wakeUp := func(accelerator, engine string, tp int) float64 {
		m := build(t, deployment(t, accelerator, engine, "llama-3.1-8b", tp))
		return Of(m.Model, Question{Prompt: 1, Output: 1, Batch: 1}).ColdStart.WakeUpMS
	}
	about(t, "alone", wakeUp("a100-sxm-80", "ideal", 1), 16060522496./32e9*1e3, 1e-3)
	about(t, "two on one switch", wakeUp("a100-sxm-80", "ideal", 2), wakeUp("a100-sxm-80", "ideal", 1), 1e-3)
	about(t, "four on two", wakeUp("a100-sxm-80", "ideal", 4), wakeUp("a100-sxm-80", "ideal", 1)/2, 1e-3)
	about(t, "on links of their own", wakeUp("h100-sxm", "ideal", 2), wakeUp("h100-sxm", "ideal", 1)/2, 1e-3)
	if got := wakeUp("apple-m4-max", "vllm-v1", 1); got != 0 {
		t.Errorf("unified memory: a wake-up of %v ms", got)
	}
	if got := wakeUp("h100-sxm", "hf-eager", 1); got != 0 {
		t.Errorf("an engine that cannot sleep: a wake-up of %v ms", got)
	}
}

func TestColdStartSaysWhatItRestsOn(t *testing.T) {
	m := build(t, deployment(t, "h100-sxm", "sglang", "llama-3.1-8b", 1))
	q := Question{Prompt: 1, Output: 1, Batch: 1}
	const storage, engine = "bandwidth of nvme: class default", "cold start of sglang: compile, graphs, first_request, wake_up_fixed, wake_up_efficiency"
	if got := Of(m.Model, q).Estimated; !slices.Contains(got, storage) || !slices.Contains(got, engine) {
		t.Errorf("%q", got)
	}
	q.Load.Bandwidth = 1e9
	if got := Of(m.Model, q).Estimated; slices.Contains(got, storage) || !slices.Contains(got, engine) {
		t.Errorf("with a bandwidth of one's own %q", got)
	}
	for _, reason := range m.Estimated() {
		if reason == storage || reason == engine {
			t.Errorf("simulations do not rest on %q", reason)
		}
	}
}
