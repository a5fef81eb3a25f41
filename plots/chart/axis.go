package chart

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// Format writes a value for people.
type Format func(float64) string

const (
	maxTicks    = 7
	maxLogTicks = 12 // four decades of 1-2-5
)

// FromZero makes an axis linear, from 0 over all values.
func FromZero(a *plot.Axis, values []float64, f Format) {
	_, hi := Extent(values, false)
	if !(hi > 0) {
		hi = 1
	}
	Linear(a, 0, hi*1.05, f)
}

// Linear makes an axis linear between two values.
func Linear(a *plot.Axis, lo, hi float64, f Format) {
	a.Scale, a.Min, a.Max = plot.LinearScale{}, lo, hi
	a.Tick.Marker = Ticks(LinearTicks(lo, hi, maxTicks), f)
}

// Fractions makes an axis from 0 to 100 %.
func Fractions(a *plot.Axis, f Format) {
	a.Scale, a.Min, a.Max = plot.LinearScale{}, 0, 1.04
	a.Tick.Marker = Ticks([]float64{0, 0.2, 0.4, 0.6, 0.8, 1}, f)
}

// Log makes an axis logarithmic over the positive values, with a little room at both
// ends, over at least a factor of six, which has two ticks at least.
func Log(a *plot.Axis, values []float64, f Format) {
	lo, hi := Extent(values, true)
	if !(hi > 0) {
		lo, hi = 1, 10
	}
	lo, hi = lo/1.25, hi*1.25
	if widen := 6 * lo / hi; widen > 1 {
		lo, hi = lo/math.Sqrt(widen), hi*math.Sqrt(widen)
	}
	a.Scale, a.Min, a.Max = plot.LogScale{}, lo, hi
	a.Tick.Marker = Ticks(LogTicks(lo, hi, maxLogTicks), f)
}

// Swept makes an axis of the values at which something was measured: they are the ticks
// where the axis is logarithmic, or they are few.
func Swept(a *plot.Axis, values []float64, log bool, f Format) {
	lo, hi := Extent(values, false)
	if log {
		a.Scale, a.Min, a.Max = plot.LogScale{}, lo, hi
		if nice := LogTicks(lo, hi, maxTicks+1); len(values) > 10 && len(nice) > 2 {
			values = nice
		}
	} else {
		if lo >= 0 && lo <= hi/3 {
			lo = 0 // costs little width
		}
		a.Scale, a.Min, a.Max = plot.LinearScale{}, lo, hi
		if nice := LinearTicks(lo, hi, maxTicks+1); len(values) > 4 && len(nice) > 1 {
			values = nice
		}
	}
	a.Tick.Marker = Ticks(values, f)
}

// Categories makes an axis of names, evenly spaced at 0, 1, 2 and so on.
func Categories(a *plot.Axis, names []string) {
	a.Scale, a.Min, a.Max = plot.LinearScale{}, -0.5, float64(len(names))-0.5
	ticks := make(plot.ConstantTicks, len(names))
	for i, name := range names {
		ticks[i] = plot.Tick{Value: float64(i), Label: name}
	}
	a.Tick.Marker = ticks
}

// Ticks gives values their labels.
func Ticks(values []float64, f Format) plot.ConstantTicks {
	ticks := make(plot.ConstantTicks, len(values))
	for i, v := range values {
		ticks[i] = plot.Tick{Value: v, Label: f(v)}
	}
	return ticks
}

// IsLog tells whether an axis is logarithmic.
func IsLog(a *plot.Axis) bool {
	_, ok := a.Scale.(plot.LogScale)
	return ok
}

// spaced are those of all ticks whose labels do not touch.
type spaced struct {
	plot.ConstantTicks
	all plot.ConstantTicks
}

// space takes away the labels along the x axis that would touch the one before, on a
// panel of a width; long ones are broken into two lines first. The first and the last one
// stay.
func (s *Style) space(a *plot.Axis, width vg.Length) {
	var ticks plot.ConstantTicks
	switch marker := a.Tick.Marker.(type) {
	case plot.ConstantTicks:
		ticks = marker
	case spaced:
		ticks = marker.all
	default:
		return
	}
	kept := make(plot.ConstantTicks, 0, len(ticks))
	room := max(width/vg.Length(len(ticks)+1), s.Em(4))
	half := func(t plot.Tick) vg.Length { return a.Tick.Label.Width(t.Label) / 2 }
	at := func(t plot.Tick) vg.Length { return vg.Length(a.Norm(t.Value)) * width }
	touches := func(t, next plot.Tick) bool { return at(next)-half(next) < at(t)+half(t)+s.Em(0.5) }
	for i, t := range ticks {
		t.Label = lines(t.Label, a.Tick.Label, room)
		if i == len(ticks)-1 {
			for len(kept) > 1 && touches(kept[len(kept)-1], t) {
				kept = kept[:len(kept)-1]
			}
		}
		if len(kept) == 0 || !touches(kept[len(kept)-1], t) {
			kept = append(kept, t)
		}
	}
	a.Tick.Marker = spaced{kept, ticks}
}

// lines breaks a label into at most two lines.
func lines(label string, sty text.Style, width vg.Length) string {
	if wrapped := wrap(label, sty, width, 2); len(wrapped) > 1 {
		return wrapped[0] + "\n" + wrapped[1]
	} else {
		return wrapped[0]
	}
}

// Extent returns the least and the greatest value, or positive value, of those that are
// numbers.
func Extent(values []float64, positive bool) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) && (v > 0 || !positive) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi
}
