// Package plots draws the figures of an experiment, as PNG, SVG and PDF, fit to go
// into a design document untouched: a title that says what was found, labels at
// the ends of the lines, units at every axis, the interval of every point, and
// a footer with what the figure rests on.
//
// The pipeline is: results → curves or rows of values → axes and marks → a
// page drawn on a vector canvas. Equal results give equal bytes.
//
// It knows the results of an experiment, the definitions of their metrics, and
// how people read figures. It must not know how the numbers came about: nothing
// of engines, policies, cost models or traffic; an Estimate and a Parity come as plain
// values. A title claims only what the results say, and a figure without such a claim gets
// a neutral title.
package plots
