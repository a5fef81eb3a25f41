package main

import (
	"fmt"
	"path"
	"slices"

	"kneepoint/experiments"
	"kneepoint/experiments/validate"
	"kneepoint/plots"
	"kneepoint/sim/metrics"
)

// parityFigures are a figure of serving runs and one of closed loops, as far as there are such,
// with a panel for each metric that summarises a run.
func parityFigures(r *validate.Report) []figured {
	var all []figured
	for _, of := range []struct {
		set, file string
		panels    []string // metrics
	}{
		{"e2e", "serving-parity", []string{"ttft_mean_ms", "tpot_mean_ms", "e2e_mean_ms", "e2e_p99_ms"}},
		{"silicon", "closed-loop-parity", []string{"silicon_ttft_ms", "silicon_tpot_ms"}},
	} {
		p := &plots.Parity{Name: of.file, By: tellsApart(r.Rows, of.set), Version: experiments.Version}
		if n := len(r.Skipped); n > 0 {
			p.Notes = []string{fmt.Sprintf("%d measured runs of the folder are not simulated", n)}
		}
		for _, metric := range of.panels {
			if panel := parityPanel(r, metric, p.By); len(panel.Pairs) > 0 {
				p.Panels = append(p.Panels, panel)
			}
		}
		if len(p.Panels) > 0 {
			all = append(all, p)
		}
	}
	return all
}

// parityPanel is one metric of all runs that have it.
func parityPanel(r *validate.Report, metric, by string) plots.ParityPanel {
	panel := plots.ParityPanel{Metric: parityName(metric), MedianError: r.Metrics[metric].MedianAPE}
	for i := range r.Rows {
		if row := &r.Rows[i]; row.Metric == metric {
			panel.Pairs = append(panel.Pairs, plots.Pair{ID: row.ID, Group: groupName(row, by), Measured: row.Measured, Predicted: row.Predicted})
		}
	}
	return panel
}

// parityName is a measured metric in words; a closed loop has means of alike requests.
func parityName(metric string) string {
	key := map[string]string{
		"ttft_mean_ms": metrics.MeanTTFT, "tpot_mean_ms": metrics.MeanTPOT, "e2e_mean_ms": metrics.MeanE2EL, "e2e_p99_ms": metrics.P99E2EL,
		"silicon_ttft_ms": metrics.MeanTTFT, "silicon_tpot_ms": metrics.MeanTPOT,
	}[metric]
	d, _ := metrics.Lookup(key)
	return d.Label()
}

// tellsApart is the first label of which the rows of a set have several values, and not too
// many to be told apart.
func tellsApart(rows []validate.Row, set string) string {
	const most = 11
	labels := []string{"engine", "model", "accelerator", "precision"}
	for _, label := range labels {
		var values []string
		for i := range rows {
			if v := groupName(&rows[i], label); rows[i].Set == set && !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		if len(values) > 1 && len(values) <= most {
			return label
		}
	}
	return labels[0]
}

// groupName is a label of a row; of a model's name without who published it.
func groupName(row *validate.Row, label string) string { return path.Base(row.Labels[label]) }
