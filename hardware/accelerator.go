package hardware

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"kneepoint/internal/catalog"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// Accelerator is one chip as its vendor describes it. Peaks are dense rates in
// TFLOP/s (integer formats: TOP/s); zero means that the chip does not compute
// in that precision.
type Accelerator struct {
	Name         string               `toml:"name"`
	Title        string               `toml:"title"`
	Vendor       string               `toml:"vendor"`
	Architecture string               `toml:"architecture"`
	Memory       units.Bytes          `toml:"memory" check:"positive"`
	Bandwidth    units.BytesPerSecond `toml:"bandwidth" check:"positive"`

	FP32TFLOPS float64 `toml:"fp32_tflops" check:"nonnegative"`
	TF32TFLOPS float64 `toml:"tf32_tflops" check:"nonnegative"`
	BF16TFLOPS float64 `toml:"bf16_tflops" check:"nonnegative"`
	FP16TFLOPS float64 `toml:"fp16_tflops" check:"nonnegative"`
	FP8TFLOPS  float64 `toml:"fp8_tflops" check:"nonnegative"`
	INT8TFLOPS float64 `toml:"int8_tflops" check:"nonnegative"`
	FP4TFLOPS  float64 `toml:"fp4_tflops" check:"nonnegative"`
	INT4TFLOPS float64 `toml:"int4_tflops" check:"nonnegative"`

	// BulkCopySMs are the multiprocessors of an accelerator whose products copy in bulk (see exposure); 0: it does not.
	BulkCopySMs int `toml:"bulk_copy_sms" check:"nonnegative"`

	ScaleUp  Link     `toml:"link"`      // World 0: none
	HostLink Link     `toml:"host_link"` // to the host's memory
	Network  *Network `toml:"network"`   // between servers; nil: none is typical

	// KernelsLike names the accelerator whose measured kernel constants stand in
	// for this one's; empty when there are measurements of its own, or of
	// nothing like it.
	KernelsLike string `toml:"kernels_like"`

	HeldOut string `toml:"-"` // the accelerator without whose measurements class defaults are made; empty: with all

	TDPWatts  float64 `toml:"tdp_w" check:"positive"`
	IdleWatts float64 `toml:"idle_w" check:"nonnegative"`
	Energy    Energy  `toml:"energy"`

	PowerCapWatts float64 `toml:"-"` // see CapPower; 0: none below the TDP

	Burst Burst `toml:"burst"` // zero: none was measured

	BatteryWh float64   `toml:"battery_wh" check:"nonnegative"` // of the device that the chip is sold in; 0: none
	Throttle  *Throttle `toml:"throttle"`                       // nil: none known

	USDPerHour float64 `toml:"usd_per_hour" check:"nonnegative"` // of a custom one, or on a PriceBasis; 0: no price known

	Confidence string `toml:"confidence"` // A: data sheet or measured; B: secondary source; C: derived
	Note       string `toml:"note"`
	Source     string `toml:"source"`
	// Provenance says of single fields, by their keys, where they come from or how
	// sure they are, where that differs from Source and Confidence.
	Provenance map[string]string `toml:"provenance"`
	Date       string            `toml:"date"`
}

// Energy says how an accelerator's power follows what a step does, see Power.
type Energy struct {
	ActiveWatts       float64 `toml:"active_w" check:"nonnegative"`    // in any step
	PicojoulesPerByte float64 `toml:"pj_per_byte" check:"nonnegative"` // of memory
	PicojoulesPerFLOP float64 `toml:"pj_per_flop" check:"nonnegative"` // in a 16-bit type
	Estimated         string  `toml:"estimated"`                       // what it rests on besides measurements of this accelerator
}

// Throttle says what a device's cooling lets its chip sustain: the fraction Sustained of its rate, After so long at full
// load, and what it may be instead, from Least to Most, by the device and the air around it; 0: no less or no more.
type Throttle struct {
	Sustained float64       `toml:"sustained" check:"share" required:"true"`
	After     units.Seconds `toml:"after" check:"positive" required:"true"`
	Least     float64       `toml:"least" check:"share"`
	Most      float64       `toml:"most" check:"share"`
}

// Range is the least and the most of its rate that a chip sustains.
func (t *Throttle) Range() (least, most float64) {
	return min(t.Sustained, cmp.Or(t.Least, t.Sustained)), max(t.Sustained, t.Most)
}

// Peak is the dense peak rate in a compute precision, FLOP/s; 0 when the
// accelerator does not compute in it. Sparse rates, twice as high on data
// sheets, are never used.
func (a *Accelerator) Peak(p Precision) units.FLOPsPerSecond {
	tera := map[Precision]float64{FP32: a.FP32TFLOPS, BF16: a.BF16TFLOPS, FP16: a.FP16TFLOPS,
		FP8: a.FP8TFLOPS, INT8: a.INT8TFLOPS, INT4: a.INT4TFLOPS, FP4: a.FP4TFLOPS}[p]
	return units.FLOPsPerSecond(tera * 1e12)
}

