package experiments

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
)

// PlotSpec is one [[plot]] table: a figure to draw instead of the default ones.
type PlotSpec struct {
	Kind   string                `toml:"kind" required:"true" oneof:"@kinds"`
	Metric string                `toml:"metric" only:"kind=@metric"`
	X      string                `toml:"x" only:"kind=@x"`   // the first swept variable
	By     string                `toml:"by" only:"kind=@by"` // the strategy; of a heatmap the next swept variable
	At     PlaceSpec             `toml:"at" only:"kind=@at"` // the knee over a load, else the highest value; of factors several places
	Window string                `toml:"window" oneof:"arrivals run" only:"kind=timeline"`
	Per    string                `toml:"per" oneof:"accelerator dollar watt" only:"kind=@per"`
	Filter map[string]ValuesSpec `toml:"filter" only:"kind=@filter"`
	Size   string                `toml:"size" oneof:"slide page column"`
	File   string                `toml:"file"` // made of kind and metric
}

// The kinds of figures that have something in common.
var (
	ofMetrics    = []string{results.PlotCurve, results.PlotTradeoff, results.PlotHeatmap}
	ofLatencies  = []string{results.PlotCDF, results.PlotPercentiles, results.PlotLatencyParts}
	overVariable = []string{results.PlotCurve, results.PlotPercentiles, results.PlotHeatmap, results.PlotWhereTimeGoes,
		results.PlotUtilization}
	withCurves = []string{results.PlotCurve, results.PlotTradeoff, results.PlotCDF, results.PlotPercentiles, results.PlotSLOScale}
	atPlace    = []string{results.PlotFactors, results.PlotCDF, results.PlotSLOScale, results.PlotTimeline, results.PlotLatencyParts,
		results.PlotTraffic}
	ofAll = []string{results.PlotPublished, results.PlotOverlay, results.PlotTraffic} // which is no part of the sweep
)

// Words are the kinds, and those beside which a key has an effect.
func (*PlotSpec) Words(list string) []string {
	has := map[string]func(kind string) bool{
		"kinds":  func(string) bool { return true },
		"metric": func(kind string) bool { return slices.Contains(ofMetrics, kind) || slices.Contains(ofLatencies, kind) },
		"x":      func(kind string) bool { return slices.Contains(overVariable, kind) || kind == results.PlotTradeoff },
		"by":     func(kind string) bool { return slices.Contains(withCurves, kind) || kind == results.PlotHeatmap },
		"at":     func(kind string) bool { return slices.Contains(atPlace, kind) },
		"per":    func(kind string) bool { return kind == results.PlotCurve || kind == results.PlotTradeoff },
		"filter": func(kind string) bool { return !slices.Contains(ofAll, kind) },
	}[list]
	var words []string
	for _, kind := range results.PlotKinds {
		if has(kind) {
			words = append(words, kind)
		}
	}
	return words
}

// Validate checks what concerns the table alone. What it is about must be in the
// experiment: see checkPlots.
func (s *PlotSpec) Validate() error {
	for _, check := range []func() error{s.checkMetric, s.checkTradeoff, s.checkPer, s.checkFile} {
		if err := check(); err != nil {
			return err
		}
	}
	if s.At.Values != nil {
		return &badinput.Error{Key: "at", Value: s.At.EncodeTOML(), Problem: "must be one place on every curve",
			Allowed: "a value of the first swept variable, or one of " + strings.Join(results.Words, ", ")}
	}
	return nil
}

// checkMetric refuses a metric that the kind cannot draw, and one that is missing. Of
// latencies the parts of two are known.
func (s *PlotSpec) checkMetric() error {
	if slices.Contains(ofMetrics, s.Kind) {
		if s.Metric == "" {
			return &badinput.Error{Key: "metric", Problem: "missing", Allowed: aMetric}
		}
		return drawnMetric(s.Metric)
	}
	names := []string{"ttft", "e2el", "tpot", "itl"}
	if s.Kind == results.PlotLatencyParts {
		names = names[:2]
	}
	switch {
	case !slices.Contains(ofLatencies, s.Kind):
		return nil
	case s.Metric == "":
		return &badinput.Error{Key: "metric", Problem: "missing", Allowed: "one of " + strings.Join(names, ", ")}
	case !slices.Contains(names, s.Metric):
		return &badinput.Error{Key: "metric", Value: s.Metric, Problem: fmt.Sprintf("is no latency that kind = %q shows", s.Kind),
			Allowed: "one of " + strings.Join(names, ", "), Nearest: badinput.Nearest(s.Metric, names)}
	}
	return nil
}

