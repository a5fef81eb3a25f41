// Package chart has what figures need beside gonum/plot: a page with a title, a key
// and a footer around panels, in sizes for slides, pages and columns, on light or dark
// paper; text in letters of several fonts; labels that keep clear of each other; curves
// with bands; axes with 1-2-5 ticks; and the files in which all that is written.
//
// A panel is a plot.Plot, and most of what is on it are gonum's own plotters. Those
// here are for what it lacks: lines with dashed parts, bands, dots with rims, labels, and texts
// inside of what is drawn.
//
// It knows values, colours and letters. It must not know what the values mean: nothing
// of experiments, strategies or metrics.
package chart
