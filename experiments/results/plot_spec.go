package results

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"kneepoint/units/badinput"
)

// PlotSpec is one [[plot]] table: a figure that is drawn instead of the default ones. What
// the table leaves out is filled in, but for Size.
type PlotSpec struct {
	Kind string `json:"kind"` // one of PlotKinds

	// Metric is a key of metrics.Definitions; of a distribution or its percentiles, and of
	// the parts of a latency, the latency's name, such as "ttft". "" where the kind says it.
	Metric string `json:"metric,omitempty"`

	// X is the path of the swept variable along the horizontal axis; of PlotTradeoff the
	// key of a metric. "" of a kind that is over neither.
	X string `json:"x,omitempty"`

	// By is what tells curves apart: ByStrategy, ByClass or the path of a swept variable;
	// of PlotHeatmap the path along the vertical axis. "" of a kind without curves.
	By string `json:"by,omitempty"`

	// Filter is what is shown: values by the path of a swept variable, and names by
	// ByStrategy. What is not in it is shown whole.
	Filter map[string][]Value `json:"filter,omitempty"`

	// At is the place on the curves, along the first swept variable, at which the runs are
	// looked at. Zero where nothing is swept, of a kind that shows all of a curve, and of
	// PlotFactors for all of Loads and the places of claims.
	At Place `json:"at,omitzero"`

	// Window is which part of a run a timeline shows: WindowRun, or "" for one around the
	// middle of the arrivals.
	Window string `json:"window,omitempty"`

	Per  string `json:"per,omitempty"`  // one of PlotUnits that rates are divided by; "": they are the whole deployment's
	Size string `json:"size,omitempty"` // one of PlotSizes; "": that of all figures
	File string `json:"file"`           // name without folder; an ending of PlotEndings chooses the format
}

// The kinds of figures.
const (
	PlotCurve         = "curve"           // a metric over a swept variable
	PlotTradeoff      = "tradeoff"        // a metric against another one
	PlotCapacity      = "capacity"        // the knee of every curve
	PlotFactors       = "factors"         // paired factors over the first strategy, and claims
	PlotPublished     = "published"       // what came out beside what was expected
	PlotOverlay       = "overlay"         // published curves and what came out
	PlotCDF           = "cdf"             // the distribution of a latency
	PlotPercentiles   = "percentiles"     // percentiles of a latency over a swept variable
	PlotHeatmap       = "heatmap"         // a metric over two swept variables
	PlotSLOScale      = "slo-scale"       // attainment against multiples of the objective
	PlotTimeline      = "timeline"        // a window of a run
	PlotLatencyParts  = "latency-parts"   // what a latency is made of, in ms
	PlotWhereTimeGoes = "where-time-goes" // the same as shares, over a swept variable
	PlotUtilization   = "utilization"     // compute, bandwidth, KV cache and link over a swept variable
	PlotTraffic       = "traffic"         // lengths and arrivals of requests
)

// PlotKinds are the kinds of figures that a file can ask for.
var PlotKinds = []string{PlotCurve, PlotTradeoff, PlotCapacity, PlotFactors, PlotPublished, PlotOverlay, PlotCDF, PlotPercentiles, PlotHeatmap,
	PlotSLOScale, PlotTimeline, PlotLatencyParts, PlotWhereTimeGoes, PlotUtilization, PlotTraffic}

// What tells curves apart besides swept variables.
const (
	ByStrategy = "strategy"
	ByClass    = "class" // of requests, a [[workload.client]]
)

// What rates may be divided by.
const (
	PerAccelerator = "accelerator"
	PerDollar      = "dollar" // of the price of the accelerators
	PerWatt        = "watt"   // of their mean power
)

// The sizes of figures.
const (
	SlideSize  = "slide"
	PageSize   = "page"
	ColumnSize = "column" // of a paper in two columns
)

// The words that a PlotSpec may have.
var (
	PlotUnits   = []string{PerAccelerator, PerDollar, PerWatt}
	PlotSizes   = []string{SlideSize, PageSize, ColumnSize}
	PlotEndings = []string{".png", ".svg", ".pdf"}
)

// Name is the name of the figure's files without their ending, and the ending that the
// file asks for; "" for none: the formats are those of all figures.
func (s *PlotSpec) Name() (name, ending string) {
	if ending = filepath.Ext(s.File); slices.Contains(PlotEndings, ending) {
		return s.File[:len(s.File)-len(ending)], ending
	}
	return s.File, ""
}

// IsTaken tells whether results have a file of their own with the name of the figure's.
func (s *PlotSpec) IsTaken() bool {
	name, _ := s.Name()
	for _, file := range []string{resultsFile, runsFile, tableFile, pointsFile, requestsFile} {
		if strings.EqualFold(strings.TrimSuffix(file, filepath.Ext(file)), name) {
			return true
		}
	}
	return false
}

// checkPlots refuses figures of what is not in the plan, or in a file elsewhere.
func (p *Plan) checkPlots() error {
	for i := range p.Plots {
		s := &p.Plots[i]
		known := slices.Contains(PlotKinds, s.Kind) && isFileName(s.File) && p.has(s.At) &&
			(s.Per == "" || slices.Contains(PlotUnits, s.Per)) && (s.Size == "" || slices.Contains(PlotSizes, s.Size)) &&
			(s.Window == "" || s.Window == WindowRun && s.Kind == PlotTimeline) &&
			(s.X == "" || s.Kind == PlotTradeoff || p.sweeps(s.X)) &&
			(s.By == "" || s.By == ByStrategy || s.By == ByClass || p.sweeps(s.By))
		for path := range s.Filter {
			known = known && (path == ByStrategy || p.sweeps(path))
		}
		if !known {
			return &badinput.Error{Key: fmt.Sprintf("plots[%d]", i), Problem: "is a figure of what is not there"}
		}
	}
	return nil
}

// sweeps tells whether a path is that of a swept variable.
func (p *Plan) sweeps(path string) bool {
	return slices.ContainsFunc(p.Sweep, func(a Axis) bool { return a.Path == path })
}
