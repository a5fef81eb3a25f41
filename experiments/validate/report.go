package validate

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"kneepoint/sim/metrics"
)

// Errors summarises the relative errors of a group of rows, in percent.
type Errors struct {
	N         int     `json:"n"`
	MedianAPE float64 `json:"median_ape"` // of the absolute percentage errors
	MeanAPE   float64 `json:"mean_ape"`
	P90APE    float64 `json:"p90_ape"`
	MPE       float64 `json:"mpe"` // mean percentage error: the bias
}

// Summarize is the errors of rows, of which there is at least one.
func Summarize(rows []Row) Errors {
	absolute := make([]float64, len(rows))
	signed := make([]float64, len(rows))
	for i := range rows {
		signed[i] = 100 * rows[i].Error()
		absolute[i] = math.Abs(signed[i])
	}
	slices.Sort(absolute)
	return Errors{N: len(rows), MedianAPE: metrics.Quantile(absolute, 0.5), MeanAPE: stat.Mean(absolute, nil),
		P90APE: metrics.Quantile(absolute, 0.9), MPE: stat.Mean(signed, nil)}
}

// Group is the errors of one metric over the rows that share a label.
type Group struct {
	Metric string `json:"metric"`
	Label  string `json:"label"` // like "accelerator"
	Value  string `json:"value"` // like "h100-sxm"
	Errors
}

// Report is the outcome of a validation.
type Report struct {
	Metrics map[string]Errors `json:"metrics"`
	Groups  []Group           `json:"groups"`
	Rows    []Row             `json:"rows"`
	Skipped []Skipped         `json:"skipped"`
}

// groupLabels are the labels by which errors are broken down.
var groupLabels = []string{"accelerator", "engine", "version", "precision", "kind", "tp", "mode", "prefill", "model"}

// NewReport summarises rows by metric, and each metric by the values of each label. The
// order of groups does not depend on that of rows.
func NewReport(rows []Row, skipped []Skipped) *Report {
	r := &Report{Metrics: map[string]Errors{}, Groups: []Group{}, Rows: rows, Skipped: skipped}
	byMetric := map[string][]Row{}
	for _, row := range rows {
		byMetric[row.Metric] = append(byMetric[row.Metric], row)
	}
	for metric, rows := range byMetric {
		r.Metrics[metric] = Summarize(rows)
		for _, label := range groupLabels {
			r.Groups = append(r.Groups, groups(metric, label, rows)...)
		}
	}
	slices.SortFunc(r.Groups, func(a, b Group) int {
		return cmp.Or(
			cmp.Compare(a.Metric, b.Metric),
			cmp.Compare(slices.Index(groupLabels, a.Label), slices.Index(groupLabels, b.Label)),
			cmp.Compare(a.Value, b.Value),
		)
	})
	return r
}

// groups are the errors of one metric's rows by the values of a label; rows without the
// label are in none.
func groups(metric, label string, rows []Row) []Group {
	byValue := map[string][]Row{}
	for _, row := range rows {
		if v := row.Labels[label]; v != "" {
			byValue[v] = append(byValue[v], row)
		}
	}
	var all []Group
	for value, rows := range byValue {
		all = append(all, Group{metric, label, value, Summarize(rows)})
	}
	return all
}