const aMetric = "a name that `kneepoint list metrics` shows"

// drawnMetric refuses a metric that no run has, or that has no scale.
func drawnMetric(name string) error {
	if err := knownMetric(name); err != nil {
		return err
	}
	if d, _ := metrics.Lookup(name); d.Kind == metrics.YesNo {
		return &badinput.Error{Key: "metric", Value: name, Problem: "is yes or no, and has no scale to be drawn on", Allowed: "another metric"}
	}
	return nil
}

// checkTradeoff refuses a horizontal axis that is no other metric.
func (s *PlotSpec) checkTradeoff() error {
	switch {
	case s.Kind != results.PlotTradeoff:
		return nil
	case s.X == "":
		return &badinput.Error{Key: "x", Problem: "missing", Allowed: aMetric}
	case s.X == s.Metric:
		return &badinput.Error{Key: "x", Value: s.X, Problem: "is the metric itself", Allowed: "another metric"}
	}
	return badinput.At("x", drawnMetric(s.X))
}

// checkPer refuses to divide what is no rate of requests or tokens.
func (s *PlotSpec) checkPer() error {
	if s.Per == "" || isRate(s.Metric) || s.Kind == results.PlotTradeoff && isRate(s.X) {
		return nil
	}
	var rates []string
	for _, key := range metrics.Keys() {
		if isRate(key) {
			rates = append(rates, key)
		}
	}
	return &badinput.Error{Key: "per", Value: s.Per, Problem: fmt.Sprintf("has no effect with metric = %q, which is no rate", s.Metric),
		Allowed: "only with one of " + strings.Join(rates, ", ")}
}

// isRate tells whether a key is that of a rate.
func isRate(key string) bool {
	d, _ := metrics.Lookup(key)
	return d.IsRate()
}

// mostFileName is how long a figure's name may be, in bytes. File systems allow some 255,
// of which others add their own.
const mostFileName = 100

var (
	fileNameOf = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
	endingOf   = regexp.MustCompile(`\.[A-Za-z]*$`)
)

// checkFile refuses a name that is not that of a figure in the folder of the results.
func (s *PlotSpec) checkFile() error {
	problem := ""
	ending := endingOf.FindString(s.File)
	switch {
	case s.File == "":
		return nil
	case len(s.File) > mostFileName:
		problem = "too long"
	case !fileNameOf.MatchString(s.File):
		problem = "must be a name without a folder, of letters, digits and . _ -, the first of them a letter or a digit"
	case ending != "" && !slices.Contains(results.PlotEndings, ending):
		problem = "has the ending of no format that is drawn"
	case (&results.PlotSpec{File: s.File}).IsTaken():
		problem = "is the name of another file of the results"
	default:
		return nil
	}
	return &badinput.Error{Key: "file", Value: s.File, Problem: problem,
		Allowed: "a name of at most 100 bytes like \"ttft-by-rate\", with no ending or one of " + strings.Join(results.PlotEndings, ", ")}
}

// ValuesSpec is one value of a swept variable or a list of them.
type ValuesSpec []results.Value

// DecodeTOML reads a number, text, true or false, or a list of these.
func (v *ValuesSpec) DecodeTOML(x any) error {
	list, isList := x.([]any)
	if !isList {
		list = []any{x}
	}
	if len(list) == 0 {
		return errors.New("an empty list leaves nothing to draw; allowed: a value, or a list of values")
	}
	for _, x := range list {
		switch x.(type) {
		case int64, float64, string, bool:
			*v = append(*v, results.ValueOf(x))
		case map[string]any:
			return errors.New("a table is no value; allowed: a value or a list of values, and the path of a swept variable in quotes")
		default:
			return errors.New("is no value of a sweep; allowed: a value, or a list of values")
		}
	}
	return nil
}

// EncodeTOML is the inverse of DecodeTOML.
func (v ValuesSpec) EncodeTOML() any {
	if len(v) == 1 {
		return v[0].Any()
	}
	var list []any
	for _, x := range v {
		list = append(list, x.Any())
	}
	return list
}
