package hardware

import (
	"fmt"
	"maps"
	"reflect"

	"kneepoint/internal/strict"
	"kneepoint/units/badinput"
)

// customName is what a custom accelerator is called that does not say.
const customName = "custom"

// Custom returns the accelerator that a [hardware.custom] table describes: the
// fields of Accelerator by their keys, and
//
//	like = "h100-sxm"
//
// for an accelerator of the catalog that supplies every field which the table
// leaves out, and whose kernels stand in for its own. Without like, memory,
// bandwidth, tdp_w and a 16-bit rate are required. Errors are *badinput.Error
// with keys relative to the table.
//
// Of fields that a simulated run does not read, any that differs from the base's is refused.
func Custom(table map[string]any) (Accelerator, error) {
	a, base, err := described(table)
	if err != nil {
		return Accelerator{}, err
	}
	return a, a.checkSimulated(&base)
}

// described is the accelerator of a table, and the one that it starts from.
func described(table map[string]any) (a, base Accelerator, err error) {
	table = maps.Clone(table)
	if base, err = customBase(table); err != nil {
		return Accelerator{}, base, err
	}
	delete(table, "like")
	table["network"] = overNetwork(base.Network, table["network"])
	if table["network"] == nil {
		delete(table, "network")
	}
	a = base
	a.Provenance = maps.Clone(base.Provenance)
	if err := strict.Decode(table, &a); err != nil {
		return Accelerator{}, base, err
	}
	if a.Network != nil && a.Network.Name == "" {
		a.Network.Name = "network"
	}
	if err := a.completePower(); err != nil {
		return Accelerator{}, base, err
	}
	if err := a.checkUnread(&base); err != nil {
		return Accelerator{}, base, err
	}
	if err := a.checkCustom(); err != nil {
		return Accelerator{}, base, err
	}
	return a, base, a.capLike(&base)
}

// capLike makes a TDP below that of the base a cap on its power: the chip is the same.
func (a *Accelerator) capLike(base *Accelerator) error {
	if watts := a.TDPWatts; watts < base.TDPWatts {
		a.TDPWatts = base.TDPWatts
		return badinput.At("tdp_w", a.CapPower(watts))
	}
	return nil
}

// overNetwork is the table of a network with the fields of the base's where it says
// nothing; nil without one.
func overNetwork(base *Network, table any) any {
	given, ok := table.(map[string]any)
	if !ok || base == nil {
		return table
	}
	whole := strict.Encode(base)
	maps.Copy(whole, given)
	return whole
}

// unread is a field in which an accelerator may differ from its base, and why nothing reads it.
type unread struct {
	key     string
	differs bool
	why     string
}

// refuse is an error about the first field that differs.
func refuse(fields []unread) error {
	for _, field := range fields {
		if field.differs {
			return &badinput.Error{Key: field.key, Problem: "has no effect: " + field.why, Allowed: "leave it out"}
		}
	}
	return nil
}

// checkUnread refuses fields in which an accelerator differs from its base, and that nothing reads.
func (a *Accelerator) checkUnread(base *Accelerator) error {
	return refuse([]unread{
		{"tf32_tflops", a.TF32TFLOPS != base.TF32TFLOPS, "nothing computes in TF32; fp32_tflops is the rate of 32-bit activations"},
		{"int4_tflops", a.INT4TFLOPS != base.INT4TFLOPS, "nothing computes in 4-bit integers: such weights are widened first"},
	})
}

// checkSimulated refuses fields in which an accelerator differs from its base, and by which
// no simulated run would differ.
func (a *Accelerator) checkSimulated(base *Accelerator) error {
	return refuse([]unread{
		{"battery_wh", a.BatteryWh != base.BatteryWh, "a simulated run has no battery"},
		{"throttle", !reflect.DeepEqual(a.Throttle, base.Throttle), "a simulated chip does not get hot; scale its rates and bandwidth to those that its cooling sustains"},
	})
}

// customBase is the accelerator that a custom one starts from.
func customBase(table map[string]any) (Accelerator, error) {
	like, given := table["like"]
	if !given {
		return Accelerator{Name: customName}, nil
	}
	name, ok := like.(string)
	if !ok {
		return Accelerator{}, &badinput.Error{Key: "like", Value: like, Problem: "wrong kind of value", Allowed: "a name of the catalog"}
	}
	base, err := LookupAccelerator(name)
	if err != nil {
		return Accelerator{}, badinput.At("like", err)
	}
	if base.KernelsLike == "" {
		base.KernelsLike = base.Name
	}
	if base.Energy.Estimated == "" {
		base.Energy.Estimated = "as " + base.Name
	}
	base.Name, base.Title, base.Source = customName, "like "+base.Title, "[hardware.custom], and of "+base.Name+": "+base.Source
	return base, nil
}

func (a *Accelerator) checkCustom() error {
	for _, required := range []struct {
		key   string
		value float64
	}{{"memory", float64(a.Memory)}, {"bandwidth", float64(a.Bandwidth)}, {"tdp_w", a.TDPWatts}, {"bf16_tflops", max(a.BF16TFLOPS, a.FP16TFLOPS)}} {
		if required.value == 0 {
			return &badinput.Error{
				Key:     required.key,
				Problem: "missing",
				Allowed: `a value, or like = "…" for an accelerator of the catalog that has one`,
			}
		}
	}
	if a.ScaleUp.World > 1 && a.ScaleUp.Bandwidth == 0 {
		return &badinput.Error{Key: "link.bandwidth", Problem: "missing"}
	}
	if n := a.Network; n != nil && n.Server > a.joined() && a.HostLink.Bandwidth == 0 {
		return &badinput.Error{
			Key:     "network.server",
			Value:   n.Server,
			Problem: "more than the link of a server joins",
			Allowed: fmt.Sprintf("1 to %d", a.joined()),
		}
	}
	if a.IdleWatts >= a.TDPWatts {
		return &badinput.Error{Key: "idle_w", Value: a.IdleWatts, Problem: "not below tdp_w", Allowed: "0 to tdp_w"}
	}
	if a.Energy.ActiveWatts < a.IdleWatts {
		return &badinput.Error{Key: "energy.active_w", Value: a.Energy.ActiveWatts,
			Problem: fmt.Sprintf("below idle_w (%v)", a.IdleWatts), Allowed: "at least idle_w"}
	}
	if err := a.Burst.check(); err != nil {
		return err
	}
	if a.KernelsLike != "" {
		if _, err := LookupAccelerator(a.KernelsLike); err != nil {
			return badinput.At("kernels_like", err)
		}
	}
	return nil
}
