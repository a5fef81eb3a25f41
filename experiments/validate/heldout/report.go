package heldout

import (
	"cmp"
	"slices"
	"strings"

	"kneepoint/experiments/validate"
)

// Errors are the errors of one metric over the runs of a group: with the constants that are
// built in, with those that were fitted to all groups, and with those fitted without it.
// The fitted and the built-in ones have been chosen with these runs in view.
type Errors struct {
	Metric  string          `json:"metric"`
	Of      string          `json:"of"`       // Model, Version, Accelerator or Relatives
	Left    string          `json:"left_out"` // empty: every group in turn
	BuiltIn validate.Errors `json:"built_in"`
	Fitted  validate.Errors `json:"fitted"`
	HeldOut validate.Errors `json:"held_out"`
}

// Excess is the median error held out over the fitted one.
func (e *Errors) Excess() float64 { return e.HeldOut.MedianAPE / e.Fitted.MedianAPE }

// IsHeadline tells whether a metric is reported: the means, and the tail of end-to-end latency.
func IsHeadline(metric string) bool { return isMean(metric) || metric == "e2e_p99_ms" }

// summarize reports the errors of every group, and of every group in turn after those of its kind.
func (s *study) summarize() {
	for _, kind := range reported {
		var every []validate.Row
		for _, p := range s.held {
			if p.of == kind {
				s.compare(kind, p.name, p.rows)
				every = append(every, p.rows...)
			}
		}
		s.compare(kind, "", every)
	}
}

// compare reports the errors of some rows that were predicted without them.
func (s *study) compare(kind, left string, held []validate.Row) {
	byMetric := map[string][]validate.Row{}
	for _, row := range held {
		if IsHeadline(row.Metric) {
			byMetric[row.Metric] = append(byMetric[row.Metric], row)
		}
	}
	var all []Errors
	for metric, rows := range byMetric {
		all = append(all, Errors{metric, kind, left,
			validate.Summarize(like(rows, s.builtIn)), validate.Summarize(like(rows, s.inFit)), validate.Summarize(rows)})
	}
	slices.SortFunc(all, func(a, b Errors) int { return cmp.Compare(order(a.Metric), order(b.Metric)) })
	s.report.Errors = append(s.report.Errors, all...)
}

// order is the place of a metric among those of a group: serving runs first, TPOT first.
func order(metric string) string {
	return strings.NewReplacer("tpot", "0", "e2e", "1", "ttft", "2").Replace(strings.Replace(metric, "silicon", "x", 1))
}

// like are the rows of others of the same runs and metrics.
func like(rows, others []validate.Row) []validate.Row {
	wanted := map[[2]string]bool{}
	for i := range rows {
		wanted[[2]string{rows[i].ID, rows[i].Metric}] = true
	}
	var found []validate.Row
	for i := range others {
		if wanted[[2]string{others[i].ID, others[i].Metric}] {
			found = append(found, others[i])
		}
	}
	return found
}
