package experiments

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"kneepoint/units/badinput"
)

// TestOffloadRefuses names the key to change where nothing would move, or another key
// contradicts.
func TestOffloadRefuses(t *testing.T) {
	const (
		host = `{ name = "host", size = "100GB", bandwidth = "50GB/s" }`
		disk = `{ name = "disk", size = "1TB", bandwidth = "5GB/s" }`
		max  = `reserve = "max"` + "\n"
		swap = `preemption = "swap"` + "\n"
		anew = `preemption = "recompute"` + "\n"
	)
	kv := func(offload, more string) string {
		return fmt.Sprintf("kv = { offload = %q, tiers = [%s], %s }", offload, host, more)
	}
	const cached, uncached, two = "enable_prefix_caching = true", "enable_prefix_caching = false", "tiers = [" + host + ", " + disk + "]"
	for name, c := range map[string]struct{ strategy, key string }{
		"reserved and preempted":                 {max + anew, "preemption"},
		"reserved, with copies":                  {max + kv("swap", cached), ""},
		"reserved, with no copies":               {max + kv("swap", uncached), "kv.offload"},
		"reserved and layer by layer":            {max + kv("layerwise", cached), "reserve"},
		"reserved, preempted and layer by layer": {max + swap + kv("layerwise", cached), "reserve"},
		"swapped to nowhere":                     {swap, "preemption"},
		"computed again, with copies":            {anew + kv("swap", cached), ""},
		"computed again, with no copies":         {anew + kv("swap", uncached), "kv.offload"},
		"swapped, with no copies":                {kv("swap", uncached), ""},
		"swapped to two tiers":                   {`kv = { offload = "swap", enable_prefix_caching = false, ` + two + " }", "kv.tiers"},
		"layer by layer, computed again":         {anew + kv("layerwise", cached), "preemption"},
		"layer by layer to two tiers":            {`kv = { offload = "layerwise", ` + two + " }", "kv.tiers"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Parse("x.toml", `
title = "offload"
model = { name = "llama-3.1-8b" }
hardware = { accelerator = "h100-sxm" }
workload = { num_requests = 1, arrival = { rate = 1 }, input = { type = "fixed", mean = 10 }, output = { type = "fixed", mean = 10 } }
[[strategy]]
name = "only"
`+c.strategy+"\n")
			if err != nil {
				t.Fatal(err)
			}
			_, err = f.Check()
			var bad *badinput.Error
			switch {
			case c.key == "" && err != nil:
				t.Error(err)
			case c.key != "" && (!errors.As(err, &bad) || bad.Key != `strategy "only".`+c.key):
				t.Errorf("%v, want an error of %s", err, c.key)
			}
		})
	}
}

// TestStrategiesHaveNamesOfTheirOwn: of two with one name the second is refused.
func TestStrategiesHaveNamesOfTheirOwn(t *testing.T) {
	f, err := Parse("x.toml", strings.Replace(small, `name = "b"`, `name = "a"`, 1))
	if err != nil {
		t.Fatal(err)
	}
	var bad *badinput.Error
	if _, err := f.Check(); !errors.As(err, &bad) || bad.Key != "strategy[1].name" {
		t.Errorf("the second is called like the first: %v", err)
	}
}
