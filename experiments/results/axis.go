package results

import (
	"math"
	"slices"
	"strings"

	"kneepoint/units"
)

// Axis is one swept variable, with its values in the order of the file.
type Axis struct {
	Path   string  `json:"path"`  // dotted, like "workload.arrival.rate"
	Label  string  `json:"label"` // for people, like "request rate"
	Unit   string  `json:"unit"`  // like "req/s"; "" for none
	Values []Value `json:"values"`

	// File is the value that the experiment's file has beside the sweep, which replaces it; none
	// where it has none.
	File Value `json:"file,omitzero"`
}

// IsLoad tells whether more of the variable is more load, so that a knee has a
// meaning: a request rate, or how many clients or users there are.
func (a *Axis) IsLoad() bool {
	return slices.Contains([]string{"workload.arrival.rate", "workload.arrival.concurrency", "workload.session.users"}, a.Path)
}

// IsWhole tells whether the load is a number of clients or users, of which there are no
// parts.
func (a *Axis) IsWhole() bool { return a.IsLoad() && a.Path != "workload.arrival.rate" }

// Geometric tells whether the values are better spaced on a logarithmic axis,
// on which lines between them are then drawn and knees interpolated: they are
// positive numbers, span a factor of at least 16, and their ratios are more even than
// their differences. It needs two different values.
func (a *Axis) Geometric() bool {
	var values, logs []float64
	for _, v := range a.Values {
		x, ok := v.Number()
		if !ok || x <= 0 {
			return false
		}
		values = append(values, x)
	}
	slices.Sort(values)
	values = slices.Compact(values)
	if len(values) < 2 || values[len(values)-1]/values[0] < 16 {
		return false
	}
	for _, x := range values {
		logs = append(logs, math.Log(x))
	}
	// Of two values both spacings are even; a factor of 16 decides.
	return len(values) == 2 || unevenness(logs) < unevenness(values)
}

// cell is a value of the axis as the CSV files have it. If any value is no whole number, all
// have a point, so that a reader who guesses types by the first rows does not guess whole ones.
func (a *Axis) cell(v Value) string {
	text := v.String()
	if x, isFloat := v.x.(float64); isFloat {
		text = units.Shortest(x)
	}
	if _, isNumber := v.Number(); isNumber && !strings.ContainsAny(text, ".e") && slices.ContainsFunc(a.Values, isNoWhole) {
		text += ".0"
	}
	return text
}

// isNoWhole tells whether a value is written as anything but a whole number.
func isNoWhole(v Value) bool {
	x, isNumber := v.Number()
	return !isNumber || x != math.Trunc(x)
}

// unevenness is the largest gap between neighbours, in mean gaps.
func unevenness(sorted []float64) float64 {
	largest := 0.0
	for i := range sorted[1:] {
		largest = max(largest, sorted[i+1]-sorted[i])
	}
	return largest * float64(len(sorted)-1) / (sorted[len(sorted)-1] - sorted[0])
}
