package experiments

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/units/badinput"
)

// shop is a plan of two accelerators: one b200-sxm is enough, or two h100-sxm.
const shop = `
title = "shop"
[plan]
max_requests = 10_000
%LIMITS%
[prices.usd_per_hour]
h100-sxm = 10
b200-sxm = 14
[model]
name = "llama-3.1-8b"
[workload]
arrival = { process = "poisson", rate = 60 }
input = { type = "fixed", mean = 500 }
output = { type = "fixed", mean = 100 }
[slo]
ttft_ms = 500
tpot_ms = 30
attainment = 0.95
[[strategy]]
name = "s"
[[candidate]]
hardware.accelerator = ["h100-sxm", "b200-sxm"]
`

func shopping(t *testing.T, limits string) *results.Answer {
	t.Helper()
	return planned(t, strings.Replace(shop, "%LIMITS%", limits, 1), PlanOptions{})
}

// Beyond the limits is the fleet that the plan has without them, and only those are named that it breaks.
func TestBeyondLimits(t *testing.T) {
	for limits, want := range map[string][]string{
		"max_usd_per_hour = 12\nmax_kw = 0.5":                {"max_usd_per_hour", "max_kw"},
		"available = { \"b200-sxm\" = 0, \"h100-sxm\" = 1 }": {`available."b200-sxm"`},
		"spare = 1\nmax_accelerators = 1":                    {"max_accelerators"},
	} {
		a := shopping(t, limits)
		if a.Options == nil {
			t.Error("the options are null in plan.json, want an empty list")
		}
		w := a.Unlimited
		if kw := float64(strings.Count(limits, "max_kw")); w != nil && w.KW != kw {
			t.Errorf("%s: %v kW, want %v of one b200-sxm where that is limited", limits, w.KW, kw)
		}
		if len(a.Options) > 0 || w == nil || w.Best != "b200-sxm" || w.Units != 1 || *w.USD != 14*float64(1+a.Demand.Spare) || !slices.Equal(w.Beyond, want) {
			t.Errorf("%s: %d options, %+v; want one b200-sxm beyond %v", limits, len(a.Options), w, want)
		}
	}
}

// What-if asks within the limits: of prices what is let in by a lower one and shut out by a higher one, of twice the demand what is beyond.
func TestWhatIfWithinLimits(t *testing.T) {
	var got []string
	for _, w := range shopping(t, "max_usd_per_hour = 16\nwhat_if = true").WhatIf {
		got = append(got, strings.Join(append([]string{w.What, w.Best}, w.Beyond...), "; "))
	}
	want := []string{"b200-sxm 30% cheaper; b200-sxm", "b200-sxm 30% dearer; ; max_usd_per_hour", "h100-sxm 30% cheaper; b200-sxm",
		"twice the demand; b200-sxm; max_usd_per_hour", "a node lost (accelerators: 8); b200-sxm"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What has no price cannot be within a budget, whatever is to be least.
func TestBudgetAsksForPrices(t *testing.T) {
	text := strings.Replace(shop, "%LIMITS%", "objective = \"accelerators\"\nmax_usd_per_hour = 100", 1)
	f, err := Parse("plan.toml", strings.Replace(text, `"b200-sxm"]`, `"b200-sxm", "apple-m4-max"]`, 1))
	if err != nil {
		t.Fatal(err)
	}
	p, err := f.Planning()
	if err != nil {
		t.Fatal(err)
	}
	if len(p.candidates) != 2 || len(p.unfit) != 1 || p.unfit[0].Out != results.OutPriceless || p.unfit[0].Detail != "apple-m4-max" {
		t.Errorf("%d candidates, %+v, want apple-m4-max without a price", len(p.candidates), p.unfit)
	}
}

// Limits that cannot hold anything are refused.
func TestLimitsOfNothing(t *testing.T) {
	for limits, key := range map[string]string{"max_kw = 1": "plan.max_kw", "max_usd_per_hour = 5": "plan.max_usd_per_hour"} {
		f, err := Parse("plan.toml", strings.Replace(serving(`[workload]
arrival = { process = "poisson", rate = 1 }
input = { type = "fixed", mean = 1 }
output = { type = "fixed", mean = 10 }`), `objective = "accelerators"`, `objective = "accelerators"`+"\n"+limits, 1))
		if err == nil {
			_, err = f.Planning()
		}
		var bad *badinput.Error
		if !errors.As(err, &bad) || bad.Key != key {
			t.Errorf("%s: %v, want %s to be wrong", limits, err, key)
		}
	}
}

// Prices that are none are wrong input, and no reason why a candidate could not be built.
func TestWrongPricesAreNamed(t *testing.T) {
	for prices, key := range map[string]string{"basis = \"oci\"": "prices.basis", "file = \"nowhere.toml\"": "prices.file", "years = 3": "prices.years"} {
		f, err := Parse("plan.toml", strings.NewReplacer("%LIMITS%", "", "[prices.usd_per_hour]", "[prices]\n"+prices+"\n[prices.usd_per_hour]").Replace(shop))
		if err == nil {
			_, err = f.Planning()
		}
		var bad *badinput.Error
		if !errors.As(err, &bad) || bad.Key != key {
			t.Errorf("%s: %v, want %s to be wrong", prices, err, key)
		}
	}
}