// HalfPrecision is the 16-bit type in which models are run on the accelerator. Those
// before Ampere have no bf16, in which most models are published.
func (a *Accelerator) HalfPrecision() Precision {
	if a.Peak(BF16) == 0 && a.Peak(FP16) > 0 {
		return FP16
	}
	return BF16
}

// ComputePrecisions lists the precisions in which the accelerator computes.
func (a *Accelerator) ComputePrecisions() []Precision {
	return slices.DeleteFunc(Precisions(), func(p Precision) bool { return a.Peak(p) == 0 })
}

// classPower is what is assumed of an accelerator's power without a
// measurement of its own.
type classPower struct {
	IdleFraction      float64 `toml:"idle_fraction_of_tdp"`
	ActiveFraction    float64 `toml:"active_fraction_of_tdp"`
	PicojoulesPerByte float64 `toml:"pj_per_byte"`
	ComputeFraction   float64 `toml:"compute_fraction_of_tdp"` // at the peak of the 16-bit type, beside the active power
	Source            string  `toml:"source"`
}

var powerOfClass = sync.OnceValues(func() (power classPower, err error) {
	err = catalog.Decode(catalogFiles, "catalog/power.toml", &power)
	return power, err
})

// acceleratorFile is a file of the catalog.
type acceleratorFile struct {
	Accelerator []Accelerator `toml:"accelerator"`
}

var acceleratorFiles = catalog.NewFolder(catalogFiles, "catalog/accelerators/*.toml", func(f *acceleratorFile) error {
	for i := range f.Accelerator {
		if err := f.Accelerator[i].completePower(); err != nil {
			return err
		}
	}
	return nil
})

// accelerators are those of the catalog, in alphabetical order.
func accelerators() ([]Accelerator, error) {
	files, err := acceleratorFiles.All()
	var all []Accelerator
	for _, f := range files {
		all = append(all, f.Accelerator...)
	}
	slices.SortFunc(all, func(a, b Accelerator) int { return strings.Compare(a.Name, b.Name) })
	return all, err
}

// completePower takes the class's power where the accelerator has none of its
// own.
func (a *Accelerator) completePower() error {
	if a.Energy != (Energy{}) {
		return nil
	}
	power, err := powerOfClass()
	if err != nil {
		return err
	}
	a.Energy = Energy{
		ActiveWatts:       power.ActiveFraction * a.TDPWatts,
		PicojoulesPerByte: power.PicojoulesPerByte,
		Estimated:         "class default",
	}
	if peak := a.widePeak(); peak > 0 {
		a.Energy.PicojoulesPerFLOP = power.ComputeFraction * a.TDPWatts / float64(peak) * 1e12
	}
	if a.IdleWatts == 0 {
		a.IdleWatts = power.IdleFraction * a.TDPWatts
	}
	return nil
}

// Accelerators lists the names of the catalog's accelerators in alphabetical
// order.
func Accelerators() []string {
	return catalog.Names(accelerators, func(x *Accelerator) string { return x.Name })
}

// soldAs are accelerators by the names under which machines with one of them are sold.
var soldAs = map[string]string{"dgx-spark": "gb10", "strix-halo": "ryzen-ai-max-395"}

// LookupAccelerator returns the catalog's accelerator of that name, without
// regard to case; spaces and underscores count as hyphens. A name that several
// variants share ("h100") is an error that lists them.
func LookupAccelerator(name string) (Accelerator, error) {
	wanted := strings.NewReplacer(" ", "-", "_", "-").Replace(strings.ToLower(strings.TrimSpace(name)))
	wanted = cmp.Or(soldAs[wanted], wanted)
	files, err := acceleratorFiles.With(fmt.Sprintf("name = %q", wanted))
	for _, f := range files {
		for _, a := range f.Accelerator {
			if a.Name == wanted {
				return a, nil
			}
		}
	}
	if err != nil {
		return Accelerator{}, err
	}
	return Accelerator{}, noAccelerator(name, wanted)
}

// noAccelerator says of a name that no accelerator has which ones there are.
func noAccelerator(name, wanted string) error {
	var variants []string
	for _, known := range Accelerators() {
		if strings.HasPrefix(known, wanted+"-") {
			variants = append(variants, known)
		}
	}
	if why := whyUnsupported(wanted); why != "" {
		return &badinput.Error{Key: "accelerator", Value: name, Problem: why,
			Allowed: "an accelerator that `kneepoint list accelerators` shows"}
	}
	if len(variants) > 1 {
		return &badinput.Error{Key: "accelerator", Value: name,
			Problem: "several variants have this name", Allowed: "one of " + strings.Join(variants, ", ")}
	}
	nearest := badinput.Nearest(wanted, Accelerators())
	if len(variants) == 1 {
		nearest = variants[0]
	}
	e := &badinput.Error{Key: "accelerator", Value: name, Problem: "unknown accelerator", Nearest: nearest}
	if nearest == "" {
		e.Allowed = fmt.Sprintf("one of %s", strings.Join(Accelerators(), ", "))
	}
	return e
}
