package chart

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// logScale is plot.LogScale with no place, instead of a panic, for what has no logarithm.
type logScale struct{ plot.LogScale }

// Normalize returns where x is between lo and hi.
func (l logScale) Normalize(lo, hi, x float64) float64 {
	if !(lo > 0 && hi > 0 && x > 0) {
		return math.NaN()
	}
	return l.LogScale.Normalize(lo, hi, x)
}

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

// Whole is Linear without ticks between whole numbers, for what is counted.
func Whole(a *plot.Axis, lo, hi float64, f Format) {
	Linear(a, lo, hi, f)
	ticks := slices.DeleteFunc(LinearTicks(lo, hi, maxTicks), func(v float64) bool { return v != math.Trunc(v) })
	a.Tick.Marker = Ticks(ticks, f)
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
	a.Scale, a.Min, a.Max = logScale{}, lo, hi
	a.Tick.Marker = Ticks(LogTicks(lo, hi, maxLogTicks), f)
}

// Swept makes an axis of the values at which something was measured: they are the ticks
// where the axis is logarithmic, or they are few.
func Swept(a *plot.Axis, values []float64, log bool, f Format) {
	lo, hi := Extent(values, false)
	if log {
		a.Scale, a.Min, a.Max = logScale{}, lo, hi
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
	_, ok := a.Scale.(logScale)
	return ok
}

// spaced are those of all ticks whose labels do not touch.
type spaced struct {
	plot.ConstantTicks
	all plot.ConstantTicks
}

// allTicks are the ticks that an axis was made with.
func allTicks(a *plot.Axis) plot.ConstantTicks {
	switch marker := a.Tick.Marker.(type) {
	case plot.ConstantTicks:
		return marker
	case spaced:
		return marker.all
	}
	return nil
}

// space takes away the labels along the x axis that would touch the one before, on a
// panel of a width; long ones are broken into two lines first. Of a scale every second tick
// stays, or every third, as up the y axis.
func (s *Style) space(a *plot.Axis, width vg.Length) {
	all := allTicks(a)
	ticks := slices.Clone(all)
	room := max(width/vg.Length(len(ticks)+1), s.Em(4))
	for i := range ticks {
		ticks[i].Label = Wrapped(ticks[i].Label, a.Tick.Label, room, 2)
	}
	half := func(t plot.Tick) vg.Length { return a.Tick.Label.Width(t.Label) / 2 }
	r := labelRoom{a, width, half, s.Em(0.5)}
	if isScale(all) && !IsLog(a) {
		a.Tick.Marker = spaced{r.evenly(ticks), all}
		return
	}
	a.Tick.Marker = spaced{r.apart(ticks), all}
}

// isScale tells whether ticks are numbers that are as far from each other.
func isScale(ticks plot.ConstantTicks) bool {
	for i, t := range ticks {
		number, err := strconv.ParseFloat(strings.ReplaceAll(t.Label, ",", ""), 64)
		if err != nil || math.Abs(number-t.Value) > rounding*math.Abs(t.Value) {
			return false
		}
		if i > 1 && math.Abs(t.Value-2*ticks[i-1].Value+ticks[i-2].Value) > rounding*math.Abs(t.Value) {
			return false
		}
	}
	return len(ticks) > 2
}

// spaceUp does so along the y axis of a panel of a height.
func (s *Style) spaceUp(a *plot.Axis, height vg.Length) {
	all := allTicks(a)
	half := func(t plot.Tick) vg.Length { return a.Tick.Label.Height(t.Label) / 2 }
	r := labelRoom{a, height, half, 0}
	if IsLog(a) {
		a.Tick.Marker = spaced{r.apart(all), all}
		return
	}
	a.Tick.Marker = spaced{r.evenly(all), all}
}

// labelRoom is the room that labels have along an axis.
type labelRoom struct {
	axis   *plot.Axis
	length vg.Length
	half   func(plot.Tick) vg.Length // half of what a label takes
	gap    vg.Length                 // between two labels
}

// evenly are all ticks, or every second one, or every third, and so on, so that the labels of none
// touch and they are as far from each other.
func (r labelRoom) evenly(all plot.ConstantTicks) plot.ConstantTicks {
	kept := r.apart(all)
	for every := 2; len(kept) < len(all) && every < len(all); every++ {
		some := everyNth(all, every)
		if kept = r.apart(some); len(kept) == len(some) {
			break
		}
	}
	return kept
}

// everyNth are the first of some ticks, and every n-th one after it.
func everyNth(ticks plot.ConstantTicks, n int) plot.ConstantTicks {
	var some plot.ConstantTicks
	for i := 0; i < len(ticks); i += n {
		some = append(some, ticks[i])
	}
	return some
}

// apart are the ticks whose labels leave a gap to the one before; the first and the last
// one stay.
func (r labelRoom) apart(ticks plot.ConstantTicks) plot.ConstantTicks {
	var kept plot.ConstantTicks
	at := func(t plot.Tick) vg.Length { return vg.Length(r.axis.Norm(t.Value)) * r.length }
	touches := func(t, next plot.Tick) bool { return at(next)-r.half(next) < at(t)+r.half(t)+r.gap }
	for i, t := range ticks {
		if i == len(ticks)-1 {
			for len(kept) > 1 && touches(kept[len(kept)-1], t) {
				kept = kept[:len(kept)-1]
			}
		}
		if len(kept) == 0 || !touches(kept[len(kept)-1], t) {
			kept = append(kept, t)
		}
	}
	return kept
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
